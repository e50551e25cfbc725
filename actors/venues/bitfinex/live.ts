/** Prices of Bitfinex by stream: the tickers of single markets. https://docs.bitfinex.com/reference/ws-public-ticker */
import { ShapeError } from '../../failure.ts';
import { isRecord, list, text, type WireRow } from '../../read.ts';
import type { LatestStream } from '../../sources/streams/stream.ts';
import type { DerivativeRow, PriceRow } from '../../topics/index.ts';
import { by, changedRows, marketRows } from '../rows.ts';
import { derivative, interest, type StatusRead, tickers } from './rows.ts';
import { channelsOf, connection, noteChannel } from './stream.ts';

/** The row of a message behind the name of its channel; null for a message without a row. */
function rowIn(message: unknown, wanted: string, by: object | undefined): unknown[] | null {
  if (isRecord(message)) {
    if (text(message.event) === '') throw new ShapeError('event: no text');
    noteChannel(by, wanted, message);
    return null;
  }
  const [chanId, row] = list(message, 'message');
  if (row === 'hb') return null;
  const name = typeof chanId === 'number' && channelsOf(by).get(chanId);
  return [name || `channel ${chanId}`, ...list(row, wanted)];
}

const subscribing = {
  ...connection,
  // Two connections.
  most: 50,
  collect: 'latest',
} as const;

/** The row of a message is that of an answer, without its first column, the name of the market. */
const all: LatestStream<PriceRow> = {
  ...subscribing,
  channels: (instruments) =>
    [...instruments.keys()].map((symbol) =>
      JSON.stringify({ event: 'subscribe', channel: 'ticker', symbol }),
    ),
  parse(message, { instruments, connection: by }) {
    const row = rowIn(message, 'ticker', by);
    return row && changedRows([row], instruments, tickers);
  },
};

const prefix = 'deriv:';

/** As that of tickers; the key of a channel has the name of the market. */
const reading =
  <Row>(read: StatusRead<Row>): LatestStream<Row>['parse'] =>
  (message, { instruments, connection: channel }) => {
    const row = rowIn(message, 'status', channel);
    if (row === null) return null;
    const id = (of: WireRow) => by(0)(of).replace(prefix, '');
    return marketRows([row], instruments, { id, columns: 24, read });
  };

const statuses: LatestStream<DerivativeRow> = {
  ...subscribing,
  channels: (instruments) =>
    [...instruments.keys()].map((market) =>
      JSON.stringify({ event: 'subscribe', channel: 'status', key: `${prefix}${market}` }),
    ),
  parse: reading(derivative),
};

export const live = {
  prices: { all },
  derivatives: { all: statuses },
  openInterest: { all: { messagesOf: 'derivatives', parse: reading(interest) } as const },
};
