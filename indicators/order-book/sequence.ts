/** Whether a message about a book follows the ones before it. Pure. */

/** A number that counts changes: exact as it is up to 2^53, as a bigint above. */
export type Count = number | bigint;

/** The numbers that exchanges give their messages; which of them there are depends on the rule. */
export interface Sequence {
  /** First and last change in the message. */
  first?: Count | undefined;
  last?: Count | undefined;
  /** The last change of the message before. */
  previous?: Count | undefined;
}

/**
 * How the messages of a stream follow each other.
 * - `counted`: the first change is the one after the last change before (`U` = `u` + 1).
 * - `chained`: a message names the last change before it (`pu` = `u`).
 * - `whole`: every message is a whole book; the newest counts, by its number or its time.
 * - `none`: a checksum alone decides, or messages are counted by connection.
 */
export type Rule = 'counted' | 'chained' | 'whole' | 'none';

/** `skip`: it is in the book already. `gap`: something is missing before it. */
export type Verdict = 'apply' | 'skip' | 'gap';

/**
 * The verdict on an update after a book whose last change is `last`. Examples: 5 is followed by 6 to 8 (`counted`) or
 * by the message that names 5 (`chained`); 3 to 5 is in it already; 7 to 8 is a gap.
 *
 * `seeded`: the book is a snapshot that was asked for beside the stream. The first message may then begin before its
 * end: 5 is followed by 3 to 8, or by one that names 2 and ends at 8. Where it names a message before it, its own first change does not
 * matter: all markets of an exchange may share the numbers, and 5 be that of another one.
 */
export function follows(
  rule: Rule,
  last: Count | undefined,
  update: Sequence,
  seeded = false,
): Verdict {
  if (rule === 'none' || rule === 'whole') return 'apply';
  const { last: end } = update;
  if (last === undefined || end === undefined) return 'gap';
  return rule === 'counted'
    ? counted(last, update, end, seeded)
    : chained(last, update, end, seeded);
}

/** The count after this one; a number and a bigint are never equal, so it has the type that a reader would give it. */
function after(count: Count): Count {
  if (typeof count === 'bigint') return count + 1n;
  return count < Number.MAX_SAFE_INTEGER ? count + 1 : BigInt(count) + 1n;
}

function counted(last: Count, { first }: Sequence, end: Count, seeded: boolean): Verdict {
  if (end <= last) return 'skip';
  if (first === after(last)) return 'apply';
  return seeded && first !== undefined && first <= last ? 'apply' : 'gap';
}

/**
 * A message that names our last change is the next one, even where its own number is smaller: the exchange has begun again. One that
 * names none follows nothing.
 */
function chained(last: Count, { previous }: Sequence, end: Count, seeded: boolean): Verdict {
  if (previous === last) return 'apply';
  if (previous === undefined) return 'gap';
  if (seeded ? end < last : end <= last) return 'skip';
  return seeded && previous < last ? 'apply' : 'gap';
}
