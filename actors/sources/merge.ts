/**
 * One rule for polls and streams: of two readings of a value the one with the later stated time counts; where one of them states
 * none, the one received later. A poll counts from when it was asked. Before that a row is judged by the guards of its topic: faults are
 * taken out of it, and jumps wait for a second message of any way.
 */

import { isNear, type judge } from '../../indicators/market/checks.ts';
import type { Reason } from '../topics/reasons.ts';
import type { AnyRow, Parsed } from './define.ts';

/** A row as merging sees it; `stated` is Unix ms, as the upstream states it. */
export interface MarketRow extends AnyRow {
  symbol: string;
  stated?: number | null;
  /** Set by the parser, never published. */
  doubt?: unknown;
}

/** Columns that come together, or not at all: null or absent where a message does not have them. */
export interface Group<Row> {
  names: readonly (keyof Row)[];
  /** Age at which they are not shown beside newer values any more, ms. */
  maxAge: number;
  /** The column that states when they were received, where that is another time than that of the row. */
  received?: keyof Row;
}

/** Times of a message, Unix ms. */
export interface Time {
  stated: number | null;
  /** When it was received, or the poll that brought it was asked. */
  heard: number;
  received: number;
  isPolled: boolean;
}

/** What is known of a market. */
export interface Known<Row> {
  row: Row;
  /** Of the first group that the row has. */
  time: Time;
  /** Of each group; undefined for one that no message has had. */
  times: (Time | undefined)[];
  /** When the newest message about it was heard, Unix ms. */
  newest: number;
}

/** The message that a row is of. */
export interface Source<Row> {
  time: Time;
  /**
   * Of a poll the groups that any of its rows has: a row without one of them is known to have none. Null of a stream, whose messages
   * leave out what has not changed, and of a poll in which a request failed.
   */
  brought: ReadonlySet<Group<Row>> | null;
}

/** How the values of several messages become one row. */
export interface MergeForm<Row> {
  /** The first one that a row has states its time. Without any, a row is replaced whole. */
  groups: readonly Group<Row>[];
  /** Changes a merged row in place: values that contradict each other, and those that follow from others. */
  settle?(row: Row, times: readonly (Time | undefined)[]): void;
}

export function isLater(one: Time, other: Time | undefined): boolean {
  if (other === undefined) return true;
  if (one.stated === null || other.stated === null || one.stated === other.stated)
    return one.heard >= other.heard;
  return one.stated > other.stated;
}

export function hasAny<Row>(row: Row, { names }: Group<Row>): boolean {
  for (const name of names) {
    const value = row[name];
    if (value !== null && value !== undefined) return true;
  }
  return false;
}

/** Takes over a value; one that neither row has stays absent. */
function put<Row>(to: Row, from: Row, name: keyof Row): void {
  const value = from[name];
  if (value !== undefined || to[name] !== undefined) to[name] = value;
}

/** Whether a message has a value that is newer than the known one. */
export function hasNews<Row>(
  { groups }: MergeForm<Row>,
  row: Row,
  known: Known<Row>,
  { time, brought }: Source<Row>,
): boolean {
  let at = 0;
  for (const group of groups) {
    const has = brought ? brought.has(group) : hasAny(row, group);
    if (has && isLater(time, known.times[at])) return true;
    at++;
  }
  return groups.length === 0 && isLater(time, known.time);
}

/** The time of a group after a message: that of the message where it has it, else the one before while it is young. */
function timeOf<Row>(
  group: Group<Row>,
  row: Row,
  before: Time | undefined,
  { time, brought }: Source<Row>,
): Time | undefined {
  const isOld = before !== undefined && time.received - before.received > group.maxAge;
  // A group that polls have had and this one does not is gone; one that only the stream has stays.
  const brings = brought ? brought.has(group) || before?.isPolled : hasAny(row, group);
  if (brings && (isOld || isLater(time, before))) return time;
  return isOld ? undefined : before;
}

/**
 * Takes a row of a message into what is known of its market, which may be that row alone: of each group the values with the later time,
 * those known before only while they are young. The row is taken over, and completed in place. True where it has values of several
 * messages now.
 */
export function merge<Row extends { stated?: number | null }>(
  { groups, settle }: MergeForm<Row>,
  known: Known<Row>,
  row: Row,
  source: Source<Row>,
): boolean {
  const { time } = source;
  const { times } = known;
  // A poll is read later than a message that came after it: times of receipt never go back.
  time.received = Math.max(time.received, known.time.received);
  known.newest = Math.max(time.heard, known.newest);
  let isMixed = false;
  let at = 0;
  for (const group of groups) {
    const kept = timeOf(group, row, times[at], source);
    times[at++] = kept;
    if (kept === undefined || kept === time) continue;
    isMixed = true;
    for (const name of group.names) put(row, known.row, name);
  }
  known.row = row;
  known.time = isMixed ? (times[groups.findIndex((group) => hasAny(row, group))] ?? time) : time;
  if (!isMixed) return false;
  settle?.(row, times);
  if (row.stated !== known.time.stated) row.stated = known.time.stated;
  return true;
}

