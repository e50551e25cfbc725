/**
 * The connections of Crypto.com's market data: tickers, valuations, order books.
 * https://exchange-docs.crypto.com/exchange/v1/rest-ws/index.html
 */
import { ShapeError } from '../../failure.ts';
import { asRow, bulk, field, isRecord, list, required, text, type WireRow } from '../../read.ts';
import type { InstrumentMap } from '../../sources/define.ts';
import type { Refusal } from '../../sources/streams/stream.ts';
import { bookStream, updateReader } from '../books.ts';
import { followedOf } from '../rows.ts';
import { indexOf, perpetualOf, streamed } from './markets.ts';

const unknownSymbol = 40003;

/**
 * The properties of every connection. The server asks for a sign of life every 30 s, and closes a connection that does not
 * answer in 5 s; requests in the first second are too many, and later more than 100 a second, of which half are used: 400
 * channels take 8 s.
 */
const connection = {
  url: 'wss://stream.crypto.com/exchange/v1/market',
  pace: 20,
  settle: 1_000,
  perConnection: 400,
  reply: (message: unknown) =>
    isRecord(message) && message.method === 'public/heartbeat'
      ? JSON.stringify({ id: message.id, method: 'public/respond-heartbeat' })
      : null,
  /** A subscription is answered under its id, with the first data or a refusal; later messages have the id -1. */
  acknowledges(message: unknown): number {
    const { method, id, code } = asRow(message);
    return method === 'subscribe' && required(id) > 0 && code === 0 ? 1 : 0;
  },
  /** A channel of a market that it does not know; any other refusal is for the moment. */
  refuses(message: unknown, sent: readonly string[]): Refusal | null {
    const { code, channel } = asRow(message);
    const of = code === unknownSymbol && sent.find((one) => one.includes(`"${text(channel)}"`));
    return of ? { of, rest: null } : null;
  },
  silence: 45_000,
} as const;

/** The result of a subscription; null for any other message. ShapeError for a refusal. */
export function resultOf(message: unknown): WireRow | null {
  const code = field(message, 'code');
  if (code !== undefined && code !== 0)
    throw new ShapeError(`Crypto.com ${code}: ${text(field(message, 'message'))}`);
  const method = text(field(message, 'method'));
  if (method === 'public/heartbeat' || method === 'unsubscribe') return null;
  if (method !== 'subscribe') throw new ShapeError('method: unknown');
  const result = field(message, 'result');
  return result === undefined ? null : asRow(result);
}

/**
 * The fields of a message of one value, by the names of the table. Marks and indices come every second, rates every minute: a row
 * without a mark has no time, so that a rate is not taken for older than what was polled before it.
 */
const fields: Readonly<Record<string, (row: WireRow) => WireRow>> = {
  mark: ({ v, t }) => ({ mark: v, marked: t }),
  index: ({ v }) => ({ index: v }),
  funding: ({ v }) => ({ rate: v }),
};

/** The tickers come before what else is subscribed to; each subscription is acknowledged, or refused, by itself. */
function channelsOf(instruments: InstrumentMap): string[] {
  const perpetuals = followedOf(instruments).filter(
    (market) => instruments.get(market)?.kind === 'perpetual',
  );
  return [
    ...[...instruments.keys()].map((market) => `ticker.${market}`),
    ...perpetuals.flatMap((market) => [
      `mark.${market}`,
      `index.${indexOf(market)}`,
      `funding.${market}`,
    ]),
  ];
}

/** No channel has all markets. https://exchange-docs.crypto.com/exchange/v1/rest-ws/index.html#ticker-instrument_name */
const all = streamed.live({
  ...connection,
  most: 100,
  channels: (instruments) =>
    channelsOf(instruments).map((channel, at) =>
      JSON.stringify({ id: at + 1, method: 'subscribe', params: { channels: [channel] } }),
    ),
  read(message) {
    const result = resultOf(message);
    if (result === null) return null;
    const channel = text(result.channel);
    const rows = bulk(result.data, channel);
    if (channel === 'ticker') return { rows, topics: ['prices', 'openInterest'] };
    const row = fields[channel];
    if (!row) throw new ShapeError('channel: unknown');
    const i = perpetualOf(text(result.instrument_name));
    return {
      rows: rows.map((one) => ({ i, ...row(asRow(one)) })),
      topics: ['derivatives'],
    };
  },
});

export const live = { prices: { all }, derivatives: { all }, openInterest: { all } };

const depth = 50;

/** `[price, quantity, orders]`. */
export const bookLevel = { price: 0, quantity: 1, columns: 3 };

const updateIn = updateReader({ level: bookLevel, last: 'u', previous: 'pu', stated: 't' });

/**
 * Books of 50 levels. A market without changes has a message every five seconds, with the number that it had.
 * https://exchange-docs.crypto.com/exchange/v1/rest-ws/index.html#book-instrument_name-depth
 */
const book = bookStream({
  ...connection,
  rule: 'chained',
  most: depth,
  window: true,
  request: (method, { market }) =>
    JSON.stringify({
      id: 1,
      method,
      params: {
        channels: [`book.${market}.${depth}`],
        book_subscription_type: 'SNAPSHOT_AND_UPDATE',
        book_update_frequency: 100,
      },
    }),
  parse(message) {
    const result = resultOf(message);
    const channel = field(result ?? {}, 'channel');
    if (result === null || (channel !== 'book' && channel !== 'book.update')) return null;
    const [sent] = list(result.data, 'data').map(asRow);
    const row = channel === 'book' ? sent : { ...sent, ...asRow(sent?.update) };
    return updateIn(channel === 'book', result.instrument_name, row);
  },
});

export const books = { all: book };
