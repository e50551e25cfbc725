/** The tickers of Phemex by stream: all markets of a part. https://phemex-docs.github.io/#subscribe-24-hours-ticker */
import { ShapeError } from '../../failure.ts';
import { field, isRecord, list, text, type WireRow } from '../../read.ts';
import { byTopic } from '../../sources/venue.ts';
import { isWhole } from '../cells.ts';
import type { LiveForm } from '../markets.ts';
import { memoryOf } from '../streams.ts';
import { inverse, linear, millis, spot } from './markets.ts';

/** Answers to our own messages have their id; an error has an id or none. */
function isAnswer(message: unknown): boolean {
  const error = field(message, 'error');
  if (isRecord(error)) throw new ShapeError(`Phemex: ${text(error.message)}`);
  return error === null && field(message, 'id') !== undefined;
}

/** The names of the columns that a connection has stated last. */
const namesOf = memoryOf((): { last: readonly string[] | null } => ({ last: null }));

/** Linear markets come as lists of values. Their names stand beside them, in the first message of a connection at least. */
function packed(message: unknown, connection?: object): WireRow[] {
  const known = namesOf(connection);
  const stated = field(message, 'fields') ?? null;
  if (stated !== null) known.last = list(stated, 'fields').map(text);
  const names = known.last;
  if (names === null) throw new ShapeError('fields: none was stated on this connection');
  return list(field(message, 'data'), 'data').map((row) => {
    const values = Array.isArray(row) && isWhole(row, names.length) ? row : [];
    return Object.fromEntries(names.map((name, at) => [name, values[at]]));
  });
}

/** The row of a message about one market, if it has one. */
const rowAt = (message: unknown, key: string): WireRow[] => [field(message, key)].filter(isRecord);

/** An inverse market by the names of its polled ticker; the prices are the same integers. */
const polledNames = (row: WireRow): WireRow => ({
  symbol: row.symbol,
  lastEp: row.close,
  openEp: row.open,
  highEp: row.high,
  lowEp: row.low,
  volume: row.volume,
  turnoverEv: row.turnover,
  openInterest: row.openInterest,
  markEp: row.markPrice,
  indexEp: row.indexPrice,
  fundingRateEr: row.fundingRate,
});

/** The times are those of the message, ns. A connection without a ping of ours ends after half a minute. */
const ticking = (
  method: string,
  rowsOf: (message: unknown, connection?: object) => WireRow[],
): LiveForm => ({
  url: 'wss://ws.phemex.com',
  channels: () => [JSON.stringify({ id: 1, method: `${method}.subscribe`, params: [] })],
  keepAlive: { every: 10_000, message: '{"id":0,"method":"server.ping","params":[]}' },
  acknowledges: (message) =>
    isRecord(message) && message.id === 1 && isRecord(message.result) ? 1 : 0,
  silence: 30_000,
  read(message, { connection }) {
    if (isAnswer(message)) return null;
    const rows = rowsOf(message, connection);
    if (rows.length === 0) throw new ShapeError(`${method}: no ticker`);
    return { rows, stated: millis(field(message, 'timestamp')) };
  },
});

const contracts = {
  linear: linear.live(ticking('perp_market24h_pack_p', packed)),
  inverse: inverse.live(
    ticking('market24h', (message) => rowAt(message, 'market24h').map(polledNames)),
  ),
};

export const live = byTopic(
  { spot: spot.live(ticking('spot_market24h', (message) => rowAt(message, 'spot_market24h'))) },
  contracts,
);
