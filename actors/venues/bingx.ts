/** BingX: spot, linear and inverse perpetuals. https://bingx-api.github.io/docs-v3 */
import { isRecord, optionalNonZero, positive, required, text } from '../read.ts';
import { type Failure, type FailureCode, intervals } from '../topics.ts';
import type { Budget, UpstreamRequest } from '../upstream/request.ts';
import {
  derivatives,
  get,
  instruments,
  openInterest,
  type PartName,
  paths,
  prices,
} from './bingx-feeds.ts';
import { bars, field, levels, ohlc, sizeOf, type WireRow } from './rows.ts';
import { defineVenue, type MarketAsk } from './venue.ts';

const faults: ReadonlyMap<number, FailureCode> = new Map([
  [100410, 'rate_limited'],
  [100403, 'blocked'],
  [100419, 'blocked'],
  [100500, 'unavailable'],
  [100503, 'unavailable'],
  [109415, 'unknown_instrument'],
  [109425, 'unknown_instrument'],
]);

/** Refusals come with any status, 200 included, and with a `code` other than 0, a number or text. */
function fault(status: number, body: unknown): Failure | null {
  if (!isRecord(body)) return null;
  const code = required(body.code);
  if (!(code !== 0 && code === Math.floor(code))) return null;
  return { code: faultCode(status, code, text(body.msg)), message: `BingX error ${code}`, status };
}

function faultCode(status: number, code: number, message: string): FailureCode {
  const known = faults.get(code);
  if (known) return known;
  // Invalid parameters: the message names the one.
  if ([80014, 100400, 109400].includes(code) && /symbol/i.test(message))
    return 'unknown_instrument';
  if (status === 429) return 'rate_limited';
  if (status === 403) return 'blocked';
  return status >= 500 ? 'unavailable' : 'refused';
}

/** One request a second for each endpoint: more is answered with 100410, and with bans that grow. */
const slow: Budget = { weight: 1, per: 1000 };
const endpoints = Object.values(paths).flatMap((part) => Object.values(part));

const partNamed = (part: string): PartName =>
  part === 'linear' || part === 'inverse' ? part : 'spot';

/** The words of the intervals are ours. */
const lengths: Readonly<Record<string, number>> = intervals;

type CandleAsk = MarketAsk & { interval: string; limit: number; before?: number; now?: number };

const candleRequest = ({ market, part, interval, limit, before, now }: CandleAsk) => {
  const path = paths[partNamed(part)].candles;
  const start = (before ?? 0) - limit * (lengths[interval] ?? 0);
  const range: UpstreamRequest['query'] =
    before === undefined ? {} : { startTime: start, endTime: before - 1 };
  return get(path, { symbol: market, interval, limit, ...range }, now);
};

/** `[ms, open, high, low, close, base, ms, quote]`. */
const spotBar = (row: WireRow) => ohlc(row, required(row[5]), required(row[7]));

/** An object, or a list as on spot whose later columns are not known for sure. */
const perpetualBar = (row: WireRow) =>
  Array.isArray(row)
    ? ohlc(row, required(row[5]), null)
    : {
        timestamp: required(row.time),
        open: positive(row.open),
        high: positive(row.high),
        low: positive(row.low),
        close: positive(row.close),
        volume: required(row.volume),
        turnover: null,
      };

/** Contracts: what they are in base follows from the mean of the four prices, as no other is stated. */
const inverseBar = (contract: number) => (row: WireRow) => {
  const bar = perpetualBar(row);
  const turnover = bar.volume * contract;
  const volume = (4 * turnover) / (bar.open + bar.high + bar.low + bar.close);
  return { ...bar, volume, turnover };
};

export const bingx = defineVenue({
  id: 'bingx',
  name: 'BingX',
  kinds: ['spot', 'perpetual'],
  example: 'BTC-USDT',
  apis: {
    rest: {
      // The second is for failures of the network only.
      hosts: ['https://open-api.bingx.com', 'https://open-api.bingx.pro'],
      budgets: {
        default: slow,
        ...Object.fromEntries(endpoints.map((path) => [path, slow])),
      },
      fault,
    },
  },
  // One id, such as BTC-USDT, can be spot and linear.
  parts: ['spot', 'linear', 'inverse'],
  partOf: (market) => (market.endsWith('-USD') ? 'inverse' : 'spot'),
  feeds: {
    instruments: {
      every: 3_600_000,
      parts: {
        spot: instruments('spot'),
        linear: instruments('linear'),
        inverse: instruments('inverse'),
      },
    },
    prices: {
      every: 30_000,
      parts: { spot: prices('spot'), linear: prices('linear'), inverse: prices('inverse') },
    },
    derivatives: {
      every: 30_000,
      parts: { linear: derivatives('linear'), inverse: derivatives('inverse') },
    },
    openInterest: {
      every: 30_000,
      parts: { linear: openInterest('linear'), inverse: openInterest('inverse') },
    },
  },
  queries: {
    orderBook: {
      cap: 50,
      request({ market, part, depth, now }: MarketAsk & { depth: number; now?: number }) {
        const limit = [5, 10, 20].find((legal) => legal >= depth) ?? 50;
        return get(paths[partNamed(part)].book, { symbol: market, limit }, now);
      },
      parse(body, ask) {
        const size = sizeOf(ask, ask.part === 'inverse');
        const book = field(body, 'data');
        // Linear books count lots in `bids` and coins in `bidsCoin`, where they have it.
        const coins = ask.part === 'linear' && Array.isArray(field(book, 'bidsCoin'));
        const time = field(book, 'T') ?? field(book, 'ts') ?? field(body, 'timestamp');
        return {
          bids: levels(field(book, coins ? 'bidsCoin' : 'bids'), size),
          asks: levels(field(book, coins ? 'asksCoin' : 'asks'), size),
          stated: optionalNonZero(time),
        };
      },
    },
    candles: {
      // 6h, 12h and longer open at 16:00 UTC where no time zone can be asked for: they are built from these.
      intervals: {
        '1m': '1m',
        '3m': '3m',
        '5m': '5m',
        '15m': '15m',
        '30m': '30m',
        '1h': '1h',
        '2h': '2h',
        '4h': '4h',
        '8h': '8h',
      },
      page: 1000,
      request: candleRequest,
      parse(body, ask) {
        const { scale, contract } = sizeOf(ask, ask.part === 'inverse');
        const rows = field(body, 'data');
        if (ask.part === 'spot') return bars(rows, scale, spotBar);
        return bars(rows, scale, ask.part === 'linear' ? perpetualBar : inverseBar(contract));
      },
    },
  },
});
