/** What each recorded series takes from the market, and how what an upstream keeps of it is asked for. */

import t from 'tap';
import type { Ask, Series } from '../../../../actors/history/define.ts';
import { allSeries } from '../../../../actors/history/series/index.ts';
import { type Backfilled, MarketState } from '../../../../actors/state/market-state.ts';
import { NewestRows } from '../../../../actors/state/newest-rows.ts';
import {
  type DerivativeRow,
  type OpenInterestRow,
  type PriceRow,
  topics,
} from '../../../../actors/topics/index.ts';
import { optionRow } from '../../../indicators/options/rows.ts';
import {
  derivativeRow,
  instrument,
  interestRow,
  priceRow,
  reading as readingOf,
} from '../../../support/makers.ts';

/** A full hour. */
const now = 1_800_000_000_000;

const reading = <Row>(source: string, part: string, rows: Row[], received = now) =>
  readingOf(rows, { source, part, received });
const price = (market: string, price: number, more: Partial<PriceRow> = {}) =>
  priceRow({ market, kind: 'perpetual', price, ...more });
const interest = (market: string, more: Partial<OpenInterestRow> = {}) =>
  interestRow({ market, units: 2, value: 200, ...more });
const inverse = instrument({
  market: 'BTCUSD_PERP',
  quote: 'USD',
  inverse: true,
  funding_hours: 8,
});

/** Binance with two linear perpetuals and an inverse one of BTC, of which one has no turnover; OKX with one. */
function marketOf(able: Partial<Record<Backfilled, string[]>> = {}, newest = new NewestRows()) {
  const market = new MarketState(newest, (query) => able[query] ?? []);
  const spot = { kind: 'spot', volume: 200 } as const;
  newest.accept('instruments', reading('binance', 'inverse', [inverse]));
  newest.accept(
    'prices',
    reading('binance', 'all', [
      price('BTCUSDT', 100),
      price('BTCUSDC', 104, { quote: 'USDC', volume: 3_000 }),
      price('BTCUSD_PERP', 90, { quote: 'USD', volume: null }),
      price('BTCEUR', 70, { quote: 'EUR', volume: 9e9 }),
      price('BTCUSDT', 101, spot),
      price('ETHUSDT', 10, { symbol: 'ETH', volume: 4_000 }),
    ]),
  );
  newest.accept('prices', reading('okx', 'swap', [price('BTC-USDT-SWAP', 102, { volume: 500 })]));
  return market;
}

const found = (name: string): Series => {
  const series = allSeries.find((one) => one.name === name);
  if (!series) throw new Error(`no series ${name}`);
  return series;
};
const sampled = (name: string, market: MarketState, at = now, step = 300_000) =>
  Object.fromEntries(
    [...(found(name).sample?.(market, at, step) ?? [])].map(({ key, values }) => [key, values]),
  );

t.test('prices: the mean of the exchanges and the turnover of all, by kind', async (t) => {
  t.strictSame(sampled('price', marketOf()), {
    'spot/BTC': { price: 101, turnover: 200 },
    'perpetual/BTC': { price: 103, turnover: 4_500 },
    'perpetual/ETH': { price: 10, turnover: 4_000 },
  });
  t.strictSame(sampled('price', marketOf(), now + topics.prices.maxAge + 1), {});
});

t.test(
  'turnover: of all dollar markets of an exchange by kind, none where nothing is stated',
  async (t) => {
    const newest = new NewestRows();
    const market = marketOf({}, newest);
    const idle = price('AUSDT', 1, { kind: 'spot', symbol: 'A', volume: null });
    newest.accept('prices', reading('gate', 'spot', [idle]));
    // 1,000 of BTCUSDT, 3,000 of BTCUSDC and 4,000 of ETHUSDT; euros are left out.
    t.strictSame(sampled('exchange-turnover', market), {
      'binance/spot': { usd: 200 },
      'binance/perpetual': { usd: 8_000 },
      'okx/perpetual': { usd: 500 },
    });
    t.strictSame(sampled('exchange-turnover', market, now + topics.prices.maxAge + 1), {});
    const small = price('BTCUSD', 100, { quote: 'USD', volume: 7 });
    newest.accept('prices', reading('binance', 'inverse', [small], now + 1));
    t.strictSame(
      sampled('exchange-turnover', market, now + topics.prices.maxAge + 1),
      {},
      'one part alone is not the sum',
    );
  },
);

