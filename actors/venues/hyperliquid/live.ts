/**
 * Prices, funding and open interest of Hyperliquid by stream: mark and middle prices of all markets every second, whole
 * contexts of all perpetuals about every fourteen seconds.
 * https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/websocket/subscriptions
 */
import { ShapeError } from '../../failure.ts';
import { asRow, bulk, field, isRecord, list, positive, text, type WireRow } from '../../read.ts';
import type { Parsed } from '../../sources/define.ts';
import type { LatestStream, SharedStream } from '../../sources/streams/stream.ts';
import type { DerivativeRow, OpenInterestRow, PriceRow } from '../../topics/index.ts';
import { messageOf, textInBase64 } from '../../upstream/frames.ts';
import { refused } from '../books.ts';
import { memoryOf, readOnce } from '../memory.ts';
import { changedRows, type Named, type Reader } from '../rows.ts';
import { funding, interest, price, reader } from './rows.ts';

const marks = 'fastAssetCtxs';
const contexts = 'allDexsAssetCtxs';

/** Largest list of marks, bytes. */
const largest = 4_194_304;

/** The mark and middle prices of a connection, by market. */
const known = memoryOf(() => new Map<string, WireRow>());

/** The marks of a message: JSON, deflated, in base 64. */
function unpacked(data: unknown): WireRow {
  const json = textInBase64(text(data), 'deflate', largest);
  const changes = json === null ? null : messageOf(json);
  if (!isRecord(changes)) throw new ShapeError(`${marks}: no object`);
  return changes;
}

/** The marks of the markets that a message names. A price that is absent has not changed; a middle price of null is none. */
const marksIn = readOnce((message, { instruments, connection }): WireRow[] => {
  const before = known(connection);
  const named = Object.entries(unpacked(field(message, 'data')));
  return named.flatMap(([name, change]) => {
    if (!instruments.has(name)) return [];
    const context = { ...before.get(name), ...asRow(change) };
    before.set(name, context);
    return 'markPx' in context && 'midPx' in context ? [{ name, context }] : [];
  });
});

/** Share by which the two mark prices of a market may differ. */
const tolerance = 0.01;

/**
 * The contexts of the exchange's own perpetuals; those of builders come under their names. A context is that of the market at its position
 * in the list of instruments, to which new ones are appended. A context whose mark price is not that of this market is
 * `suspect`; without a mark price to compare it with, it is left out.
 */
const contextsIn = readOnce((message, { instruments, connection }): Parsed<WireRow> => {
  const before = known(connection);
  const found: Parsed<WireRow> = { rows: [], dropped: [] };
  const dexes = list(field(field(message, 'data'), 'ctxs'), 'ctxs');
  const own = dexes.find((dex) => Array.isArray(dex) && dex[0] === '');
  const all = bulk(field(own, 1), 'contexts');
  if (all.length < instruments.size) throw new ShapeError('contexts: not one a market');
  for (const [at, name] of [...instruments.keys()].entries()) {
    const context = asRow(all[at]);
    const mark = positive(before.get(name)?.markPx);
    if (Math.abs(positive(context.markPx) - mark) <= tolerance * mark)
      found.rows.push({ name, context });
    else if (mark > 0) found.dropped.push({ key: name, code: 'suspect' });
  }
  return found;
});

/** Data of the channels; rows of `marks` are left out where they have nothing about the topic. */
const reading =
  <Row>(
    readerAt: (received: number) => Reader<Named, Row>,
    { isInMarks }: { isInMarks: boolean },
  ): LatestStream<Row>['parse'] =>
  (message, context) => {
    const channel = text(field(message, 'channel'));
    if (channel === 'error') throw refused(field(message, 'data'));
    if (channel === '') throw new ShapeError('channel: no text');
    const { instruments, received } = context;
    if (channel === marks) {
      const rows = marksIn(message, context);
      return isInMarks ? changedRows<Named, Row>(rows, instruments, readerAt(received)) : null;
    }
    if (channel !== contexts) return null;
    const { rows, dropped } = contextsIn(message, context);
    const parsed = changedRows<Named, Row>(rows, instruments, readerAt(received));
    return { rows: parsed.rows, dropped: [...parsed.dropped, ...dropped] };
  };

/** Sixty seconds without a message end a connection. */
const ticking = (...channels: readonly string[]): LatestStream<PriceRow> => ({
  url: 'wss://api.hyperliquid.xyz/ws',
  channels: () =>
    channels.map((type) => JSON.stringify({ method: 'subscribe', subscription: { type } })),
  pace: 100,
  keepAlive: { every: 30_000, message: '{"method":"ping"}' },
  acknowledges: (message) =>
    isRecord(message) && message.channel === 'subscriptionResponse' ? 1 : 0,
  silence: 30_000,
  collect: 'latest',
  parse: reading(() => reader(price), { isInMarks: true }),
});

const perpFunding: SharedStream<DerivativeRow> = {
  messagesOf: 'prices',
  parse: reading((received) => reader(funding(received)), { isInMarks: true }),
};

const perpInterest: SharedStream<OpenInterestRow> = {
  messagesOf: 'prices',
  parse: reading(() => reader(interest), { isInMarks: false }),
};

export const live = {
  prices: { spot: ticking(marks), perp: ticking(marks, contexts) },
  derivatives: { perp: perpFunding },
  openInterest: { perp: perpInterest },
};