export type Value = number | null | undefined;
export type Verdict = ReturnType<typeof judge>;

/** What cannot be true in a row: the reason that is counted, if it is, and what takes its place; null where nothing is wrong. */
export type Fault<Row> = (row: Row, now: number) => readonly [Reason | null, Partial<Row>] | null;

/** What else is known of a market and an asset, asked where a number has jumped. */
export interface Evidence {
  /** Prices of the asset on all other exchanges, in US dollars to within the rate of the quote. */
  elsewhere(symbol: string): readonly number[];
  /** Mark and index price of a market, at most two minutes old. */
  marks(market: string): readonly number[];
  /** The last price of a market; null without one, and where its part is frozen. */
  price(market: string): number | null;
}

/** A number that may not jump. */
export interface Jump<Row> {
  of(row: Row): Value;
  /** Whether it is another number than that of a message before: by more than 30 % when absent. */
  isFar?(value: number, before: number, row: Row): boolean;
  /** What other numbers say of a first one, or of one that is far: when absent a first one is good, another unconfirmed. */
  judge?(row: Row, last: number | null, evidence: Evidence): Verdict;
  reason: Reason;
  /** What is published in its place; null holds the whole row back. */
  without: Partial<Row> | null;
}

/** The guards of a topic. */
export interface Guards<Row> {
  faults: readonly Fault<Row>[];
  jumps: readonly Jump<Row>[];
}

/** The row without what cannot be true in it; `now` is Unix ms. The reasons are added to `dropped`. */
export function withoutFaults<Row extends AnyRow>(
  { faults }: Guards<Row>,
  row: Row,
  now: number,
  dropped: Parsed<Row>['dropped'],
): Row {
  let good = row;
  for (const fault of faults) {
    const found = fault(good, now);
    if (found === null) continue;
    if (found[0] !== null) dropped.push({ key: row.market, code: found[0] });
    good = { ...good, ...found[1] };
  }
  return good;
}

/** What confirms a number that jumped: the row of another message that waits, if there is one, and other numbers. */
export interface Around<Row> {
  held: Row | undefined;
  evidence: Evidence;
}

/** Where nothing else is known of a number. */
export const unjudged = (last: number | null): Verdict => (last === null ? 'good' : 'unconfirmed');
export const far = (value: number, before: number): boolean => !isNear(value, before);

/**
 * Whether a number waits for the same of a second message; repeating one that its own exchange contradicts proves nothing. User: a bot
 * with a stop loss, which one wrong tick triggers; the second message costs a true crash a moment.
 */
function waits<Row>(
  jump: Jump<Row>,
  row: Row,
  last: Row | undefined,
  { held, evidence }: Around<Row>,
): boolean {
  const value = jump.of(row);
  if (value === null || value === undefined) return false;
  if (!isOther(jump, value, row, last)) return false;
  const before = (last && jump.of(last)) ?? null;
  const verdict = jump.judge?.(row, before, evidence) ?? unjudged(before);
  return (
    verdict === 'contradicted' || (verdict === 'unconfirmed' && isOther(jump, value, row, held))
  );
}

function isOther<Row>(jump: Jump<Row>, value: number, row: Row, known: Row | undefined): boolean {
  const before = known && jump.of(known);
  return typeof before !== 'number' || (jump.isFar ?? far)(value, before, row);
}

/** Why a row, or a part of it, waits for a second message, and what is used of it: null where it is held back whole. */
export interface Objection<Row> {
  row: Row | null;
  codes: ReadonlySet<Reason>;
}

/** What of a row waits, where `last` is the newest good one of its market; null for one that can be used as it is. */
export function objectionTo<Row>(
  { jumps }: Guards<Row>,
  row: Row,
  last: Row | undefined,
  around: Around<Row>,
): Objection<Row> | null {
  let used = row;
  let codes: Set<Reason> | undefined;
  for (const jump of jumps) {
    if (!waits(jump, row, last, around)) continue;
    if (jump.without === null) return { row: null, codes: new Set([jump.reason]) };
    used = { ...used, ...jump.without };
    codes = (codes ?? new Set()).add(jump.reason);
  }
  return codes ? { row: used, codes } : null;
}
