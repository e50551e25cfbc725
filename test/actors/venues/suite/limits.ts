/**
 * What a venue is asked, and how its connections are kept, stay within what it documents: `test/fixtures/<venue>/limits.txt`, by hand.
 * Our own numbers may be smaller; they stand in the venue's folder alone. Lines behind `#` name the source. The others are
 *
 * - `budget NAME COUNT SECONDS`: requests or weight in a time, by budget (`rest.tickers`), else by API (`rest`); `-` where the document
 *   has no number;
 * - `levels PART COUNT` of a book and `rows PART COUNT` of a page of candles at most, `all` for every other part; `-` for any number;
 * - `life HOURS` after which a connection is closed;
 * - `ping SECONDS [WORD]`: it closes a connection that has sent nothing for so long; only where the address has the word;
 * - `pace MS` between two messages of ours, `settle MS` before the first, at least; `channels COUNT` of a connection at most;
 * - `books PART RULE LEVELS`: how messages follow each other, and whether they hold the best levels only, of which one that falls
 *   behind the last is not deleted, or all.
 */
import { readFileSync } from 'node:fs';
import type { Test } from 'tap';
import { isRecord } from '../../../../actors/read.ts';
import type { Wiring } from '../../../../actors/sources/streams/stream.ts';
import type { Venue } from '../../../../actors/sources/venue.ts';
import { withBehind } from './addresses.ts';

/** The words behind the first ones of a line; null where there is no such line. */
type Documented = (...words: readonly string[]) => string[] | null;

function documentedOf({ id }: Venue): Documented {
  const file = new URL(`../../../fixtures/${id}/limits.txt`, import.meta.url);
  const lines = readFileSync(file, 'utf8').split('\n');
  return (...words) => {
    const found = lines.find((line) => line.startsWith(`${words.join(' ')} `));
    return found?.split(' ').slice(words.length) ?? null;
  };
}

/** A number at the place of a line; `absent` where there is no such line, and none for `-`. */
const numberOf = (found: string[] | null, absent: number): number => {
  const [word] = found ?? [];
  if (word === undefined) return absent;
  return word === '-' ? Number.POSITIVE_INFINITY : Number(word);
};

/** Budgets that may take more in their time than is documented, or for which no number stands. */
function budgets({ apis }: Venue, documented: Documented): string[] {
  return Object.entries(apis).flatMap(([api, { budgets: own }]) =>
    Object.entries(own).flatMap(([name, { weight, per }]) => {
      const limit = documented('budget', `${api}.${name}`) ?? documented('budget', api);
      if (!limit) return [`${api}.${name}: no documented number`];
      const [count, seconds] = limit;
      if (count === '-' || weight / per <= Number(count) / (Number(seconds) * 1_000)) return [];
      return [`${api}.${name}: ${weight} in ${per / 1_000} s of ${count} in ${seconds} s`];
    }),
  );
}

/** Books and pages of candles that are asked for with more than is documented. */
function sizes({ parts, queries }: Venue, documented: Documented): string[] {
  const { orderBook, candles } = queries;
  const mostOf = (word: string, part: string) =>
    numberOf(documented(word, part) ?? documented(word, 'all'), 0);
  return parts.flatMap((part) => {
    const { cap = 0, most = 0 } = orderBook ?? {};
    const depth = Math.max(cap, typeof most === 'number' ? most : (most[part] ?? cap));
    const page = candles?.page ?? 0;
    return [
      ...(depth <= mostOf('levels', part) ? [] : [`book of ${part}: ${depth} levels`]),
      ...(page <= mostOf('rows', part) ? [] : [`candles of ${part}: ${page} rows`]),
    ];
  });
}

const second = 1_000;

/** Streams by topic and part. */
const streamsOf = ({ live, events, trades, books }: Venue): [string, Partial<Wiring>][] =>
  Object.entries<object>({
    ...live,
    ...events,
    trades: withBehind(trades),
    books: withBehind(books),
  }).flatMap(([topic, parts]) =>
    Object.entries(parts).flatMap(([part, stream]): [string, Partial<Wiring>][] =>
      isRecord(stream) ? [[`${topic} of ${part}`, stream]] : [],
    ),
  );

const isWithin = (value: number, least: number, most: number) => value >= least && value <= most;

/** The rules of a connection: its words, and whether it keeps them. */
const rules: Readonly<
  Record<string, (stream: Partial<Wiring>, documented: Documented, name: string) => boolean>
> = {
  pings({ keepAlive, url = '' }, documented) {
    const [ping, word = ''] = documented('ping') ?? [];
    if (ping === undefined || !url.includes(word)) return true;
    return isWithin((keepAlive?.every ?? Number.POSITIVE_INFINITY) / second, 1, Number(ping));
  },
  channels: ({ perConnection = 1 }, documented) =>
    isWithin(perConnection, 1, numberOf(documented('channels'), 1_000)),
  settles: ({ settle = 0 }, documented) =>
    isWithin(settle, numberOf(documented('settle'), 0), 5 * second),
  // Quiet markets are silent for some seconds; a dead connection is noticed within two minutes.
  silence: ({ silence = 0 }) => isWithin(silence, 20 * second, 120 * second),
  life: ({ lifetime = 0 }, documented) =>
    lifetime <= numberOf(documented('life'), Number.POSITIVE_INFINITY) * 3_600 * second,
  // Of all markets there is one message; of single ones there are many, which keep their distance.
  pace({ pace = 0 }, documented, name) {
    const isOfMany = /^(books|trades)/.test(name);
    return isWithin(pace, isOfMany ? numberOf(documented('pace'), 0) : 0, 2 * second);
  },
};

export function limits(t: Test, venue: Venue): void {
  const documented = documentedOf(venue);
  t.strictSame([...budgets(venue, documented), ...sizes(venue, documented)], [], 'requests');
  const flaws = streamsOf(venue).flatMap(([name, stream]) =>
    Object.entries(rules).flatMap(([rule, keeps]) =>
      keeps(stream, documented, name) ? [] : [`${name}: ${rule}`],
    ),
  );
  t.strictSame(flaws, [], 'connections');
  for (const [part, stream] of Object.entries(withBehind(venue.books))) {
    const found = [stream.rule, stream.window ? 'best' : 'all'];
    t.strictSame(found, documented('books', part) ?? undefined, `how books of ${part} follow`);
  }
}
