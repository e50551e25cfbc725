/** How a row is judged by the guards of its topic: faults are taken out of it, and jumps wait for a second message of any way. */
import { isNear, type judge } from '../../../indicators/market/checks.ts';
import type { Reason } from '../../topics/reasons.ts';
import type { AnyRow, Parsed } from '../define.ts';

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