t.test('running funding: what is stated for the next settlement, of tracked assets', async (t) => {
  const newest = new NewestRows();
  const market = marketOf({}, newest);
  const row = (name: string, more: Partial<DerivativeRow>) =>
    derivativeRow({ market: name, funding_rate: 0.1, funding_hours: 8, ...more });
  const rows = [
    row('BTCUSDT', { funding_rate: 0.1 }),
    row('BTCUSDC', { funding_rate: 0.3, funding_hours: 4, quote: 'USDC' }),
    row('BTCUSD_PERP', { funding_rate: 0.2, quote: 'USD' }),
    row('OVER', { symbol: 'ETH', next_funding: now }),
    row('SMALLUSDT', { symbol: 'SMALL' }),
  ];
  // Others are traded more than SMALL: it is not among the thirty.
  const many = Array.from({ length: 40 }, (_, at) =>
    price(`C${at}USDT`, 1, { symbol: `C${at}`, volume: 1e6 + at }),
  );
  newest.accept('prices', reading('gate', 'usdt', many));
  newest.accept('derivatives', reading('binance', 'all', rows));
  t.strictSame(sampled('running-funding', market), {
    'binance/stable/BTC': { rate: 0.3, hours: 4 },
    'binance/coin/BTC': { rate: 0.2, hours: 8 },
  });
  t.strictSame(sampled('running-funding', market, now + topics.derivatives.maxAge + 1), {});
});

t.test('open interest: by settlement, its markets added up', async (t) => {
  const newest = new NewestRows();
  const market = marketOf({}, newest);
  const coin = interest('BTCUSD_PERP', { quote: 'USD', units: 7, value: 700 });
  const rows = [interest('BTCUSDT'), interest('BTCUSDC', { quote: 'USDC', units: 1, value: 104 })];
  newest.accept('openInterest', reading('binance', 'linear', rows));
  newest.accept('openInterest', reading('binance', 'inverse', [coin]));
  t.strictSame(sampled('open-interest', market), {
    'binance/stable/BTC': { base: 3, usd: 304 },
    'binance/coin/BTC': { base: 7, usd: 700 },
  });
  t.strictSame(sampled('open-interest', market, now + topics.openInterest.maxAge + 1), {});
  const others = [interest('XYZUSDT', { symbol: 'XYZ' }), ...rows];
  newest.accept('openInterest', reading('binance', 'linear', others));
  const keysOf = (step: number) => Object.keys(sampled('open-interest', market, now, step));
  t.ok(keysOf(300_000).includes('binance/stable/XYZ'));
  t.strictSame(keysOf(60_000), keysOf(300_000).slice(1), 'each minute of tracked assets');
  const old = { ...interest('BTCUSDT'), received: now - topics.openInterest.maxAge - 1 };
  newest.accept('openInterest', reading('binance', 'linear', [old, ...rows.slice(1)]));
  t.strictSame(
    sampled('open-interest', market),
    { 'binance/coin/BTC': { base: 7, usd: 700 } },
    'no sum lacks a market that is too old',
  );
});

t.test('open interest of options: of those that have not expired, of young lists', async (t) => {
  const newest = new NewestRows();
  const market = marketOf({}, newest);
  const { maxAge } = topics.options;
  const at = { underlying: 100 };
  const rows = [
    optionRow({ ...at, expiry: now + maxAge + 1, open_interest: 3 }),
    optionRow({ ...at, expiry: now + maxAge + 1, open_interest: 2, type: 'put' }),
    optionRow({ ...at, expiry: now + maxAge, open_interest: 50 }),
    optionRow({ symbol: 'ETH', expiry: now + maxAge + 1, open_interest: 1, underlying: 10 }),
  ];
  newest.accept('options', reading('deribit', 'BTC', rows));
  t.strictSame(sampled('options-open-interest', market, now + maxAge), {
    'deribit/BTC': { base: 5, usd: 500, calls: 3, puts: 2 },
    'deribit/ETH': { base: 1, usd: 10, calls: 1, puts: 0 },
  });
  t.strictSame(sampled('options-open-interest', market, now + maxAge + 1), {});
  // Bitcoin is in a second list, which is older.
  const dollars = [optionRow({ ...at, expiry: now + maxAge + 1, settle: 'USDC' })];
  newest.accept('options', reading('deribit', 'USDC', dollars, now - 1));
  t.strictSame(Object.keys(sampled('options-open-interest', market, now + maxAge)), [
    'deribit/ETH',
  ]);
});

