/** Bitcoin's chain by day: mempool.space (https://mempool.space/docs/api/rest) and blockchain.com's charts. */
import { chains } from '../../../config/chains.ts';
import { supplyAfter } from '../../../indicators/market/issuance.ts';
import { heightAt } from '../chains/ledger.ts';
import { source } from '../defi/source.ts';
import type { Model } from '../model.ts';
import { type Ask, Refused } from '../venue.ts';
import { closeOf, dayLength, daysFrom, lastDay, pathOf } from './days.ts';

const { blockTime } = chains.bitcoin;

/** The first day of the chain, and the first with a price. */
const genesis = Date.UTC(2009, 0, 3);
const firstPrice = Date.UTC(2010, 7, 16);

/** Bitcoin's price at the end of a day, USD; 0 before the first. */
export const bitcoinClose = (model: Model, day: number): number =>
  day < firstPrice ? 0 : closeOf(pathOf(model, 'BTC'), day);

/** `/api/v1/mining/blocks/timestamp/<seconds>`: the block nearest to it. */
function blockAt({ path, now }: Ask) {
  const asked = Number(path.split('/').at(-1)) * 1000;
  const height = heightAt('bitcoin', Math.min(now, asked + blockTime / 2));
  const time = (height - heightAt('bitcoin', 0)) * blockTime;
  return { height, timestamp: new Date(time).toISOString() };
}

export const mempool = source({
  id: 'mempool',
  hosts: ['mempool.space'],
  most: 60,
  answers: [[/^\/api\/v1\/mining\/blocks\/timestamp\/\d{1,12}$/, blockAt]],
});

/** Values at the end of a day: US dollars, and BTC in circulation. */
const charts: Readonly<Record<string, (model: Model, day: number) => number>> = {
  'market-price': (model, day) => Number(bitcoinClose(model, day).toFixed(2)),
  // The block at midnight is the first of the next day.
  'total-bitcoins': (_, day) => supplyAfter(heightAt('bitcoin', day + dayLength) - 1),
};

/** `/charts/<name>?start=`: a point a day, from the beginning of the chain where there is no start. */
function chart({ path, query, model, now }: Ask) {
  const value = charts[path.split('/')[2] ?? ''];
  const start = Date.parse(query.get('start') ?? '2009-01-03');
  if (!value || Number.isNaN(start)) throw new Refused(404, { status: 'not-found', values: [] });
  const days = daysFrom(Math.max(genesis, start), lastDay(now));
  return {
    status: 'ok',
    values: days.map((day) => ({ x: day / 1000, y: value(model, day) })),
  };
}

/** https://www.blockchain.com/explorer/api/charts_api */
export const blockchainInfo = source({
  id: 'blockchain-info',
  hosts: ['api.blockchain.info'],
  most: 6,
  limited: { status: 'error', error: 'Rate limit exceeded' },
  answers: [[/^\/charts\/[\w-]+$/, chart]],
});
