/** HTX: spot, USDT-margined (linear) and coin-margined (inverse) swaps. https://www.htx.com/en-us/opend */

import { bulk, field, time } from '../../read.ts';
import type { Apis, RequestOf } from '../../sources/define.ts';
import {
  type CandleAsk,
  defineVenue,
  everyHalfMinute,
  everyHour,
  type MarketPoll,
  type OrderBookAsk,
} from '../../sources/venue.ts';
import type { Instrument, PriceRow } from '../../topics/index.ts';
import type { Faults, FaultTable } from '../../upstream/faults.ts';
import type { Budget, Query } from '../../upstream/request.ts';
import { bars, bookOf, sizeOf } from '../levels-and-bars.ts';
import { listPoll, marketRows } from '../rows.ts';
import { histories } from './analytics.ts';
import { books } from './books.ts';
import { liquidations } from './liquidations.ts';
import { live } from './live.ts';
import {
  contractCandle,
  contractInstruments,
  contractTickers,
  inverseDerivatives,
  inverseOpenInterest,
  linearDerivatives,
  linearOpenInterest,
  spotCandle,
  spotInstruments,
  spotTickers,
  statedIn,
} from './rows.ts';

/**
 * Refusals come inside a 200: `status` is "error" with `err-code` (spot) or `err_code` (contracts), or, on v5, `code`
 * is not 200. One code stands for many reasons, which only the message distinguishes.
 */
const codes: FaultTable['codes'] = {
  1013: 'unknown_instrument',
  'base-symbol-error': 'unknown_instrument',
  'base-symbol-trade-disabled': 'unknown_instrument',
  1032: 'rate_limited',
  'base-request-exceed-frequency-limit': 'rate_limited',
  'rate-too-many-requests': 'rate_limited',
  1000: 'unavailable',
  1001: 'unavailable',
  1030: 'unavailable',
  timeout: 'unavailable',
  'gateway-internal-error': 'unavailable',
  'system-maintenance': 'unavailable',
};
const faults: Faults = [
  {
    name: 'HTX',
    at: ['err-code', 'err_code'],
    when: ({ status }) => status === 'error',
    codes,
    message: ['err-msg', 'err_msg'],
    patterns: [
      { text: /^(invalid symbol|symbol trade not open now)$/, means: 'unknown_instrument' },
      { text: /^request limit$/, means: 'rate_limited' },
    ],
  },
  { name: 'HTX', at: 'code', ok: [200], codes },
];

const perSecond = (weight: number): Budget => ({ weight, per: 1000 });

const apis = {
  spot: {
    hosts: ['https://api.huobi.pro', 'https://api-aws.huobi.pro'],
    budgets: { default: perSecond(10), depth: perSecond(10), candles: perSecond(10) },
    faults,
  },
  contracts: {
    hosts: ['https://api.hbdm.com', 'https://api.hbdm.vn'],
    // v5 allows 80, reference paths allow 80 to 240 by other sources, market paths 800: the sum stays below all of them.
    budgets: { default: perSecond(12), v5: perSecond(16), marks: perSecond(12) },
    faults,
  },
} as const satisfies Apis;

type PartName = 'spot' | 'linear' | 'inverse';
type Ask = RequestOf<typeof apis>;
type SpotAsk = RequestOf<typeof apis, 'spot'>;
type ContractsAsk = RequestOf<typeof apis, 'contracts'>;

const spot = (path: string, budget: SpotAsk['budget'], query: Query = {}): SpotAsk => ({
  api: 'spot',
  path,
  budget,
  query,
});
const contracts = (path: string, query: Query = {}): ContractsAsk => ({
  api: 'contracts',
  path,
  query,
});
/** A request to v5 about one linear contract. */
const v5 = (market: string, what: string): Ask => ({
  ...contracts(`/v5/market/${what}`, { contract_code: market }),
  budget: 'v5',
  market,
});
/** The newest mark price candle of one contract; mark prices exist in no other form. */
const mark = (market: string, name: string): Ask => ({
  ...contracts(`/index/market/history/${name}`, { contract_code: market, period: '1min', size: 1 }),
  budget: 'marks',
  market,
});

const linearInstruments: MarketPoll<Instrument, Ask> = {
  requests: () => [contracts('/linear-swap-api/v1/swap_contract_info', { business_type: 'swap' })],
  parse: ([body]) => contractInstruments(body, false),
};

const contractPrices = (path: string, query: Query): MarketPoll<PriceRow, Ask> =>
  listPoll(contracts(path, query), (body) => bulk(field(body, 'ticks'), 'ticks'), contractTickers);

/** Where contracts have their market data. */
const folders = {
  linear: '/linear-swap-ex',
  inverse: '/swap-ex',
} as const;

/** 5, 10 and 20 are legal on spot, and none gives 150; contracts have 20 levels (`step6`) or 150 (`step0`). */
function bookRequest({ part, market, depth }: OrderBookAsk<PartName>): Ask {
  if (part === 'spot') {
    const legal = [5, 10, 20].find((size) => size >= depth);
    const symbol = market.toLowerCase();
    const query = { symbol, type: 'step0' };
    return spot('/market/depth', 'depth', legal ? { ...query, depth: legal } : query);
  }
  const type = depth <= 20 ? 'step6' : 'step0';
  return contracts(`${folders[part]}/market/depth`, { contract_code: market, type });
}

