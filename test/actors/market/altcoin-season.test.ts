/** Altcoin season: coins, closes of the exchanges, what a restart keeps. */
import t from 'tap';
import { failed } from '../../../actors/failure.ts';
import { dayAt, dayLength } from '../../../indicators/market/days.ts';
import { now } from './fixtures.ts';
import { createStage, down, priceRow, type Stage, type Upstream } from './stage.ts';

const key = 'altcoin-season';
const today = dayAt(now);
const symbols = Array.from({ length: 55 }, (_, at) => `C${at}`);

const unknown = failed('unknown_instrument', 'no such market').failure;

/** Bitcoin doubles in a year; coin n gains n percent a month, and costs 100 today. */
const priceAt = (symbol: string, day: number) => {
  const months = (day - today) / dayLength / 30;
  if (symbol === 'BTC') return 100_000 * 2 ** ((day - today) / dayLength / 365);
  return 100 * (1 + Number(symbol.slice(1)) / 100) ** months;
};

/** Binance's daily candles, of all coins but `lacking`. */
const candles =
  (lacking: readonly string[]): Upstream =>
  ({ query = {} }) => {
    const symbol = String(query.symbol).replace('USDT', '');
    if (lacking.includes(symbol)) return unknown;
    const last = Number(query.endTime) - dayLength + 1;
    return Array.from({ length: Number(query.limit) }, (_, at) => {
      const day = dayAt(last) - (Number(query.limit) - 1 - at) * dayLength;
      const price = String(priceAt(symbol, day));
      return [day, price, price, price, price, '1', day + dayLength - 1, '1', 1, '1', '1', '0'];
    });
  };

/** OKX's, of every coin ten times too dear. */
const dear: Upstream = ({ query = {} }) => {
  const symbol = String(query.instId).split('-')[0] ?? '';
  const data = Array.from({ length: Number(query.limit) }, (_, at) => {
    const day = dayAt(Number(query.after) - 1) - at * dayLength;
    const price = String(10 * priceAt(symbol, day));
    return [String(day), price, price, price, price, '1', '1', '1', '1'];
  });
  return { code: '0', data };
};

const coins: Upstream = ({ path }) => {
  if (!path.endsWith('/coins/markets')) return unknown;
  return ['BTC', 'USDT', 'WBTC', ...symbols].map((symbol, at) => ({
    id: symbol.toLowerCase(),
    symbol: symbol.toLowerCase(),
    name: symbol,
    current_price: symbol === 'BTC' ? 100_000 : symbol === 'USDT' ? 1 : 100,
    market_cap: 1e12 / (at + 1),
    market_cap_rank: at + 1,
  }));
};

function open(stage: Stage, lacking: readonly string[] = []) {
  stage.upstreams.set('coingecko', coins);
  stage.upstreams.set('binance', candles(lacking));
  stage.upstreams.set('defillama', () => ({
    peggedAssets: [
      {
        id: '1',
        symbol: 'USDT',
        name: 'T',
        pegType: 'peggedUSD',
        circulating: { peggedUSD: 1e11 },
      },
      { id: '2', symbol: 'C7', name: 'S', pegType: 'peggedUSD', circulating: { peggedUSD: 1e5 } },
    ],
  }));
  stage.tell([priceRow('BTC', 100_000), ...symbols.map((symbol) => priceRow(symbol, 100))]);
}

