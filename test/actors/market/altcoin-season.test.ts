/** Altcoin season: coins, closes of the exchanges, what a restart keeps. */
import t from 'tap';
import { failed } from '../../../actors/failure.ts';
import { closesName } from '../../../actors/market/closes.ts';
import { stablecoinsName, universeName } from '../../../actors/market/coins.ts';
import { dayAt, dayLength } from '../../../indicators/market/days.ts';
import { priceRow } from '../../support/makers.ts';
import { now } from './fixtures.ts';
import { down, marketStage, type Stage, type Upstream } from './stage.ts';

const key = 'altcoin-season';
const today = dayAt(now);
const symbols = Array.from({ length: 65 }, (_, at) => `C${at}`);

const unknown = failed('unknown_instrument', 'no such market').failure;

/** Bitcoin doubles in a year; coin n gains n percent a month, and costs half a dollar today. */
const priceAt = (symbol: string, day: number) => {
  const months = (day - today) / dayLength / 30;
  if (symbol === 'BTC') return 100_000 * 2 ** ((day - today) / dayLength / 365);
  return 0.5 * (1 + Number(symbol.slice(1)) / 100) ** months;
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

/** OKX's, of every coin more than three times too dear. */
const dear: Upstream = ({ query = {} }) => {
  const symbol = String(query.instId).split('-')[0] ?? '';
  const data = Array.from({ length: Number(query.limit) }, (_, at) => {
    const day = dayAt(Number(query.after) - 1) - at * dayLength;
    const price = String(3.1 * priceAt(symbol, day));
    return [String(day), price, price, price, price, '1', '1', '1', '1'];
  });
  return { code: '0', data };
};

const listed = ['BTC', 'USDT', 'WBTC', 'EDGE', 'A/B', ...symbols];
const coins: Upstream = ({ path }) => (path.endsWith('/coins/markets') ? coinsOf(listed) : unknown);
const coinsOf = (names: readonly string[]) =>
  names.map((symbol, at) => ({
    id: symbol.toLowerCase(),
    symbol: symbol.toLowerCase(),
    name: symbol,
    current_price: symbol === 'BTC' ? 100_000 : symbol === 'USDT' ? 1 : 0.5,
    market_cap: 1e12 / (at + 1),
    market_cap_rank: at + 1,
  }));

/** A stablecoin is one from ten million dollars on: a smaller one may share its ticker with a coin that is none. */
const stablecoins = Object.entries({ USDT: 1e11, EDGE: 1e7, C7: 9_999_999 });
const asked = (stage: Stage, id: string) =>
  stage.asked.filter((each) => each.startsWith(id)).length;

function open(stage: Stage, lacking: readonly string[] = []) {
  stage.upstreams.set('coingecko', coins);
  stage.upstreams.set('binance', candles(lacking));
  stage.upstreams.set('defillama', () => ({
    peggedAssets: stablecoins.map(([symbol, peggedUSD]) => ({
      id: symbol,
      symbol,
      name: symbol,
      pegType: 'peggedUSD',
      circulating: { peggedUSD },
    })),
  }));
  stage.tell([
    priceRow({ price: 100_000 }),
    ...symbols.map((symbol) => priceRow({ symbol, price: 0.5 })),
  ]);
}

t.test('the index with live prices, and the days before it', async (t) => {
  const stage = marketStage();
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
      // 5.9 % in 30 days: from C6 on; 100 % in a year: C5 gained 81 %.
      month_index: 88,
      year_index: 88,
      coins: [{ symbol: 'C0', rank: 6, outperforms: false }],
    },
    source: ['coingecko', 'binance'],
    stale_after: 3 * 3_600_000,
    updated_at: now,
    received_at: now,
    live: { timestamp: today, index: 88, provisional: true },
  });
  const chart = await stage.chart(key);
  t.equal(chart?.rows.length, 276);
  t.equal(chart?.recorded_from, today - dayLength);
  t.match(chart?.rows.at(0), { timestamp: today - 276 * dayLength, backfilled: true });
  t.same(chart?.rows.at(-1), { timestamp: today - dayLength, index: 88 });
  t.equal(asked(stage, 'binance'), 61, 'Bitcoin and sixty coins');
  t.same(
    [universeName, stablecoinsName, closesName].map(
      (name) => [...stage.statuses.values()].find(({ topic }) => topic === name)?.rows,
    ),
    [70, 3, 61 * 366],
  );
});

t.test('a restart asks nothing; a new day asks for closes once', async (t) => {
  const stage = marketStage();
  open(stage);
  await stage.begin().run(key);
  stage.asked.length = 0;
  const next = stage.begin();
  t.equal(await next.waits(key), 3_600_000);
  t.equal(await next.run(key), null);
  t.same(stage.asked, []);
  t.equal(stage.statuses.get(`${closesName}/binance`)?.rows, 61 * 366);
  t.equal(stage.statuses.get(`${universeName}/coingecko`)?.rows, 66);
  t.equal(stage.statuses.get(`${stablecoinsName}/defillama`)?.state, 'standby');
  t.equal(
    Object.keys((await stage.series(universeName))?.columns ?? {}).join(' '),
    'id symbol name rank price_usd market_cap_usd source',
  );
  t.equal(stage.count('indicatorHistories', key), 1);
  await stage.clock.advance(today + dayLength + 9 * 60_000 - now);
  open(stage);
  await next.run(key);
  t.same(stage.asked, [], 'a day is over ten minutes after its end');
  await stage.clock.advance(2 * 60_000);
  open(stage);
  await next.run(key);
  t.equal(asked(stage, 'binance'), 61);
  t.equal((await stage.chart(key))?.rows.length, 277);
});

