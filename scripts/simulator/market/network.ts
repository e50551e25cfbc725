/** Chains by day: mempool.space (https://mempool.space/docs/api/rest) blockchain.com's charts, and
 * Coin Metrics' community data (https://docs.coinmetrics.io/api/v4). */
import { chains } from '../../../config/chains.ts';
import { supplyAfter } from '../../../indicators/market/issuance.ts';
import { heightAt } from '../chains/ledger.ts';
import { source } from '../defi/source.ts';
import type { Model } from '../model.ts';
import { seedOf, valueNoise } from '../noise.ts';
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
function blockAt({ query, now }: Ask) {
  const asked = Number(query.get('seconds')) * 1000;
  const height = heightAt('bitcoin', Math.min(now, asked + blockTime / 2));
  const time = (height - heightAt('bitcoin', 0)) * blockTime;
  return { height, timestamp: new Date(time).toISOString() };
}

export const mempool = source('mempool', 'mempool.space', {
  '/api/v1/mining/blocks/timestamp/{seconds}': blockAt,
});

/** Values at the end of a day: US dollars, and BTC in circulation. */
const charts: Readonly<Record<string, (model: Model, day: number) => number>> = {
  'market-price': (model, day) => Number(bitcoinClose(model, day).toFixed(2)),
  // The block at midnight is the first of the next day.
  'total-bitcoins': (_, day) => supplyAfter(heightAt('bitcoin', day + dayLength) - 1),
};

/** `/charts/<name>?start=`: a point at the end of each day, from the beginning of the chain where there is no start. */
function chart({ query, model, now }: Ask) {
  const value = charts[query.get('chart') ?? ''];
  const start = Date.parse(query.get('start') ?? '2009-01-03');
  if (!value || Number.isNaN(start)) throw new Refused(404, { status: 'not-found', values: [] });
  const days = daysFrom(Math.max(genesis, start - dayLength), lastDay(now));
  return {
    status: 'ok',
    values: days.map((day) => ({ x: (day + dayLength) / 1000, y: value(model, day) })),
  };
}

/** https://www.blockchain.com/explorer/api/charts_api */
export const blockchainInfo = source('blockchain-info', 'api.blockchain.info', {
  '/charts/{chart}': chart,
});

/** Coins of a network, and about how many of its addresses are active, millions. */
const networks = {
  btc: {
    supply: (day: number) => supplyAfter(heightAt('bitcoin', day + dayLength) - 1),
    active: 0.7,
  },
  eth: { supply: () => 120_600_000, active: 0.5 },
};
const isNetwork = (name: string): name is keyof typeof networks => Object.hasOwn(networks, name);

/** The metrics of a day; a metric that is not given refuses the question. */
function metricOf(model: Model, asset: keyof typeof networks, day: number) {
  const { supply, active } = networks[asset];
  const price = closeOf(pathOf(model, asset.toUpperCase()), day);
  const wave = (name: string, days: number) =>
    1 + 0.4 * valueNoise(seedOf(model.seed, `${asset} ${name}`), day / dayLength / days);
  const turnover = 0.0004 * supply(day) * price;
  const values: Readonly<Record<string, number>> = {
    PriceUSD: price,
    CapMrktCurUSD: price * supply(day),
    SplyCur: supply(day),
    CapMVRVCur: 1.8 * wave('mvrv', 90),
    AdrActCnt: Math.round(1e6 * active * wave('active', 7)),
    FlowInExUSD: turnover * wave('inflow', 3),
    FlowOutExUSD: turnover * wave('outflow', 3),
    SplyExNtv: 0.12 * supply(day),
  };
  return (name: string) => {
    const value = values[name];
    const error = { type: 'forbidden', message: `Requested metric '${name}' is not available` };
    if (value === undefined) throw new Refused(403, { error });
    return String(value);
  };
}

/** `/v4/timeseries/asset-metrics`: the days up to that before yesterday. */
function assetMetrics({ query, model, now }: Ask) {
  const asset = query.get('assets') ?? '';
  if (!isNetwork(asset))
    throw new Refused(400, { error: { type: 'bad_parameter', message: `Bad parameter 'assets'` } });
  const names = (query.get('metrics') ?? '').split(',');
  const start = Date.parse(query.get('start_time') ?? '2010-08-16');
  const days = daysFrom(Math.max(firstPrice, start), lastDay(now) - dayLength);
  return {
    data: days.map((day) => {
      const metric = metricOf(model, asset, day);
      const time = new Date(day).toISOString().replace('Z', '000000Z');
      return { asset, time, ...Object.fromEntries(names.map((name) => [name, metric(name)])) };
    }),
  };
}

export const coinmetrics = source('coinmetrics', 'community-api.coinmetrics.io', {
  '/v4/timeseries/asset-metrics': assetMetrics,
});
