/** Prices, funding and open interest of Phemex by stream: 24 h tickers of all markets of a part. https://phemex-docs.github.io/#subscribe-24-hours-ticker */
import { ShapeError } from '../../failure.ts';
import { asRow, field, isRecord, list, text, type WireRow } from '../../read.ts';
import type { LatestStream, SharedStream } from '../../sources/streams/stream.ts';
import { byPart } from '../../sources/venue.ts';
import type { Instrument, PriceRow } from '../../topics/index.ts';
import { readOnce } from '../memory.ts';
import { changedRows, type Reader } from '../rows.ts';
import { isWhole } from '../wire.ts';
import { derivatives, interest, type PartName, tickers } from './rows.ts';

/** Answers to our own messages have their id; an error has an id or none. */
function isAnswer(message: unknown): boolean {
  const error = field(message, 'error');
  if (isRecord(error)) throw new ShapeError(`Phemex: ${text(error.message)}`);
  return error === null && field(message, 'id') !== undefined;
}

/** Linear markets come as lists of values, whose names stand beside them. */
function packed(message: unknown): readonly unknown[] {
  const names = list(field(message, 'fields'), 'fields').map(text);
  return list(field(message, 'data'), 'data').map((row) => {
    const values = Array.isArray(row) && isWhole(row, names.length) ? row : [];
    return Object.fromEntries(names.map((name, at) => [name, values[at]]));
  });
}

/** An inverse market has other names than in the polled ticker; the prices are the same integers. */
const inverseNames = ({ close, open, high, low, turnover, ...rest }: WireRow) => ({
  ...{ lastEp: close, openEp: open, highEp: high, lowEp: low, turnoverEv: turnover },
  ...{ symbol: rest.symbol, volume: rest.volume, openInterest: rest.openInterest },
  ...{ markEp: rest.markPrice, indexEp: rest.indexPrice, fundingRateEr: rest.fundingRate },
});

/** The row of a message about one market, if it has one. */
const rowAt = (message: unknown, key: string): WireRow[] => [field(message, key)].filter(isRecord);

/** The stream of a part: the message that subscribes, and how the rows of a message are read. */
const parts: Readonly<
  Record<PartName, [method: string, rows: (message: unknown) => readonly unknown[]]>
> = {
  spot: ['spot_market24h', (message) => rowAt(message, 'spot_market24h')],
  linear: ['perp_market24h_pack_p', packed],
  inverse: ['market24h', (message) => rowAt(message, 'market24h').map(inverseNames)],
};

/** The tickers of a message, each with the time of the message; null for an answer. */
const tickersIn = byPart(
  (part: PartName) =>
    readOnce((message): WireRow[] | null => {
      if (isAnswer(message)) return null;
      const [method, rowsOf] = parts[part];
      const timestamp = field(message, 'timestamp');
      const rows = rowsOf(message).map((row) => ({ ...asRow(row), timestamp }));
      if (rows.length === 0) throw new ShapeError(`${method}: no ticker`);
      return rows;
    }),
  'spot',
  'linear',
  'inverse',
);

const reading =
  <Row>(
    part: PartName,
    readerAt: (received: number) => Reader<Instrument, Row>,
  ): LatestStream<Row>['parse'] =>
  (message, context) => {
    const rows = tickersIn[part](message, context);
    return rows && changedRows(rows, context.instruments, readerAt(context.received));
  };

/** The times are those of the message, ns. A connection without a ping of ours ends after half a minute. */
const ticking = (part: PartName): LatestStream<PriceRow> => ({
  url: 'wss://ws.phemex.com',
  channels: () => [JSON.stringify({ id: 1, method: `${parts[part][0]}.subscribe`, params: [] })],
  keepAlive: { every: 10_000, message: '{"id":0,"method":"server.ping","params":[]}' },
  acknowledges: (message) =>
    isRecord(message) && message.id === 1 && isRecord(message.result) ? 1 : 0,
  silence: 30_000,
  collect: 'latest',
  parse: reading(part, () => tickers(part)),
});

const beside = <Row>(
  readerAt: (part: 'linear' | 'inverse', received: number) => Reader<Instrument, Row>,
) =>
  byPart(
    (part: 'linear' | 'inverse') =>
      ({
        messagesOf: 'prices',
        parse: reading(part, (received) => readerAt(part, received)),
      }) satisfies SharedStream<Row>,
    'linear',
    'inverse',
  );

export const live = {
  prices: byPart(ticking, 'spot', 'linear', 'inverse'),
  derivatives: beside(derivatives),
  openInterest: beside(interest),
};