t.test('coins from the next exchange, unless they are others of the same name', async (t) => {
  const stage = marketStage();
  open(stage, ['C1', 'C2', 'C3', 'C4', 'C5']);
  stage.upstreams.set('okx', dear);
  stage.upstreams.set('gate', () => unknown);
  stage.upstreams.set('kucoin', () => unknown);
  stage.upstreams.set('bybit', down);
  t.equal(await stage.begin().run(key), null);
  const closes = await stage.series('altcoin-closes');
  t.notOk(closes?.columns.symbol?.includes('C1'));
  t.equal(closes?.columns.symbol?.length, 61);
  t.equal(closes?.columns['2025-06-14']?.length, 61);
  t.same(
    [asked(stage, 'okx'), asked(stage, 'bybit')],
    [10, 3],
    'two pages a coin; three failures, and it is passed over',
  );
});

t.test('an exchange is passed over after three failures in a row only', async (t) => {
  const stage = marketStage();
  open(stage);
  const [failing, good] = [['C0', 'C1', 'C3', 'C4'], candles([])];
  stage.upstreams.set('binance', (request) =>
    failing.some((symbol) => request.query?.symbol === `${symbol}USDT`)
      ? down(request)
      : good(request),
  );
  t.equal(await stage.begin().run(key), null);
  t.equal((await stage.series(closesName))?.columns.symbol?.length, 61);
  stage.upstreams.set('binance', down);
  await stage.clock.advance(dayLength);
  t.match(await stage.begin().run(key), { message: 'down' });
  for (const id of ['binance', 'okx', 'gate', 'kucoin', 'bybit'])
    stage.upstreams.set(id, () => unknown);
  t.match(await stage.begin().run(key), { message: 'no closes of Bitcoin' });
});

t.test('too few coins: reported, and not asked for again within the hour', async (t) => {
  const stage = marketStage();
  open(stage, symbols.slice(0, 26));
  for (const id of ['okx', 'gate', 'kucoin', 'bybit']) stage.upstreams.set(id, () => unknown);
  const context = stage.begin();
  t.match(await context.run(key), { code: 'unavailable', message: /too few coins/ });
  t.equal(await stage.reading(key), undefined);
  stage.asked.length = 0;
  await stage.clock.advance(60_000);
  t.match(await context.run(key), { code: 'unavailable' });
  t.same(stage.asked, []);
  await stage.clock.advance(59 * 60_000);
  open(stage, symbols.slice(0, 25));
  t.equal(await context.run(key), null, 'forty coins and Bitcoin are enough');
  t.match(await stage.reading(key), { fields: { coins_evaluated: 40 } });
});

t.test('the coins: asked for once a day, kept where both lists are missing', async (t) => {
  const stage = marketStage();
  open(stage);
  const paprika = (rows: readonly string[], rank: number) =>
    rows.map((symbol, at) => ({
      id: symbol.toLowerCase(),
      symbol,
      name: symbol,
      rank: at + rank,
      quotes: { USD: { price: symbol === 'BTC' ? 100_000 : 0.5, market_cap: 1e9 } },
    }));
  const context = stage.begin();
  await context.run(key);
  stage.asked.length = 0;
  await stage.clock.advance(dayLength - 1);
  await context.run(key);
  t.equal(asked(stage, 'coingecko'), 0);
  stage.upstreams.set('coingecko', () => coinsOf(symbols));
  stage.upstreams.set('coinpaprika', () => paprika(listed, 111));
  stage.upstreams.set('defillama', down);
  await stage.clock.advance(1);
  t.equal(await context.run(key), null, 'a list without Bitcoin, and one of forty by rank');
  t.same([asked(stage, 'coingecko'), asked(stage, 'coinpaprika')], [1, 1]);
  t.match(await stage.reading(key), { source: ['coingecko', 'binance'] });
  stage.upstreams.set('coinpaprika', () => paprika(listed, 110));
  await context.run(key);
  const stored = (await stage.series(universeName))?.columns;
  t.equal(stored?.source?.[0], 'coinpaprika', 'one of 41');
  t.notOk(stored?.symbol?.includes('USDT'), 'the largest stablecoins are known');
});

t.test('days without a record are filled when the source is back', async (t) => {
  const stage = marketStage();
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
  const stage = marketStage();
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

t.test('coins with letters of any script have closes', async (t) => {
  const stage = marketStage();
  open(stage);
  const names = listed.with(listed.indexOf('A/B'), '币7');
  stage.upstreams.set('coingecko', ({ path }) =>
    path.endsWith('/coins/markets') ? coinsOf(names) : unknown,
  );
  stage.tell([priceRow({ symbol: '币7', price: 0.5 })]);
  t.equal(await stage.begin().run(key), null);
  t.ok((await stage.series(closesName))?.columns.symbol?.includes('币7'));
});
