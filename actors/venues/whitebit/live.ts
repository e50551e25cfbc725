/**
 * Prices of WhiteBIT by stream, the markets that have changed every second, and mark prices and funding of all contracts.
 * https://docs.whitebit.com/public/websocket/#market
 */
import { ShapeError } from '../../failure.ts';
import { asRow, bulk, field, isRecord, positive, required, text, time } from '../../read.ts';
import type { LatestStream, SharedStream, StreamContext } from '../../sources/streams/stream.ts';
import type { DerivativeRow, Instrument, PriceRow } from '../../topics/index.ts';
import { memoryOf } from '../memory.ts';
import {
  by,
  changedRows,
  changeOf,
  derivativeOf,
  followedOf,
  priceOf,
  type Reader,
} from '../rows.ts';
import { neverTradedBy } from '../wire.ts';

/** `volume` is in base, `deal` in quote, both of 24 h; there is no time. */
const tickers: Reader<Instrument, PriceRow> = {
  id: by('market'),
  isUntraded: neverTradedBy('last', 'volume'),
  read(row, market) {
    const last = positive(row.last);
    return priceOf(market, {
      ...{ last, change: changeOf(last, positive(row.open)), stated: null },
      ...{ high: positive(row.high), low: positive(row.low) },
      ...{ base: required(row.volume), volume: required(row.deal) },
    });
  },
};

/** A row of `premiumIndex`: `[market, mark, index, rate, next in ms, time in s]`; the rate is that of the answers. */
const premiums: Reader<Instrument, DerivativeRow> = {
  id: by(0),
  columns: 6,
  read: (row, market) =>
    derivativeOf(market, {
      ...{ mark: positive(row[1]), index: positive(row[2]), rate: required(row[3]) },
      ...{ hours: required(market.funding_hours), next: time(row[4]), stated: time(row[5], 1_000) },
    }),
};

/** All contracts come twice a second, and change every five: the same row again counts after this time, ms. */
const again = 5_000;
/** The last row of each contract of a connection, and when it was used. */
const used = memoryOf(() => new Map<string, { values: string; at: number }>());

/** The rows that say something else than the last one about their contract. */
function newRows(rows: readonly unknown[], context: StreamContext): readonly unknown[] {
  const last = used(context.connection);
  return rows.filter((row) => {
    const [market, ...values] = Array.isArray(row) ? row.slice(0, 4).map(text) : [];
    if (market === undefined || !context.instruments.has(market)) return true;
    const now = { values: values.join(), at: context.received };
    const before = last.get(market);
    if (before?.values === now.values && now.at - before.at < again) return false;
    last.set(market, now);
    return true;
  });
}

/** The parameters of a message of one method; null for that of the other, and for an answer. */
function paramsOf(message: unknown, method: string): readonly unknown[] | null {
  const error = field(message, 'error');
  if (isRecord(error)) throw new ShapeError(`WhiteBIT: ${text(error.message)}`);
  if (error === null) return null;
  const of = field(message, 'method');
  if (of !== 'market_update' && of !== 'premiumIndex_update')
    throw new ShapeError('method: unknown');
  return of === method ? bulk(field(message, 'params'), 'params') : null;
}

const asking = (id: number, method: string, params: readonly string[]): string =>
  JSON.stringify({ id, method, params });

/**
 * A subscription replaces the one before it of the same method: all markets go into one. After a minute without a ping of
 * ours it ends.
 */
const ticking: LatestStream<PriceRow> = {
  url: 'wss://wss.whitebit.com/ws',
  channels: (instruments) => [asking(1, 'market_subscribe', followedOf(instruments))],
  keepAlive: { every: 30_000, message: asking(0, 'ping', []) },
  acknowledges: (message) =>
    isRecord(message) && required(message.id) > 0 && isRecord(message.result) ? 1 : 0,
  silence: 30_000,
  collect: 'latest',
  parse(message, { instruments }) {
    const params = paramsOf(message, 'market_update');
    if (params === null) return null;
    const [market, values] = params;
    return changedRows([{ ...asRow(values), market }], instruments, tickers);
  },
};

/** Without markets `premiumIndex` sends all contracts. */
const contracts: LatestStream<PriceRow> = {
  ...ticking,
  channels: (instruments) => [
    ...ticking.channels(instruments),
    asking(2, 'premiumIndex_subscribe', []),
  ],
};

const premiumIndex: SharedStream<DerivativeRow> = {
  messagesOf: 'prices',
  parse(message, context) {
    const params = paramsOf(message, 'premiumIndex_update');
    if (params === null) return null;
    return changedRows(newRows(params, context), context.instruments, premiums);
  },
};

export const live = {
  prices: { spot: ticking, futures: contracts },
  derivatives: { futures: premiumIndex },
};
