/** HTX: spot, USDT-margined (linear) and coin-margined (inverse) swaps. https://www.htx.com/en-us/opend */
import { isRecord, optionalNonZero, text } from '../read.ts';
import type { Failure, FailureCode, Instrument, PriceRow } from '../topics.ts';
import type { Budget, UpstreamRequest } from '../upstream/request.ts';
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
} from './htx-rows.ts';
import { bars, bulk, field, levels, marketRows, sizeOf } from './rows.ts';
import { defineVenue, type MarketAsk, type Part } from './venue.ts';

const faults: ReadonlyMap<string, FailureCode> = new Map([
  ['1013', 'unknown_instrument'],
  ['base-symbol-error', 'unknown_instrument'],
  ['base-symbol-trade-disabled', 'unknown_instrument'],
  ['invalid symbol', 'unknown_instrument'],
  ['symbol trade not open now', 'unknown_instrument'],
  ['1032', 'rate_limited'],
  ['base-request-exceed-frequency-limit', 'rate_limited'],
  ['rate-too-many-requests', 'rate_limited'],
  ['request limit', 'rate_limited'],
  ['1000', 'unavailable'],
  ['1001', 'unavailable'],
  ['1030', 'unavailable'],
  ['timeout', 'unavailable'],
  ['gateway-internal-error', 'unavailable'],
  ['system-maintenance', 'unavailable'],
]);

/** A code that HTX writes as text or as a number. */
const word = (value: unknown) => (typeof value === 'number' ? `${value}` : text(value));

/**
 * Refusals come inside a 200: `status` is "error" with `err-code` (spot) or `err_code` (contracts), or, on v5, `code`
 * is not 200. One code stands for many reasons, which the message tells apart.
 */
function fault(status: number, body: unknown): Failure | null {
  if (!isRecord(body)) return null;
  const old = body.status === 'error';
  const code = old ? word(body['err-code'] ?? body.err_code) : word(body.code);
  if (!old && (code === '' || code === '200')) return null;
  const reason = text(old ? (body['err-msg'] ?? body.err_msg) : body.message);
  return { code: faultCode(status, code, reason), message: `HTX error ${code}`, status };
}

function faultCode(status: number, code: string, reason: string): FailureCode {
  const known = faults.get(code) ?? faults.get(reason);
  if (known) return known;
  if (status === 429) return 'rate_limited';
  if (status === 403) return 'blocked';
  return status >= 500 ? 'unavailable' : 'refused';
}

type Query = NonNullable<UpstreamRequest['query']>;

const spot = (path: string, budget: string, query: Query = {}): UpstreamRequest => ({
  api: 'spot',
  path,
  budget,
  query,
});
const contracts = (path: string, query: Query = {}): UpstreamRequest => ({
  api: 'contracts',
  path,
  query,
});
/** What only v5 tells, of one linear contract. */
const v5 = (market: string, what: string): UpstreamRequest => ({
  ...contracts(`/v5/market/${what}`, { contract_code: market }),
  budget: 'v5',
  market,
});
/** The newest mark price candle of one contract; mark prices exist in no other form. */
const mark = (market: string, name: string): UpstreamRequest => ({
  ...contracts(`/index/market/history/${name}`, { contract_code: market, period: '1min', size: 1 }),
  budget: 'marks',
  market,
});

const linearInstruments: Part<Instrument> = {
  requests: () => [contracts('/linear-swap-api/v1/swap_contract_info', { business_type: 'swap' })],
  parse: ([body]) => contractInstruments(body, false),
};

const contractPrices = (path: string, query: Query): Part<PriceRow> => ({
  requests: () => [contracts(path, query)],
  parse: ([body], { instruments }) =>
    marketRows(bulk(field(body, 'ticks'), 'ticks'), instruments, contractTickers),
  needsInstruments: true,
});

/** Where contracts have their market data. */
const folders: Readonly<Record<string, string>> = {
  linear: '/linear-swap-ex',
  inverse: '/swap-ex',
};

/** 5, 10 and 20 are legal on spot, and none gives 150; contracts have 20 levels (`step6`) or 150 (`step0`). */
function bookRequest({ part, market, depth }: MarketAsk & { depth: number }): UpstreamRequest {
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

type Span = MarketAsk & { interval: string; limit: number; before?: number };

function candleRequest({ part, market, interval: period, limit, before }: Span): UpstreamRequest {
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

const perSecond = (weight: number): Budget => ({ weight, per: 1000 });

export const htx = defineVenue({
  id: 'htx',
  name: 'HTX',
  kinds: ['spot', 'perpetual'],
  example: 'btcusdt',
  apis: {
    spot: {
      hosts: ['https://api.huobi.pro', 'https://api-aws.huobi.pro'],
      budgets: { default: perSecond(10), depth: perSecond(10), candles: perSecond(10) },
      fault,
    },
    contracts: {
      hosts: ['https://api.hbdm.com', 'https://api.hbdm.vn'],
      // v5 allows 80, reference paths are said to allow 80 to 240, market paths 800: the sum stays below all of them.
      budgets: { default: perSecond(12), v5: perSecond(16), marks: perSecond(12) },
      fault,
    },
  },
  parts: ['spot', 'linear', 'inverse'],
  partOf(market) {
    if (!market.includes('-')) return 'spot';
    return market.endsWith('-USD') ? 'inverse' : 'linear';
  },
  feeds: {
    instruments: {
      every: 3_600_000,
      parts: {
        spot: {
          requests: () => [spot('/v1/common/symbols', 'default')],
          parse: ([body]) => spotInstruments(body),
        },
        linear: linearInstruments,
        inverse: {
          requests: () => [contracts('/swap-api/v1/swap_contract_info')],
          parse: ([body]) => contractInstruments(body, true),
        },
      },
    },
    prices: {
      every: 30_000,
      parts: {
        spot: {
          requests: () => [spot('/market/tickers', 'default')],
          parse: ([body], { instruments }) =>
            marketRows(bulk(field(body, 'data'), 'data'), instruments, spotTickers(statedIn(body))),
          needsInstruments: true,
        },
        linear: contractPrices('/v2/linear-swap-ex/market/detail/batch_merged', {
          business_type: 'swap',
        }),
        inverse: contractPrices('/v2/swap-ex/market/detail/batch_merged', {}),
      },
    },
    derivatives: {
      every: 30_000,
      parts: {
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
      },
    },
    openInterest: {
      every: 30_000,
      parts: {
        linear: {
          rotates: true,
          requests: ({ markets }) => markets.map((market) => v5(market, 'open_interest')),
          parse: (bodies, { instruments }) => linearOpenInterest(bodies, instruments),
        },
        inverse: {
          requests: () => [contracts('/swap-api/v1/swap_open_interest')],
          parse: ([body], { instruments }) => inverseOpenInterest(body, instruments),
          needsInstruments: true,
        },
      },
    },
  },
  queries: {
    orderBook: {
      cap: 50,
      request: bookRequest,
      parse(body, ask) {
        const size = sizeOf(ask, ask.part !== 'spot');
        const tick = field(body, 'tick');
        return {
          bids: levels(field(tick, 'bids'), size),
          asks: levels(field(tick, 'asks'), size),
          stated: optionalNonZero(field(tick, 'ts')),
        };
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
