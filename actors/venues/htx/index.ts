/** HTX: spot, USDT-margined (linear) and coin-margined (inverse) contracts. https://www.htx.com/en-us/opend */

import { ShapeError } from '../../failure.ts';
import { asRow, at, bulk, field, list, required } from '../../read.ts';
import type { MarketPoll } from '../../sources/define.ts';
import type { CandleAsk, OrderBookAsk } from '../../sources/queries/forms.ts';
import { defineVenue, everyHalfMinute, everyMinute, everyTenMinutes } from '../../sources/venue.ts';
import type { Query } from '../../upstream/request.ts';
import { mayFail } from '../apis.ts';
import { book, byPartOf, candles, spelled } from '../levels-and-bars.ts';
import { digitsIn, listing } from '../listings.ts';
import { recentTrades, takerWord } from '../trades.ts';
import { lengthsOf, unitWords } from '../words.ts';
import { histories } from './analytics.ts';
import { type Ask, apis, type Contracts, contracts, type PartName, spot } from './api.ts';
import { future, futures, isDated, linearFutures, wordsOf } from './futures.ts';
import {
  contract,
  inverseFundings,
  inverseInterests,
  linearFundings,
  linearInterests,
  pair,
  pairs,
  tickers,
} from './markets.ts';
import { books, liquidations, live } from './streams.ts';

const instruments = {
  spot: listing({
    venue: 'htx',
    requests: spot('/v1/common/symbols'),
    rows: 'data',
    id: 'symbol',
    read: pair,
    tick: digitsIn('price-precision'),
  }),
  linear: listing({
    venue: 'htx',
    requests: contracts('/linear-swap-api/v1/swap_contract_info', { business_type: 'all' }),
    rows: 'data',
    id: 'contract_code',
    read: (row, market) => contract(row, market, false),
    tick: 'price_tick',
  }),
  // Swaps are served without dated contracts where these fail.
  inverse: listing({
    venue: 'htx',
    requests: () => [
      contracts('/swap-api/v1/swap_contract_info'),
      mayFail(contracts('/api/v1/contract_contract_info')),
    ],
    rows([swaps, dated]) {
      const more = dated === undefined ? [] : list(at(dated, 'data'), 'dated contracts');
      return [...bulk(at(swaps, 'data'), 'data'), ...more];
    },
    id: 'contract_code',
    read: (row, market) => (isDated(market) ? future(row) : contract(row, market, true)),
    tick: 'price_tick',
  }),
};

const prices = {
  spot: pairs.poll(spot('/market/tickers')),
  linear: tickers.poll(
    contracts('/v2/linear-swap-ex/market/detail/batch_merged', { business_type: 'swap' }),
  ),
  inverse: tickers.poll(contracts('/v2/swap-ex/market/detail/batch_merged')),
};

/** A request to v5 about one linear contract. */
const v5 = (market: string, what: string): Ask => ({
  ...contracts(`/v5/market/${what}`, { contract_code: market }),
  market,
});
/** The newest mark price candle of one contract; mark prices exist in no other form. */
const mark = (market: string, name: string): Ask => ({
  ...contracts(`/index/market/history/${name}`, { contract_code: market, period: '1min', size: 1 }),
  budget: 'marks',
  market,
});

/** Every market is asked by itself: when no row is readable, the form is wrong. */
function some<T extends 'derivatives' | 'openInterest'>(
  topic: T,
  poll: MarketPoll<T, Ask>,
): MarketPoll<T, Ask> {
  return {
    ...poll,
    parse(bodies, context) {
      const found = poll.parse(bodies, context);
      if (found[topic].rows.length === 0) throw new ShapeError(`${topic}: none is readable`);
      return found;
    },
  };
}

const derivatives = {
  linear: some(
    'derivatives',
    linearFundings.poll(
      ({ markets }) => [
        mayFail(contracts('/linear-swap-api/v1/swap_index')),
        ...markets.flatMap((market) => [
          v5(market, 'funding_rate'),
          mark(market, 'linear_swap_mark_price_kline'),
        ]),
      ],
      { rotates: true, most: 90 },
    ),
  ),
  inverse: inverseFundings.poll(
    ({ markets }) => [
      contracts('/swap-api/v1/swap_batch_funding_rate'),
      mayFail(contracts('/swap-api/v1/swap_index')),
      // Funding rates are there without them.
      ...markets.map((market) => mayFail(mark(market, 'swap_mark_price_kline'))),
    ],
    { rotates: true, most: 40 },
  ),
};

const openInterest = {
  linear: some(
    'openInterest',
    linearInterests.poll(({ markets }) => markets.map((market) => v5(market, 'open_interest')), {
      rotates: true,
      most: 100,
    }),
  ),
  inverse: inverseInterests.poll(contracts('/swap-api/v1/swap_open_interest')),
};

/** One word of a coin may have no contract, and its mark is missing then. */
const dated = futures.poll(
  ({ markets }) => [
    contracts('/api/v1/contract_open_interest'),
    mayFail(contracts('/v2/market/detail/batch_merged')),
    mayFail(contracts('/api/v1/contract_index')),
    ...wordsOf(markets).map((symbol) => ({
      ...contracts('/index/market/history/mark_price_kline', { symbol, period: '1min', size: 1 }),
      budget: 'marks' as const,
      market: symbol,
    })),
  ],
  // Four for each coin.
  { rotates: true, most: 8 },
);

