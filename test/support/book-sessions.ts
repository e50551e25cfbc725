/** Recorded WebSocket sessions with order books, in the form that the venues' streams have today. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { asRow, list, text, type WireRow } from '../../actors/read.ts';

const folder = fileURLToPath(new URL('../../../shared/wire-sessions', import.meta.url));

/** Why a test of sessions is skipped, or false when they are there. */
export const noSessions: string | false = existsSync(folder) ? false : `no sessions in ${folder}`;

/** A frame, or the body of a request, in the order of the recording. */
export type SessionEvent =
  | { type: 'frame'; conn: string; text: string }
  | { type: 'body'; market: string; body: unknown };

const marketsAt = ['symbol', 'currency_pair', 'contract'];

/** The market that is in the address, and the body. */
function bodyOf(url: string, data: string): [market: string, body: unknown] | null {
  const { searchParams, pathname } = new URL(url);
  const [named] = marketsAt.flatMap((name) => searchParams.get(name) ?? []);
  const market = named ?? /\/order_book\/(\w+)$/.exec(pathname)?.[1];
  const isBook = /depth|order_?book/.test(pathname) && market !== undefined;
  return isBook ? [market, JSON.parse(data)] : null;
}

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

const other = { event: 'other' };

/** `order_book_update`, whose numbers are those of `obu`. */
const gate = (): Modern => (frame) => {
  const { s, b, a, ...result } = asRow(frame.result);
  const [api = '', channel] = text(frame.channel).split('.');
  if (channel !== 'order_book_update' || s === undefined) return other;
  const named = { ...result, s: `ob.${text(s)}.400`, b: gatePairs(b), a: gatePairs(a) };
  return { ...frame, channel: `${api}.obu`, result: named };
};
/** Levels of contracts have names. */
const gatePairs = (rows: unknown) =>
  list(rows, 'rows').map((row) => (Array.isArray(row) ? row : [asRow(row).p, asRow(row).s]));

/** The whole levels of old channels, in the form of those with numbers. */
function htx(): Modern {
  let version = 0;
  return (frame) => {
    const [, market, kind] = text(frame.ch).split('.');
    if (kind !== 'depth') return { ping: 1 };
    version += 1;
    const { bids, asks, ts } = asRow(frame.tick);
    const ch = `market.${market}.depth.size_150.high_freq`;
    return { ch, ts: frame.ts, tick: { event: 'snapshot', version, bids, asks, ts } };
  };
}

/** The connections with a token, whose numbers are the same. */
const kucoin = (): Modern => (frame) => {
  if (frame.subject !== 'trade.l2update') return { id: '1' };
  const { symbol: s, sequenceStart: O, sequenceEnd: C, changes } = asRow(frame.data);
  const { bids: b, asks: a } = asRow(changes);
  return { T: 'obu.SPOT', t: 'delta', d: { s, O, C, b, a } };
};

/** Whole books without numbers. */
function cryptocom(): Modern {
  let u = 0;
  return ({ result, ...frame }) => {
    const { channel, data, ...about } = asRow(result);
    if (channel !== 'book') return { method: 'subscribe' };
    u += 1;
    const rows = (side: unknown) => list(side, 'side').map((row) => Object.values(asRow(row)));
    const book = list(data, 'data').map(asRow)[0] ?? {};
    const whole = { ...book, u, bids: rows(book.bids), asks: rows(book.asks) };
    return { ...frame, result: { ...about, channel, data: [whole] } };
  };
}

const modern: Readonly<Record<string, () => Modern>> = {
  okx,
  bitget,
  gate,
  htx,
  kucoin,
  cryptocom,
};

/** Bodies that today's streams bring themselves, as their messages. */
const wholes: Readonly<Record<string, (market: string, body: WireRow) => unknown>> = {
  gate(market, { id, bids, asks }) {
    const channel = 'p' in asRow(list(bids, 'bids')[0]) ? 'futures.obu' : 'spot.obu';
    const book = { b: gatePairs(bids), a: gatePairs(asks) };
    const result = { t: 0, full: true, s: `ob.${market}.400`, u: id, ...book };
    return { channel, event: 'update', result };
  },
  kucoin(s, body) {
    const { sequence, bids: b, asks: a } = asRow(body.data);
    return { T: 'obu.SPOT', t: 'snapshot', d: { s, O: sequence, C: sequence, b, a } };
  },
};

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

/** A text frame, or a packed one. */
const textIn = ({ data, b64 }: WireRow): string =>
  typeof data === 'string' ? data : gunzipSync(Buffer.from(text(b64), 'base64')).toString();

/** The whole book in an answer: a body where it is asked for today, else a frame of the connection `conn`. */
function wholeIn(venue: string, event: WireRow, conn: string): SessionEvent[] {
  const found = bodyOf(text(event.url), text(event.data));
  if (found === null) return [];
  const [market, body] = found;
  const whole = wholes[venue]?.(market, asRow(body));
  return whole === undefined
    ? [{ type: 'body', market, body }]
    : [{ type: 'frame', conn, text: JSON.stringify(whole) }];
}

/** The events of one session of a venue. */
export function sessionOf(venue: string, session: number): SessionEvent[] {
  const toModern = modern[venue]?.() ?? ((frame) => frame);
  const lines = linesOf(venue, session);
  const first = text(lines.find(({ t }) => t === 'recv')?.conn);
  return lines.flatMap((event): SessionEvent[] => {
    if (event.t === 'http') return wholeIn(venue, event, first);
    if (event.t !== 'recv') return [];
    const value: unknown = JSON.parse(textIn(event));
    const frame = 'stream' in asRow(value) ? asRow(value).data : value;
    const conn = text(event.conn);
    const now = Array.isArray(frame) ? frame : toModern({ ...asRow(frame) });
    return [{ type: 'frame', conn, text: JSON.stringify(now) }];
  });
}