t.test('order books: of each exchange and of all, the young ones', async (t) => {
  const newest = new NewestRows();
  const market = marketOf({}, newest);
  const { maxAge } = topics.orderBooks;
  const book = { market: 'M', symbol: 'BTC', mid: 100, bands: [], bids: [5], asks: [], reach: 1 };
  const rows = ['BTC', 'ETH'].map((symbol, at) => ({ ...book, symbol, received: now - at }));
  newest.accept('orderBooks', reading('binance', 'spot', rows));
  const levels = sampled('order-book-levels', market, now + maxAge);
  t.strictSame(Object.keys(levels), ['binance/spot/BTC', 'aggregated/spot/BTC']);
  t.match(levels['binance/spot/BTC'], { mid: 100, bid_0: 5, ask_0: null, bid_49: null });
  t.match(levels['aggregated/spot/BTC'], { mid: 100, bid_0: 5, ask_0: 0, bid_49: 0 });
  const bands = sampled('order-book', market, now + maxAge);
  t.match(Object.values(bands), [
    { bids_usd_25: null, exchanges: 1 },
    { mid: 100, asks_base_500: 0, exchanges: 1 },
  ]);
  newest.accept('orderBooks', reading('okx', 'spot', rows));
  const both = sampled('order-book', market, now + maxAge);
  t.match(both['aggregated/spot/BTC'], { exchanges: 2 });
});

t.test('liquidity: by distance and size, of the exchanges that state it', async (t) => {
  const newest = new NewestRows();
  const market = marketOf({}, newest);
  const book = { market: 'M', mid: 100, bands: [], bids: [], asks: [], reach: 1, received: now };
  const liquidity = {
    mid_price: 100,
    spread_percent: 0.02,
    depth: [11, 12, 13, 14, null].map((bid_usd, i) => ({ bid_usd, ask_usd: 21 + i })),
    slippage: [1_000, 10_000, 100_000, 1_000_000].map((usd, i) => ({
      usd,
      buy: i === 3 ? null : 0.001 * i,
      sell: 0.005 * i,
    })),
  };
  const rows = [
    { ...book, symbol: 'BTC', liquidity },
    { ...book, symbol: 'ETH' },
  ];
  newest.accept('orderBooks', reading('binance', 'spot', rows));
  t.strictSame(sampled('liquidity', market, now), {
    'binance/spot/BTC': {
      spread: 0.02,
      ...{ bid_10: 11, bid_50: 12, bid_100: 13, bid_200: 14, bid_500: null },
      ...{ ask_10: 21, ask_50: 22, ask_100: 23, ask_200: 24, ask_500: 25 },
      ...{ buy_1000: 0, buy_10000: 0.001, buy_100000: 0.002, buy_1000000: null },
      ...{ sell_1000: 0, sell_10000: 0.005, sell_100000: 0.01, sell_1000000: 0.015 },
    },
  });
});

const everywhere = ['binance', 'okx'];
const able = {
  openInterestHistory: everywhere,
  fundingHistory: everywhere,
  takerCandles: everywhere,
  candles: everywhere,
  longShort: everywhere,
};
/** The questions about a key, a line each. */
const asksOf = (name: string, key: string, market = marketOf(able)) =>
  (found(name).backfill?.asks(key, market) ?? []).map((group) =>
    group.map((ask: Ask) => `${ask.source} ${ask.name} ${ask.step}: ${JSON.stringify(ask.params)}`),
  );

t.test('asked for: of the most traded market, as many rows as an answer has', async (t) => {
  const ask = (source: string, name: string, step: string, params: object) => [
    `${source} ${name} ${step}: ${JSON.stringify(params)}`,
  ];
  const kind = 'perpetual';
  const interests = (step: string) =>
    ['BTCUSDC', 'BTCUSDT'].flatMap((market) =>
      ask('binance', 'openInterestHistory', step, { market, kind, interval: step, limit: 500 }),
    );
  const takers = (source: string, about: object) =>
    ['1m', '5m'].map((interval) =>
      ask(source, 'takerCandles', interval, { ...about, interval, limit: 499 }),
    );
  const leading = { market: 'BTCUSDC', kind };
  t.strictSame(
    [
      asksOf('open-interest', 'binance/stable/BTC'),
      asksOf('open-interest', 'binance/coin/BTC')[1],
      asksOf('funding', 'binance/stable/BTC'),
      asksOf('funding', 'binance/coin/BTC'),
      asksOf('account-ratio', 'binance/BTC'),
      asksOf('taker-flow', 'binance/spot/BTC'),
      asksOf('taker-flow', 'okx/perpetual/BTC'),
      asksOf('price', 'perpetual/BTC'),
      asksOf('price', 'spot/BTC')[0],
    ],
    [
      [interests('5m'), interests('1h')],
      ask('binance', 'openInterestHistory', '1h', {
        market: 'BTCUSD_PERP',
        kind,
        interval: '1h',
        limit: 500,
      }),
      [ask('binance', 'fundingHistory', '1h', { ...leading, limit: 500 })],
      [ask('binance', 'fundingHistory', '1h', { market: 'BTCUSD_PERP', kind, limit: 500 })],
      [
        ask('binance', 'longShort', '5m', {
          ...leading,
          of: 'accounts',
          interval: '5m',
          limit: 500,
        }),
      ],
      takers('binance', { market: 'BTCUSDT', kind: 'spot' }),
      takers('okx', { market: 'BTC-USDT-SWAP', kind }),
      [
        ask('binance', 'candles', '1m', { ...leading, interval: '1m', limit: 1_000 }),
        ask('binance', 'candles', '1h', { ...leading, interval: '1h', limit: 500 }),
      ],
      ask('binance', 'candles', '1m', {
        market: 'BTCUSDT',
        kind: 'spot',
        interval: '1m',
        limit: 1_000,
      }),
    ],
  );
});