/** The index names every pair; a contract is left out without its mark alone. */
const linearDated = linearFutures.poll(
  ({ markets }) => [
    mayFail(contracts('/linear-swap-api/v1/swap_index')),
    ...markets.flatMap((market) => [
      mark(market, 'linear_swap_mark_price_kline'),
      { ...marketData('linear', market, 'detail/merged', {}), market },
      v5(market, 'open_interest'),
    ]),
  ],
  { rotates: true },
);

/** Where contracts have their market data. */
const folders = { linear: '/linear-swap-ex', inverse: '/swap-ex' } as const;

/** A request for market data of a contract; those of dated ones stand at the root and name it otherwise. */
const marketData = (part: Contracts, market: string, path: string, query: Query): Ask =>
  isDated(market)
    ? contracts(`/market/${path}`, { symbol: market, ...query })
    : contracts(`${folders[part]}/market/${path}`, { contract_code: market, ...query });

/** 5, 10 and 20 are legal on spot, and none gives 150; contracts have 20 levels (`step6`) or 150 (`step0`). */
function bookRequest({ part, market, depth }: OrderBookAsk<PartName>): Ask {
  if (part === 'spot') {
    const legal = [5, 10, 20].find((size) => size >= depth);
    const symbol = market.toLowerCase();
    const query = { symbol, type: 'step0' };
    return spot('/market/depth', legal ? { ...query, depth: legal } : query, 'depth');
  }
  const type = depth <= 20 ? 'step6' : 'step0';
  return marketData(part, market, 'depth', { type });
}

/** Days, weeks and months open at 16:00 UTC: they are built from these. */
const words = {
  ...unitWords({ m: 'min' })('1m', '5m', '15m', '30m'),
  '1h': '60min',
  '4h': '4hour',
};
const lengthOf = lengthsOf(words);

function candleRequest({
  part,
  market,
  interval: period,
  limit,
  before,
}: CandleAsk<PartName>): Ask {
  const end = (before ?? 0) / 1000;
  const range: Query = { from: end - (limit * lengthOf(period)) / 1000, to: end - 1 };
  if (part !== 'spot') {
    // With a size, `from` and `to` are ignored.
    const which: Query = before === undefined ? { size: limit } : range;
    return marketData(part, market, 'history/kline', { period, ...which });
  }
  const query = { symbol: market.toLowerCase(), period };
  if (before === undefined)
    return spot('/market/history/kline', { ...query, size: limit }, 'candles');
  // Only this path has a range, and at most 1000 rows.
  const older = { ...query, ...range, size: Math.min(limit, 1000) };
  return spot('/market/history/candles', older, 'candles');
}

/** `amount` is base, of both sides on contracts, and `vol` quote on spot. */
const candleForm = { rows: 'data', time: 'id', unit: 1000 };
const pairCandles = candles({
  ...candleForm,
  columns: { ...spelled, base: 'amount', quote: 'vol' },
});

/** `vol` counts contracts, `trade_turnover` is quote (linear only). Both sides are counted. */
const contractCandles = candles({
  ...candleForm,
  columns: {
    ...spelled,
    base: ({ amount }) => required(amount) / 2,
    quote: ({ vol, trade_turnover }, { inverse, contract: size }) =>
      (inverse ? required(vol) * size : required(trade_turnover)) / 2,
  },
});

/**
 * Of spot alone: whether the quantity of a contract's trade counts one side or both, as its candles do, is not documented. An
 * answer has the trades of each match by themselves.
 */
const trades = recentTrades<Ask>({
  spot: {
    most: 1000,
    request: ({ market, limit }) =>
      spot('/market/history/trade', { symbol: market.toLowerCase(), size: limit }, 'trades'),
    rows: (body) =>
      list(field(body, 'data'), 'trades').flatMap((row) => list(asRow(row).data, 'trades')),
    columns: {
      ...{ id: 'trade-id', at: 'ts', price: 'price', quantity: 'amount' },
      bought: takerWord('direction'),
    },
  },
});

export const htx = defineVenue({
  id: 'htx',
  name: 'HTX',
  kinds: ['spot', 'perpetual'],
  example: 'btcusdt',
  apis,
  parts: ['spot', 'linear', 'inverse'],
  feeds: {
    instruments: everyTenMinutes(instruments),
    prices: everyHalfMinute(prices),
    derivatives: everyHalfMinute(derivatives),
    openInterest: everyHalfMinute(openInterest),
    futures: everyMinute({ inverse: dated, linear: linearDated }),
  },
  events: { liquidations },
  live,
  books,
  queries: {
    ...histories,
    recentTrades: trades,
    orderBook: {
      cap: 50,
      most: 150,
      request: bookRequest,
      parse: book({ at: 'tick', stated: 'tick.ts' }),
    },
    candles: {
      intervals: words,
      page: 2000,
      ranged: ['spot', 'linear', 'inverse'],
      request: candleRequest,
      parse: byPartOf({ spot: pairCandles }, contractCandles),
    },
  },
});