const seconds: Readonly<Record<string, number>> = {
  '1min': 60,
  '5min': 300,
  '15min': 900,
  '30min': 1800,
  '60min': 3600,
  '4hour': 14_400,
};

function candleRequest({
  part,
  market,
  interval: period,
  limit,
  before,
}: CandleAsk<PartName>): Ask {
  const length = seconds[period] ?? 60;
  const end = (before ?? 0) / 1000;
  const range: Query = { from: end - limit * length, to: end - 1 };
  if (part !== 'spot') {
    const path = `${folders[part]}/market/history/kline`;
    // With a size, `from` and `to` are ignored.
    const which: Query = before === undefined ? { size: limit } : range;
    return contracts(path, { contract_code: market, period, ...which });
  }
  const query = { symbol: market.toLowerCase(), period };
  if (before === undefined)
    return spot('/market/history/kline', 'candles', { ...query, size: limit });
  // Only this path has a range, and at most 1000 rows.
  const older = { ...query, ...range, size: Math.min(limit, 1000) };
  return spot('/market/history/candles', 'candles', older);
}

export const htx = defineVenue({
  id: 'htx',
  name: 'HTX',
  kinds: ['spot', 'perpetual'],
  example: 'btcusdt',
  apis,
  parts: ['spot', 'linear', 'inverse'],
  partOf(market) {
    if (!market.includes('-')) return 'spot';
    return market.endsWith('-USD') ? 'inverse' : 'linear';
  },
  feeds: {
    instruments: everyHour({
      spot: {
        requests: () => [spot('/v1/common/symbols', 'default')],
        parse: ([body]) => spotInstruments(body),
      },
      linear: linearInstruments,
      inverse: {
        requests: () => [contracts('/swap-api/v1/swap_contract_info')],
        parse: ([body]) => contractInstruments(body, true),
      },
    }),
    prices: everyHalfMinute({
      spot: {
        requests: () => [spot('/market/tickers', 'default')],
        parse: ([body], { instruments }) =>
          marketRows(bulk(field(body, 'data'), 'data'), instruments, spotTickers(statedIn(body))),
      },
      linear: contractPrices('/v2/linear-swap-ex/market/detail/batch_merged', {
        business_type: 'swap',
      }),
      inverse: contractPrices('/v2/swap-ex/market/detail/batch_merged', {}),
    }),
    derivatives: everyHalfMinute({
      linear: {
        rotates: true,
        requests: ({ markets }) => [
          { ...contracts('/linear-swap-api/v1/swap_index'), optional: true },
          ...markets.flatMap((market) => [
            v5(market, 'funding_rate'),
            mark(market, 'linear_swap_mark_price_kline'),
          ]),
        ],
        parse: (bodies, { instruments }) => linearDerivatives(bodies, instruments),
      },
      inverse: {
        rotates: true,
        requests: ({ markets }) => [
          contracts('/swap-api/v1/swap_batch_funding_rate'),
          { ...contracts('/swap-api/v1/swap_index'), optional: true },
          // Funding rates are there without them.
          ...markets.map((market) => ({
            ...mark(market, 'swap_mark_price_kline'),
            optional: true as const,
          })),
        ],
        parse: (bodies, { instruments }) => inverseDerivatives(bodies, instruments),
      },
    }),
    openInterest: everyHalfMinute({
      linear: {
        rotates: true,
        requests: ({ markets }) => markets.map((market) => v5(market, 'open_interest')),
        parse: (bodies, { instruments }) => linearOpenInterest(bodies, instruments),
      },
      inverse: {
        requests: () => [contracts('/swap-api/v1/swap_open_interest')],
        parse: ([body], { instruments }) => inverseOpenInterest(body, instruments),
      },
    }),
  },
  events: { liquidations },
  live,
  books,
  queries: {
    ...histories(
      (path, query): ContractsAsk => ({
        ...contracts(path, query),
        budget: path.startsWith('/v5/') ? 'v5' : 'default',
      }),
    ),
    orderBook: {
      cap: 50,
      most: 150,
      request: bookRequest,
      parse(body, ask) {
        const size = sizeOf(ask, ask.part !== 'spot');
        const tick = field(body, 'tick');
        return bookOf(tick, size, time(field(tick, 'ts')));
      },
    },
    candles: {
      // Days, weeks and months open at 16:00 UTC: they are built from these.
      intervals: {
        '1m': '1min',
        '5m': '5min',
        '15m': '15min',
        '30m': '30min',
        '1h': '60min',
        '4h': '4hour',
      },
      page: 2000,
      request: candleRequest,
      parse(body, ask) {
        const { scale, inverse, contract } = sizeOf(ask, false);
        const read = ask.part === 'spot' ? spotCandle : contractCandle(inverse, contract);
        return bars(field(body, 'data'), scale, read);
      },
    },
  },
});
