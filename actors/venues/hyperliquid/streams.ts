/**
 * Hyperliquid by stream: mark and middle prices of all markets every second, whole contexts of all perpetuals about every
 * fourteen seconds, order books, public trades. https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/websocket/subscriptions
 */
import { inflateRawSync } from 'node:zlib';
import { ShapeError } from '../../failure.ts';
import {
  asRow,
  bulk,
  field,
  isRecord,
  list,
  messageOf,
  positive,
  text,
  time,
  type WireRow,
} from '../../read.ts';
import type { InstrumentMap, Parsed } from '../../sources/define.ts';
import type { StreamContext } from '../../sources/streams/stream.ts';
import { byTopic } from '../../sources/venue.ts';
import { bookStream, refused, updateReader } from '../books.ts';
import type { LiveForm } from '../markets.ts';
import { acknowledgedBy, type Message, memoryOf } from '../streams.ts';
import { takerWord, tradeStream } from '../trades.ts';
import { bookLevel, perp, spot } from './markets.ts';

/** The properties of every connection. Sixty seconds without a message end it, and so does a coin that is not known. */
export const connection = {
  url: 'wss://api.hyperliquid.xyz/ws',
  pace: 100,
  keepAlive: { every: 30_000, message: '{"method":"ping"}' },
  acknowledges: acknowledgedBy({ channel: 'subscriptionResponse' }),
  endsOnUnknown: true,
} as const;

const request = (method: string, subscription: object): string =>
  JSON.stringify({ method, subscription });

const marks = 'fastAssetCtxs';
const contexts = 'allDexsAssetCtxs';

/** Largest list of marks, bytes. */
const largest = 4_194_304;

/** The mark and middle prices of a connection, by market. */
const known = memoryOf(() => new Map<string, WireRow>());

/** The marks of a message: JSON, deflated without a header, in base 64. */
function unpacked(data: unknown): WireRow {
  const bytes = Buffer.from(text(data), 'base64');
  try {
    const prices = messageOf(inflateRawSync(bytes, { maxOutputLength: largest }).toString());
    if (isRecord(prices)) return prices;
  } catch {
    // As for any other text that holds no object.
  }
  throw new ShapeError(`${marks}: no object`);
}

/**
 * The marks of the markets that a message names. A price that is absent has not changed; a middle price of null is none. A spot pair
 * without one is left to the polls, which state whether it is traded: its mark price may be very old.
 */
function marksIn(message: unknown, { instruments, connection: peer }: StreamContext): WireRow[] {
  const before = known(peer);
  return Object.entries(unpacked(field(message, 'data'))).flatMap(([name, change]) => {
    const market = instruments.get(name);
    if (!market) return [];
    const row: WireRow = { ...before.get(name), ...asRow(change), name };
    before.set(name, row);
    const isLeft = market.kind === 'spot' && row.midPx === null;
    return 'markPx' in row && 'midPx' in row && !isLeft ? [row] : [];
  });
}

/** Share by which the two mark prices of a market may differ. */
const tolerance = 0.01;

/** The contexts of a message at the places of the instruments within their dex; that of the exchange itself is ''. */
function* placedIn(message: unknown, instruments: InstrumentMap): Generator<[string, WireRow]> {
  const sent = list(field(field(message, 'data'), 'ctxs'), 'ctxs').map(asRow);
  const contextsOf = new Map(sent.map((dex) => [text(dex[0]), dex[1]]));
  const listed = [...Map.groupBy(instruments.values(), ({ dex = '' }) => dex)];
  const given = listed.filter(([dex]) => contextsOf.has(dex));
  if (listed.length > 0 && given.length === 0) throw new ShapeError('contexts: of no listed dex');
  for (const [dex, markets] of given) {
    const all = bulk(contextsOf.get(dex), `contexts of '${dex}'`);
    if (all.length < markets.length) throw new ShapeError(`contexts of '${dex}': not one a market`);
    for (const [at, { market }] of markets.entries()) yield [market, asRow(all[at])];
  }
}

