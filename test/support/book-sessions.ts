/** Recorded WebSocket sessions with order books, in the form that the venues' streams have today. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { asRow, list, text, type WireRow } from '../../actors/read.ts';

const folder = fileURLToPath(new URL('../../../shared/wire-sessions', import.meta.url));

/** Why a test of sessions is skipped, or false when they are there. */
export const noSessions: string | false = existsSync(folder) ? false : `no sessions in ${folder}`;

/** A frame, or the body of a request, in the order of the recording. */
export type SessionEvent =
  | { type: 'frame'; conn: string; text: string }
  | { type: 'body'; market: string; body: unknown };

const bodyOf = (url: string, data: string): SessionEvent[] => {
  const { searchParams, pathname } = new URL(url);
  const market = searchParams.get('symbol') ?? searchParams.get('currency_pair') ?? '';
  return /depth|order_book/.test(pathname) && market !== ''
    ? [{ type: 'body', market, body: JSON.parse(data) }]
    : [];
};

/** Old frames as those of today; anything else as it is. */
type Modern = (frame: Record<string, unknown>) => unknown;

/** The recording is older than `seqId`: messages are numbered in their order. */
function okx(): Modern {
  const last = new Map<unknown, number>();
  return (frame) => {
    if (asRow(frame.arg).channel !== 'books' || frame.data === undefined) return frame;
    const id = asRow(frame.arg).instId;
    const prevSeqId = last.get(id) ?? -1;
    const seqId = prevSeqId + 10;
    last.set(id, seqId);
    return {
      ...frame,
      data: list(frame.data, 'data').map((one) => ({ ...asRow(one), seqId, prevSeqId })),
    };
  };
}

/** Version 1 names its members otherwise, and its messages have no numbers. */
function bitget(): Modern {
  const last = new Map<unknown, number>();
  return (frame) => {
    const arg = asRow(frame.arg);
    if (arg.channel !== 'books' || frame.data === undefined) return { event: 'other' };
    const symbol = `${text(arg.instType)}${text(arg.instId)}`;
    const pseq = last.get(symbol) ?? 0;
    last.set(symbol, pseq + 10);
    const data = list(frame.data, 'data').map((one) => {
      const { asks: a, bids: b, ts } = asRow(one);
      return { a, b, ts, seq: pseq + 10, pseq };
    });
    return { action: frame.action, arg: { topic: 'books', symbol }, data };
  };
}

/** `order_book_update` of spot, whose numbers are those of `obu`; the snapshot comes by the stream there. */
const gate = (): Modern => (frame) => {
  const { s, ...result } = asRow(frame.result);
  if (frame.channel !== 'spot.order_book_update' || s === undefined) return { event: 'other' };
  return { ...frame, channel: 'spot.obu', result: { ...result, s: `ob.${text(s)}.400` } };
};

const modern: Readonly<Record<string, () => Modern>> = { okx, bitget, gate };

const linesOf = (venue: string, session: number): WireRow[] =>
  readFileSync(`${folder}/${venue}.jsonl`, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => asRow(JSON.parse(line)))
    .filter((event) => event.session === session);

/** The text frames of a session as they were recorded. */
export const framesOf = (venue: string, session: number): string[] =>
  linesOf(venue, session).flatMap(({ t, data }) =>
    t === 'recv' && typeof data === 'string' ? [data] : [],
  );

/** The events of one session of a venue. */
export function sessionOf(venue: string, session: number): SessionEvent[] {
  const toModern = modern[venue]?.() ?? ((frame) => frame);
  return linesOf(venue, session).flatMap((event): SessionEvent[] => {
    if (event.t === 'http') return bodyOf(text(event.url), text(event.data));
    if (event.t !== 'recv' || typeof event.data !== 'string') return [];
    const value: unknown = JSON.parse(event.data);
    const frame = 'stream' in asRow(value) ? asRow(value).data : value;
    const conn = text(event.conn);
    return [{ type: 'frame', conn, text: JSON.stringify(toModern({ ...asRow(frame) })) }];
  });
}
