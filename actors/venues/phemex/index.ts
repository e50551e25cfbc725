/** Phemex: spot, linear (USDT, USDC) and inverse perpetuals. https://phemex-docs.github.io */

import { bulk, field, isRecord, list, required, text, type WireRow } from '../../read.ts';
import { type Apis, type MarketPoll, type RequestOf, readRows } from '../../sources/define.ts';
import type { CandleAsk } from '../../sources/queries/forms.ts';
import { byPart, defineVenue, everyTenMinutes, pollsByTopic } from '../../sources/venue.ts';
import type { Faults } from '../../upstream/faults.ts';
import type { Query } from '../../upstream/request.ts';
import { codesOf, getter } from '../apis.ts';
import { book, byPartOf } from '../levels-and-bars.ts';
import { recentTrades } from '../trades.ts';
import { secondWords } from '../words.ts';
import {
  candlesOf,
  inverse,
  isOf,
  linear,
  type PartName,
  readProduct,
  spot,
  usualScale,
} from './markets.ts';
import { live } from './streams.ts';
import { trades } from './trades.ts';

/** `{code, msg, data}`, or `{error: {code, message}}` of `/md`. */
const faults: Faults = {
  name: 'Phemex',
  at: ['error.code', 'code'],
  ok: [0],
  // "invalid argument" of `/md`, and bad arguments for candles: only the symbol is a client's.
  codes: codesOf(['unknown_instrument', 6001, 30000, 11027, 11070]),
};

const apis = {
  rest: {
    hosts: ['https://api.phemex.com'],
    budgets: {
      default: { weight: 5000, per: 300_000 },
      // A group of its own, in which a question for candles costs 10.
      candles: { weight: 100, per: 60_000 },
    },
    faults,
  },
} as const satisfies Apis;

type Ask = RequestOf<typeof apis>;

const get = getter<Ask>('rest');

/** Decimals of each currency's amounts; those that the list does not hold have the usual. */
function scalesOf(currencies: unknown): (currency: string) => number {
  const rows = list(currencies, 'currencies').filter(isRecord);
  const known = new Map(rows.map((row) => [text(row.currency), required(row.valueScale)]));
  return (currency) => known.get(currency) ?? usualScale;
}

/** By hand: integer prices scale an instrument besides the prefix of its base. */
const instruments = (part: PartName): MarketPoll<'instruments', Ask> => ({
  requests: () => [get('/public/products')],
  parse([body]) {
    const data = field(body, 'data');
    const scaleOf = scalesOf(field(data, 'currencies'));
    const products = list(field(data, part === 'linear' ? 'perpProductsV2' : 'products'), part);
    const own = products.filter((row) => !isRecord(row) || isOf(part, row));
    const idOf = (row: WireRow) => text(row.symbol);
    const read = (row: WireRow) =>
      idOf(row) === '' ? null : readProduct(part, row, idOf(row), scaleOf);
    return { instruments: readRows(bulk(own, part), idOf, read) };
  },
});

const contracts = {
  linear: linear.poll(get('/md/v3/ticker/24hr/all')),
  inverse: inverse.poll(get('/v1/md/ticker/24hr/all')),
};

const bookAt = (key: string) =>
  book({ at: `result.${key}`, stated: 'result.timestamp', unit: 1e-6 });

/** Numbers of rows that the candles can be asked for. */
const counts = [5, 10, 50, 100, 500];
const countFor = (limit: number) => counts.find((legal) => legal >= limit) ?? 1000;

/** Older rows than the newest thousand exist for linear markets only; of the others all rows up to now are asked for. */
function candleRequest(ask: CandleAsk<PartName>): Ask {
  const { part, market, interval, limit, before, now = 0 } = ask;
  const path = '/exchange/public/md/v2/kline';
  const send = (suffix: string, range: Query) =>
    get(`${path}${suffix}`, { symbol: market, resolution: interval, ...range }, 'candles', 10);
  const newer = before === undefined ? 0 : Math.ceil((now - before) / 1000 / required(interval));
  if (part !== 'linear') return send('', { limit: countFor(newer + limit) });
  if (before === undefined) return send('/last', { limit: countFor(limit) });
  // Seconds, `to` exclusive, fewer than 1000 rows.
  const to = before / 1000;
  const from = Math.max(0, to - Math.min(limit, 999) * required(interval));
  return send('/list', { from, to });
}

export const phemex = defineVenue({
  id: 'phemex',
  name: 'Phemex',
  kinds: ['spot', 'perpetual'],
  example: 'BTCUSDT',
  apis,
  parts: ['spot', 'linear', 'inverse'],
  feeds: {
    instruments: everyTenMinutes(byPart(instruments, 'spot', 'linear', 'inverse')),
    ...pollsByTopic({ spot: spot.poll(get('/v1/md/spot/ticker/24hr/all')) }, contracts),
  },
  live,
  queries: {
    recentTrades: recentTrades<Ask>(
      byPart(
        (part) => ({
          ...trades,
          request: ({ market }: { market: string }) =>
            get(part === 'linear' ? '/md/v2/trade' : '/v1/md/trade', { symbol: market }),
        }),
        'spot',
        'linear',
        'inverse',
      ),
    ),
    orderBook: {
      // 30 levels, whatever is asked; the full book is another endpoint with thousands.
      cap: 20,
      most: 30,
      request: ({ part, market }) =>
        get(part === 'linear' ? '/md/v2/orderbook' : '/v1/md/orderbook', { symbol: market }),
      parse: byPartOf({ linear: bookAt('orderbook_p') }, bookAt('book')),
    },
    candles: {
      // As documented: no 3m, 2h, 6h, 8h, 12h, 3d. On which day a week opens is not, and a month has 30 days by its word: both are
      // built from days.
      intervals: secondWords('1m', '5m', '15m', '30m', '1h', '4h', '1d'),
      page: 1000,
      ranged: ['linear'],
      request: candleRequest,
      parse: byPartOf(candlesOf),
    },
  },
});