/**
 * The contexts of perpetuals. A context is that of the market at its position in the instruments of its dex, to which new ones are
 * appended. A context whose mark price is not that of this market is
 * `suspect`; without a mark price to compare it with, it is left out.
 */
function contextsIn(
  message: unknown,
  { instruments, connection: peer }: StreamContext,
): Parsed<WireRow> {
  const before = known(peer);
  const found: Parsed<WireRow> = { rows: [], dropped: [] };
  for (const [name, context] of placedIn(message, instruments)) {
    const mark = positive(before.get(name)?.markPx);
    if (Math.abs(positive(context.markPx) - mark) <= tolerance * mark)
      found.rows.push({ ...context, name });
    else if (mark > 0) found.dropped.push({ key: name, code: 'suspect' });
  }
  return found;
}

/** The channel of a message; ShapeError for a refusal and for what has none. */
function channelOf(message: unknown): string {
  const channel = text(field(message, 'channel'));
  if (channel === 'error') throw refused(field(message, 'data'));
  if (channel === '') throw new ShapeError('channel: no text');
  return channel;
}

/** Marks have nothing about open interest. */
function read(message: unknown, context: StreamContext): Message | null {
  const channel = channelOf(message);
  if (channel === marks)
    return { rows: marksIn(message, context), topics: ['prices', 'derivatives'] };
  return channel === contexts ? { rows: contextsIn(message, context).rows } : null;
}

const ticking = (...channels: readonly string[]): LiveForm => ({
  ...connection,
  channels: () => channels.map((type) => request('subscribe', { type })),
  silence: 30_000,
  read,
});

const perpetuals = perp.live(ticking(marks, contexts));

/** A market whose context is suspect is named under every topic. */
const checked = {
  ...perpetuals,
  parse(message, context) {
    const found = perpetuals.parse(message, context);
    if (found === null || channelOf(message) !== contexts) return found;
    const { dropped } = contextsIn(message, context);
    for (const parsed of Object.values(found)) parsed.dropped.push(...dropped);
    return found;
  },
} satisfies typeof perpetuals;

export const live = byTopic(
  { spot: spot.live(ticking(marks)) },
  { perp: checked, builders: checked },
);

const bookIn = updateReader({ level: bookLevel });

/** Books of 20 levels. Every message is a whole one; one comes about every five seconds. */
const book = bookStream({
  ...connection,
  rule: 'whole',
  most: 20,
  window: true,
  silence: 60_000,
  request: (op, { market: coin }) => request(op, { type: 'l2Book', coin }),
  parse(message) {
    const { channel, data } = asRow(message);
    if (channel === 'error') throw refused(data);
    if (channel !== 'l2Book') return null;
    const { coin, levels, time: at } = asRow(data);
    const sides = { bids: field(levels, 0), asks: field(levels, 1) };
    return bookIn(true, coin, sides, { stated: time(at) });
  },
});

export const books = { spot: book, perp: book, builders: book };

/** The columns of a trade. `B` is a taker that bought; ids do not count the trades of a market. */
export const tradeColumns = {
  id: 'tid',
  at: 'time',
  price: 'px',
  quantity: 'sz',
  bought: takerWord('side', 'b', 'a'),
};

/** The markets of a connection of which a message has come: the first one holds trades from before the subscription. */
const begun = memoryOf(() => new Set<string>());

/** Those of spot are not followed: an address has ten connections. */
const traded = tradeStream({
  ...connection,
  silence: 60_000,
  // A question about one market weighs 25 of 1,200 a minute.
  isForgetful: true,
  channels: (instruments) =>
    [...instruments.keys()].map((coin) => request('subscribe', { type: 'trades', coin })),
  rows(message, { connection: peer }) {
    if (channelOf(message) !== 'trades') return null;
    const rows = list(field(message, 'data'), 'trades').map(asRow);
    const known = begun(peer);
    const news = rows.filter(({ coin }) => known.has(text(coin)));
    for (const { coin } of rows) known.add(text(coin));
    return news;
  },
  market: 'coin',
  columns: tradeColumns,
});

export const trades = { perp: traded, builders: traded };