t.test('nothing is asked of who does not answer, nor about other assets', async (t) => {
  const keys = {
    'open-interest': 'binance/stable/BTC',
    funding: 'binance/stable/BTC',
    'account-ratio': 'binance/BTC',
    'taker-flow': 'binance/spot/BTC',
    price: 'spot/BTC',
  };
  for (const [name, key] of Object.entries(keys)) {
    t.strictSame(asksOf(name, key, marketOf()), [], name);
    const none = asksOf(name, key.replace('BTC', 'NONE')).flat();
    t.strictSame(none, [], `${name} without a market`);
  }
});

t.test('the keys that are back-filled, of the tracked assets', async (t) => {
  const keysOf = (name: string) => {
    const keys = found(name).backfill?.keys(marketOf(able), now) ?? [];
    return [keys.length, keys.filter((key) => key.endsWith('/BTC'))];
  };
  t.strictSame(['price', 'taker-flow', 'account-ratio', 'open-interest', 'funding'].map(keysOf), [
    [12, ['spot/BTC', 'perpetual/BTC']],
    [24, everywhere.flatMap((id) => [`${id}/spot/BTC`, `${id}/perpetual/BTC`])],
    [6, ['binance/BTC']],
    [24, everywhere.flatMap((id) => [`${id}/stable/BTC`, `${id}/coin/BTC`])],
    [24, everywhere.flatMap((id) => [`${id}/stable/BTC`, `${id}/coin/BTC`])],
  ]);
});

t.test('the rows of an answer', async (t) => {
  const rowsOf = (name: string, key: string, reply: object) => {
    const [[ask] = []] = found(name).backfill?.asks(key, marketOf(able)) ?? [];
    return ask?.rows(reply as never);
  };
  const row = (values: object, time = now) => [{ time, values }];
  const candle = { timestamp: now, close: 5, closed: true };
  /** The first whole step of five minutes: sums of longer steps must not begin within one. */
  const five = Math.ceil(now / 300_000) * 300_000;
  t.strictSame(
    [
      rowsOf('open-interest', 'binance/stable/BTC', {
        points: [{ timestamp: now, base: 1, usd: 2 }],
      }),
      rowsOf('funding', 'binance/stable/BTC', {
        points: [
          // What an earlier answer said of it stays.
          { timestamp: now - 14_400_000, rate: 0.2, hours: null },
          { timestamp: now + 9, rate: 0.1, hours: 4 },
        ],
      }),
      rowsOf('account-ratio', 'binance/BTC', { points: [{ timestamp: now, long: 3, short: 4 }] }),
      rowsOf('taker-flow', 'binance/spot/BTC', {
        points: [
          { timestamp: five - 60_000, buy_usd: 1, sell_usd: 1 },
          { timestamp: five, buy_usd: 5, sell_usd: 6 },
          { timestamp: five, buy_usd: 3, sell_usd: 2, closed: false },
        ],
      }),
      rowsOf('price', 'spot/BTC', { candles: [candle, { ...candle, closed: false }] }),
    ],
    [
      row({ base: 1, usd: 2 }),
      row({ rate: 0.1, hours: 4 }),
      row({ long: 3, short: 4 }),
      row({ buy_usd: 5, sell_usd: 6, minutes: 1 }, five),
      row({ price: 5, turnover: null }),
    ],
  );
});
