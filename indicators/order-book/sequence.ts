/** Whether a message about a book follows the ones before it. Pure. */

/** The numbers that exchanges give their messages; which of them there are depends on the rule. */
export interface Sequence {
  /** First and last change in the message. */
  first?: number | undefined;
  last?: number | undefined;
  /** The last change of the message before. */
  previous?: number | undefined;
}

/**
 * How the messages of a stream follow each other.
 * - `counted`: the first change is the one after the last change before (`U` = `u` + 1).
 * - `chained`: a message names the last change before it (`pu` = `u`).
 * - `growing`: the last change grows; a message that is lost is not noticed by it.
 * - `whole`: every message is a whole book; the newest counts, by its number or its time.
 * - `none`: a checksum alone decides, or messages are counted by connection.
 */
export type Rule = 'counted' | 'chained' | 'growing' | 'whole' | 'none';

/** `skip`: it is in the book already. `gap`: something is missing before it. */
export type Verdict = 'apply' | 'skip' | 'gap';

/**
 * The verdict on an update after a book whose last change is `last`. Examples: 5 is followed by 6 to 8 (`counted`) or
 * by the message that names 5 (`chained`); 3 to 5 is in it already; 7 to 8 is a gap.
 *
 * `seeded`: the book is a snapshot that was asked for beside the stream. The first message may then begin before its
 * end: 5 is followed by 3 to 8, or by one that names 2 and ends at 8.
 */
export function follows(
  rule: Rule,
  last: number | undefined,
  update: Sequence,
  seeded = false,
): Verdict {
  if (rule === 'none' || rule === 'whole') return 'apply';
  const { last: end } = update;
  if (last === undefined || end === undefined) return 'gap';
  if (rule === 'growing') return end > last ? 'apply' : 'skip';
  return rule === 'counted'
    ? counted(last, update, end, seeded)
    : chained(last, update, end, seeded);
}

function counted(last: number, { first }: Sequence, end: number, seeded: boolean): Verdict {
  if (end <= last) return 'skip';
  if (first === last + 1) return 'apply';
  return seeded && first !== undefined && first <= last ? 'apply' : 'gap';
}

/** A message that names our last change is the next one, even where its own number is smaller: the exchange has begun again. */
function chained(
  last: number,
  { first, previous }: Sequence,
  end: number,
  seeded: boolean,
): Verdict {
  if (previous === last) return 'apply';
  if (seeded ? end < last : end <= last) return 'skip';
  const begin = first ?? previous;
  return seeded && begin !== undefined && begin <= last ? 'apply' : 'gap';
}
