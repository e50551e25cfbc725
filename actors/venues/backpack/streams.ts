/** The connections of Backpack: tickers, marks, open interest, order books. https://docs.backpack.exchange/#tag/Streams/Public */
import { minute } from '../../../config/time.ts';
import { ShapeError } from '../../failure.ts';
import { asRow, field, isRecord, text } from '../../read.ts';
import { bookStream, refused, snapshotReader, updateReader } from '../books.ts';
import { pieces } from '../cells.ts';
import { followedOf } from '../rows.ts';
import { type Message, objectIn } from '../streams.ts';
import { type Ask, get, streamed } from './markets.ts';

/** A subscription is not acknowledged, and a name that does not exist is not refused. */
const connection = { url: 'wss://ws.backpack.exchange' };

const request = (method: string, params: readonly string[]): string =>
  JSON.stringify({ method, params });

/** As many names as a frame was seen to take. */
const perRequest = 90;

/**
 * The channels: of all markets their tickers, of perpetuals their marks, both every second, and their open interest every
 * minute. That comes without a price, and waits for a mark of the connection.
 */
const channels: ReadonlyMap<string, Omit<Message, 'rows'>> = new Map([
  ['ticker', { topics: ['prices'] }],
  ['markPrice', { topics: ['derivatives'], remember: ['p'], whole: true }],
  ['openInterest', { topics: ['openInterest'], remember: ['p'], lasts: minute, needs: 'p' }],
]);

const all = streamed.live({
  ...connection,
  channels(instruments) {
    const names = followedOf(instruments).flatMap((market) =>
      [...channels.keys()]
        .filter((name) => name === 'ticker' || instruments.get(market)?.kind === 'perpetual')
        .map((name) => `${name}.${market}`),
    );
    return pieces(names, perRequest).map((piece) => request('SUBSCRIBE', piece));
  },
  silence: 30_000,
  read(message) {
    const error = field(message, 'error');
    if (isRecord(error)) throw new ShapeError(`Backpack: ${text(error.message)}`);
    const data = objectIn(message, 'data');
    const [name = ''] = text(field(message, 'stream')).split('.');
    const channel = channels.get(name);
    if (!channel) throw new ShapeError('stream: unknown');
    return { ...channel, rows: [data] };
  },
});

export const live = { prices: { all }, derivatives: { all }, openInterest: { all } };

/** Levels a side of a snapshot; the changes that come are those of all levels. */
const depth = 1_000;

const unit = 1e-3;
const wholeBook = snapshotReader({ last: 'lastUpdateId', stated: 'timestamp', unit });
const updateIn = updateReader({ bids: 'b', asks: 'a', first: 'U', last: 'u', stated: 'T', unit });

/** Times are microseconds. https://docs.backpack.exchange/#tag/Streams/Public/Depth */
const book = bookStream<Ask>({
  ...connection,
  rule: 'counted',
  most: 2 * depth,
  window: false,
  pace: 50,
  silence: 60_000,
  request: (op, { market }) => request(op.toUpperCase(), [`depth.200ms.${market}`]),
  snapshot: { request: (symbol) => get('/depth', { symbol, limit: depth }), parse: wholeBook },
  parse(message) {
    const { error, stream, data } = asRow(message);
    if (isRecord(error)) throw refused(error.message);
    return text(stream).startsWith('depth.') ? updateIn(false, field(data, 's'), data) : null;
  },
});

export const books = { all: book };
