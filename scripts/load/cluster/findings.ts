/** What a run found, line by line. */
import type { Role } from './service.ts';

/** One line; with a bound it is a goal. */
export interface Finding {
  name: string;
  found: string;
  bound?: string;
  ok?: boolean;
}

export const note = (name: string, found: string): Finding => ({ name, found });

/** A goal: at most so many. */
export const most = (
  name: string,
  found: number,
  bound: number,
  text: (value: number) => string = String,
): Finding => ({ name, found: text(found), bound: `at most ${text(bound)}`, ok: found <= bound });

/** A goal: without any the run says nothing. */
export const some = (name: string, found: number): Finding => ({
  name,
  found: String(found),
  bound: 'some',
  ok: found > 0,
});

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** `2 feed, 1 redis`. */
export const listed = (counts: Iterable<readonly [string, number]>): string =>
  [...counts].map(([cause, number]) => `${number} ${cause}`).join(', ') || '-';

/** The findings as text, a line each. */
export const textOf = (findings: readonly Finding[]): string =>
  findings
    .map(({ name, found, bound, ok }) => {
      const word = ok === undefined ? '' : ok ? 'ok' : 'MISSED';
      return `${word.padEnd(8)}${name}: ${found}${bound === undefined ? '' : ` (${bound})`}`;
    })
    .join('\n');

/** A kill, Unix ms; the server that was the master counts until another one answers. */
export interface Kill {
  role: Role;
  at: number;
  /** When its successor was started. */
  until: number;
}

/** An answer's newest reading is this old when it is sent, ms. */
export interface Age {
  at: number;
  age: number;
}

/** Milliseconds after a kill to which an age still is put down. */
const aftermath = 5_000;

/**
 * The longest age of a price by its cause, ms: the kills within its time or shortly before, of Redis if one of them was
 * of it, else of a feed.
 */
export function longestAges(ages: readonly Age[], kills: readonly Kill[]) {
  const longest = { redis: 0, feed: 0, other: 0 };
  for (const { at, age } of ages) {
    const near = kills.filter((kill) => kill.at <= at && kill.until + aftermath >= at - age);
    const roles = new Set(near.map(({ role }) => role));
    const cause = roles.has('redis') ? 'redis' : roles.has('feed') ? 'feed' : 'other';
    longest[cause] = Math.max(longest[cause], age);
  }
  return longest;
}

export function ageFindings(ages: readonly Age[], kills: readonly Kill[]): Finding[] {
  const { feed, redis, other } = longestAges(ages, kills);
  return [
    most('age of the price after a kill of a feed', feed, 8_000, seconds),
    most('age of the price after a kill of Redis', redis, 15_000, seconds),
    note('age of the price otherwise', seconds(other)),
  ];
}