t.test('the index with live prices, and the days before it', async (t) => {
  const stage = await createStage(t);
  open(stage);
  const context = stage.begin();
  t.equal(await context.run(key), null);
  // Bitcoin gained 18.6 % in 90 days, coin n (1 + n / 100) ** 3 - 1: from C6 on more. 44 of the first 50.
  t.match(await stage.reading(key), {
    fields: {
      index: 88,
      classification: 'altcoin_season',
      period_days: 90,
      coins_evaluated: 50,
      coins_outperforming: 44,
      coins: [{ symbol: 'C0', rank: 4, outperforms: false }],
    },
    source: ['coingecko', 'binance'],
    updated_at: now,
    received_at: now,
    live: { timestamp: today, index: 88, provisional: true },
  });
  const chart = await stage.chart(key);
  t.equal(chart?.rows.length, 276);
  t.equal(chart?.recorded_from, today - dayLength);
  t.match(chart?.rows.at(0), { timestamp: today - 276 * dayLength, backfilled: true });
  t.same(chart?.rows.at(-1), { timestamp: today - dayLength, index: 88 });
  t.equal(stage.asked.filter((each) => each.startsWith('binance')).length, 56);
});

t.test('a restart asks nothing; a new day asks for closes once', async (t) => {
  const stage = await createStage(t);
  open(stage);
  await stage.begin().run(key);
  stage.asked.length = 0;
  const next = stage.begin();
  t.equal(await next.waits(key), 3_600_000);
  t.equal(await next.run(key), null);
  t.same(stage.asked, []);
  t.equal(stage.count('indicatorHistories', key), 1);
  await stage.clock.advance(today + dayLength + 9 * 60_000 - now);
  open(stage);
  await next.run(key);
  t.same(stage.asked, [], 'a day is over ten minutes after its end');
  await stage.clock.advance(2 * 60_000);
  open(stage);
  await next.run(key);
  t.equal(stage.asked.filter((each) => each.startsWith('binance')).length, 56);
  t.equal((await stage.chart(key))?.rows.length, 277);
});

t.test('coins from the next exchange, unless they are others of the same name', async (t) => {
  const stage = await createStage(t);
  open(stage, ['C1', 'C2', 'C3', 'C4', 'C5']);
  stage.upstreams.set('okx', dear);
  stage.upstreams.set('gate', () => unknown);
  stage.upstreams.set('kucoin', () => unknown);
  stage.upstreams.set('bybit', down);
  t.equal(await stage.begin().run(key), null);
  const closes = await stage.series('altcoin-closes');
  t.notOk(closes?.columns.symbol?.includes('C1'));
  t.equal(closes?.columns.symbol?.length, 51);
  t.equal(closes?.columns['2025-06-14']?.length, 51);
  const asked = (id: string) => stage.asked.filter((each) => each.startsWith(id)).length;
  t.same(
    [asked('okx'), asked('bybit')],
    [10, 3],
    'two pages a coin; three failures, and it is passed over',
  );
});

t.test('too few coins: told, and not asked for again within the hour', async (t) => {
  const stage = await createStage(t);
  open(stage, symbols.slice(0, 20));
  for (const id of ['okx', 'gate', 'kucoin', 'bybit']) stage.upstreams.set(id, () => unknown);
  const context = stage.begin();
  t.match(await context.run(key), { code: 'unavailable', message: /too few coins/ });
  t.equal(await stage.reading(key), undefined);
  stage.asked.length = 0;
  await stage.clock.advance(60_000);
  t.match(await context.run(key), { code: 'unavailable' });
  t.same(stage.asked, []);
});

t.test('days without a record are filled when the source is back', async (t) => {
  const stage = await createStage(t);
  open(stage);
  await stage.begin().run(key);
  await stage.clock.advance(4 * dayLength);
  open(stage);
  t.equal(await stage.begin().run(key), null);
  const chart = await stage.chart(key);
  t.equal(chart?.rows.length, 280);
  t.same(
    chart?.rows.slice(-5).map(({ backfilled = false }) => backfilled),
    [false, true, true, true, false],
  );
  t.equal(chart?.recorded_from, today - dayLength);
});

t.test('without live prices: the last day that is over', async (t) => {
  const stage = await createStage(t);
  open(stage);
  const context = stage.begin();
  await context.run(key);
  await stage.clock.advance(3_600_000);
  await context.run(key);
  t.match(await stage.reading(key), {
    fields: { index: 88 },
    updated_at: today,
    received_at: now,
    live: null,
  });
});
