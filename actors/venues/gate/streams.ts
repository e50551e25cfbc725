/** The connections of Gate, API v4: tickers, order books, liquidations. https://www.gate.com/docs/developers/apiv4/ws/en/ */
import { ShapeError } from '../../failure.ts';
import { asRow, field, isRecord, list, optional, required, text, time } from '../../read.ts';
import type { Refusal } from '../../sources/streams/stream.ts';
import { byPart } from '../../sources/venue.ts';
import { bookStream, refused, updateReader } from '../books.ts';
import { liquidationStream } from '../liquidations.ts';
import type { LiveForm } from '../markets.ts';
import { forPieces, leftOf } from '../streams.ts';
import { type Ask, decimalSizes } from './api.ts';
import { type Settle, settles, spotTickers, streamedTickers } from './rows.ts';

/** Stands for the time that every message has to name, Unix seconds: within 60 s of that of the server. */
const at = 0;
const timeIn = /"time":\d+/;

/** Subscribes to a channel, or ends that. The number of names goes along as the id, which the acknowledgement repeats. */
const subscription = (channel: string, payload: readonly string[], event = 'subscribe'): string =>
  JSON.stringify({ time: at, id: payload.length, channel, event, payload });

const namesIn = (message: string): string[] =>
  list(field(JSON.parse(message), 'payload'), 'payload').map(text);

/** The message with the name that a refusal says is unknown, and the rest of it. */
function refuses(message: unknown, sent: readonly string[]): Refusal | null {
  const { event, channel, error } = asRow(message);
  if (event !== 'subscribe' || !error) return null;
  const why = text(asRow(error).message);
  return leftOf(why, sent, {
    namesIn,
    subscription: (names) => subscription(text(channel), names),
  });
}

/** The properties of every stream of an API. A connection without data is closed after half a minute, but for pings. */
export const connection = (api: 'spot' | 'futures') => ({
  headers: api === 'spot' ? {} : decimalSizes,
  keepAlive: { every: 15_000, message: JSON.stringify({ time: at, channel: `${api}.ping` }) },
  stamp: (message: string, now: number) =>
    message.replace(timeIn, `"time":${Math.floor(now / 1_000)}`),
  silence: 45_000,
  acknowledges(message: unknown) {
    const { event, error, id } = asRow(message);
    return event === 'subscribe' && !error ? (optional(id) ?? 1) : 0;
  },
  refuses,
});

/** The rows of a message with data, one or a list; null for any other. ShapeError for a refusal. */
function rowsOf(message: unknown): readonly unknown[] | null {
  const channel = text(field(message, 'channel'));
  if (channel === '') throw new ShapeError('channel: no text');
  const error = field(message, 'error');
  if (error) throw new ShapeError(`Gate error: ${text(asRow(error).message)}`);
  const event = field(message, 'event');
  if (event !== 'update' && event !== 'all') return null;
  const result = field(message, 'result');
  return Array.isArray(result) ? result : [result];
}

const spotUrl = 'wss://api.gateio.ws/ws/v4/';
const urlOf = (settle: Settle) => `wss://fx-ws.gateio.ws/v4/ws/${settle}`;

/** One name that Gate does not know fails its whole message, and the rest of it is subscribed to again. */
const perMessage = 20;

/**
 * The tickers of a channel, as the answers have them: what a message lacks (the quotes of contracts, and all of 24 h in
 * some frames) stays as it was polled. `t` is the time of a contract's row, `time_ms` that of the message.
 */
const ticking = (api: 'spot' | 'futures', url: string): LiveForm => ({
  ...connection(api),
  url,
  most: 100,
  channels: forPieces(perMessage, (names) => subscription(`${api}.tickers`, names)),
  read(message) {
    const rows = rowsOf(message);
    return rows && { rows, stated: time(field(message, 'time_ms')) };
  },
});

const contracts = byPart(
  (settle: Settle) => streamedTickers.live(ticking('futures', urlOf(settle))),
  ...settles,
);

export const live = {
  prices: { spot: spotTickers.live(ticking('spot', spotUrl)), ...contracts },
  derivatives: contracts,
};

const depth = 400;

/** `ob.BTC_USDT.400`. */
const marketIn = /^ob\.(.+)\.\d+$/;

/** A message without levels only counts on. */
const updateIn = updateReader({
  bids: 'b',
  asks: 'a',
  countsOn: true,
  first: ({ full, U, u }) => (full === true ? u : U),
  last: 'u',
  stated: 't',
});

/** Books of 400 levels. https://www.gate.com/docs/developers/apiv4/ws/en/#order-book-v2-subscription */
const book = (url: string, name: 'spot' | 'futures') =>
  bookStream<Ask>({
    ...connection(name),
    url,
    rule: 'counted',
    most: depth,
    window: true,
    pace: 50,
    request: (op, { market }) => subscription(`${name}.obu`, [`ob.${market}.${depth}`], op),
    parse(message) {
      const { event, error, channel, result } = asRow(message);
      if (error !== undefined && error !== null) throw refused(asRow(error).message);
      if (channel !== `${name}.obu` || event !== 'update') return null;
      const row = asRow(result);
      return updateIn(row.full === true, marketIn.exec(text(row.s))?.[1], row);
    },
  });

export const books = { spot: book(spotUrl, 'spot'), usdt: book(urlOf('usdt'), 'futures') };

/**
 * `size` counts contracts, a number or a text with the sign of the order: negative sells and closes a long. The list of
 * liquidated orders gives the sign of the position, the opposite. The time is in ms under either name.
 * https://www.gate.com/docs/developers/futures/ws/en (public liquidates)
 */
const liquidated = (settle: Settle) =>
  liquidationStream({
    ...connection('futures'),
    url: urlOf(settle),
    channels: () => [subscription('futures.public_liquidates', ['!all'])],
    // What was not filled has liquidated nothing.
    rows: (message) =>
      rowsOf(message)?.filter((row) => !isRecord(row) || required(row.size) !== 0) ?? null,
    columns: {
      market: 'contract',
      price: 'price',
      kind: 'order',
      at: ({ time_ms, time }) => time_ms ?? time,
      side: ({ size }) => (required(size) > 0 ? 'short' : 'long'),
      quantity: ({ size }) => Math.abs(required(size)),
    },
  });

export const liquidations = byPart(liquidated, ...settles);
