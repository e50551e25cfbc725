/** How Lighter's rows are read, and the WebSocket channel with its mark and index prices. */
import { ShapeError } from '../../failure.ts';
import {
  bulk,
  field,
  isRecord,
  optional,
  positive,
  required,
  text,
  type WireRow,
} from '../../read.ts';
import type { LatestStream } from '../../sources/streams/stream.ts';
import type { DerivativeRow, Instrument, OpenInterestRow, PriceRow } from '../../topics/index.ts';
import { derivativeOf, marketRows, openInterestOf, priceOf, type Reader } from '../rows.ts';
import { neverTradedBy } from '../wire.ts';

const hour = 3_600_000;

/** `market_id` is a JSON number. */
export const idOf = (row: WireRow): string => {
  const id = required(row.market_id);
  return id >= 0 ? `${id}` : '';
};

/** `daily_quote_token_volume` is in quote, `daily_price_change` in percent. */
export const tickersAt = (stated: number | null): Reader<Instrument, PriceRow> => ({
  id: idOf,
  isUntraded: neverTradedBy('last_trade_price', 'daily_base_token_volume'),
  read: (row, market) =>
    priceOf(market, {
      last: positive(row.last_trade_price),
      volume: required(row.daily_quote_token_volume),
      change: required(row.daily_price_change),
      stated,
      high: positive(row.daily_price_high),
      low: positive(row.daily_price_low),
      base: required(row.daily_base_token_volume),
    }),
});

/**
 * `open_interest` is in base; Lighter does not document how it counts; one side is assumed. The
 * mark price is not to be had over HTTP, so that the last one values it.
 */
export const interests: Reader<Instrument, OpenInterestRow> = {
  id: idOf,
  read: (row, market) =>
    openInterestOf(market, {
      base: required(row.open_interest),
      value: required(null),
      mark: positive(row.last_trade_price),
      stated: null,
    }),
};

/**
 * `rate` is a fraction per 8 hours, an eighth of which is charged every full hour. Mark and index
 * are not there: they come over WebSocket.
 */
export const funding = (received: number): Reader<Instrument, DerivativeRow> => ({
  id: idOf,
  read: (row, market) =>
    derivativeOf(market, {
      mark: required(null),
      index: required(null),
      rate: required(row.rate),
      hours: 8,
      next: (Math.floor(received / hour) + 1) * hour,
      stated: null,
    }),
});

/**
 * Prices of one contract in quote. The rates beside them are per hour, in percent in one recorded
 * message and a fraction in another: they are left to `funding-rates`.
 */
const marks = (stated: number | null): Reader<Instrument, DerivativeRow> => ({
  id: idOf,
  read(row, market) {
    const mark = positive(row.mark_price);
    const unknown = { rate: required(null), hours: required(null), next: null };
    const index = positive(row.index_price);
    return mark > 0 ? derivativeOf(market, { mark, index, ...unknown, stated }) : null;
  },
});

export const typeOf = (message: unknown): string => (isRecord(message) ? text(message.type) : '');

/** Shared by all channels. Idle connections end after two minutes. */
export const connection = {
  url: 'wss://mainnet.zklighter.elliot.ai/stream',
  keepAlive: { every: 30_000, message: '{"type":"ping"}' },
  reply: (message: unknown) => (typeOf(message) === 'ping' ? '{"type":"pong"}' : null),
  silence: 60_000,
};

/** The type of a message; ShapeError for an error and for what has none. */
export function checkedType(message: unknown): string {
  const error = field(message, 'error');
  if (isRecord(error)) throw new ShapeError(`Lighter error ${required(error.code)}`);
  const type = typeOf(message);
  if (type === '') throw new ShapeError('type: no text');
  return type;
}

const dataTypes: ReadonlySet<string> = new Set(['subscribed/market_stats', 'update/market_stats']);

/**
 * `market_stats/all`: a map of perpetuals by id, those that have changed or all of them.
 * https://apidocs.lighter.xyz/docs/market-data
 */
export const marketStats: LatestStream<DerivativeRow> = {
  ...connection,
  channels: () => ['{"type":"subscribe","channel":"market_stats/all"}'],
  collect: 'latest',
  parse(message, { instruments }) {
    if (!dataTypes.has(checkedType(message))) return null;
    const stats = field(message, 'market_stats');
    const rows = bulk(isRecord(stats) ? Object.values(stats) : null, 'market_stats');
    return marketRows(rows, instruments, marks(optional(field(message, 'timestamp'))));
  },
  merge: (polled, { mark, index, stated }) => ({ ...polled, mark, index, stated }),
};
