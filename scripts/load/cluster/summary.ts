/** What a run found, its goals and its text. */

import type { Age } from './requests.ts';
import { type GroupAccount, groups } from './requests.ts';
import type { Role } from './service.ts';
import type { EventFindings } from './streams.ts';
import type { Compared } from './truth.ts';

/** A kill, Unix ms; the server that was the master counts until another one answers. */
export interface Kill {
  role: Role;
  at: number;
  /** When its successor was started. */
  until: number;
}

/** Longest age of the price of the first symbol, ms, by what had been killed. */
export interface Ages {
  redis: number;
  feed: number;
  other: number;
}

/** Milliseconds after a kill to which an age still is put down. */
const aftermath = 5_000;

/**
 * An age is put down to the kills within its time or shortly before: to Redis if one of them was of it, else to a feed. It
 * may be the kill of another process that came in the same seconds.
 */
export function longestAges(ages: readonly Age[], kills: readonly Kill[]): Ages {
  const longest: Ages = { redis: 0, feed: 0, other: 0 };
  for (const { at, age } of ages) {
    const near = kills.filter((kill) => kill.at <= at && kill.until + aftermath >= at - age);
    const roles = new Set(near.map(({ role }) => role));
    const cause = roles.has('redis') ? 'redis' : roles.has('feed') ? 'feed' : 'other';
    longest[cause] = Math.max(longest[cause], age);
  }
  return longest;
}

interface GroupFigures {
  /** What answers: `memory`, or the role of another process. */
  by: string;
  asked: number;
  answered: number;
  refused: Record<string, number>;
  failed: Record<string, number>;
  longest_503_ms: number;
}

export interface Figures {
  kills: Record<Role, number>;
  /** Processes that ended by themselves. */
  died: number;
  groups: Record<string, GroupFigures>;
  unsent: number;
  retried: number;
  values: Compared;
  events: Pick<EventFindings, 'repeated' | 'beyond'> & {
    missing: number;
    /** The first few missing ones as text. */
    examples: string[];
    logged: number;
    doubled: number;
    unordered: number;
    unrecovered: number;
  };
  prices: { messages: number; unordered: number; repeated: number };
  clients: { count: number; connections: number; refused: number; errors: Record<string, number> };
  ages: Ages;
  sources: number;
  /** Until every source had one holder again, ms: the longest time, and after the last kill; null where it was never. */
  vacancy: { longest: number; last: number | null };
  /** Shares of the feed processes at the end, 0 to 1, descending. */
  shares: number[];
  keys: {
    made: number;
    revoked: number;
    refused: number;
    asked: number;
    worked: number;
    lost: number;
  };
}

const plain = (map: ReadonlyMap<string, number>): Record<string, number> =>
  Object.fromEntries([...map].sort(([, a], [, b]) => b - a));

export const groupFigures = (
  accounts: ReadonlyMap<string, GroupAccount>,
): Record<string, GroupFigures> =>
  Object.fromEntries(
    [...accounts].map(([name, account]) => [
      name,
      {
        by: groups[name]?.by ?? '',
        asked: account.asked,
        answered: account.answered,
        refused: plain(account.refused),
        failed: plain(account.failed),
        longest_503_ms: Math.round(account.longest503),
      },
    ]),
  );

interface Goal {
  name: string;
  found: string;
  bound: string;
  ok: boolean;
}

const total = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, one) => sum + one, 0);
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
const percent = (share: number): string => `${Math.round(100 * share)} %`;

/** The goals of a run, and whether they were reached. */
export function goalsOf(figures: Figures): Goal[] {
  const { values, events, prices, ages, keys, shares, vacancy } = figures;
  const most = (
    name: string,
    found: number,
    bound: number,
    text: (value: number) => string = String,
  ): Goal => ({
    ...{ name, found: text(found), bound: `at most ${text(bound)}`, ok: found <= bound },
  });
  const memory = Object.values(figures.groups).filter(({ by }) => by === 'memory');
  const unanswered = memory.reduce((sum, one) => sum + total(one.refused) + total(one.failed), 0);
  const checked = values.checked > 0 && events.logged > 0;
  return [
    { name: 'values were compared', found: String(values.checked), bound: 'some', ok: checked },
    most('processes that ended by themselves', figures.died, 0),
    most('wrong values', values.wrong, 0),
    most('events that clients miss', events.missing, 0),
    most('events that came twice', events.repeated, 0),
    most('messages out of order', events.unordered + prices.unordered, 0),
    most('requests answerable from memory that were not answered', unanswered, 0),
    most('age of the price after a kill of a feed', ages.feed, 8_000, seconds),
    most('age of the price after a kill of Redis', ages.redis, 15_000, seconds),
    {
      name: 'every source has one holder at the end',
      found: vacancy.last === null ? 'no' : `after ${seconds(vacancy.last)}`,
      bound: 'yes',
      ok: vacancy.last !== null,
    },
    ...(shares.length === 3
      ? [
          {
            name: 'sources of each of three feeds',
            found: shares.map(percent).join(', '),
            bound: '25 to 42 %',
            ok: shares.every((share) => share >= 0.25 && share <= 0.42),
          },
        ]
      : []),
    most('revoked keys that worked', keys.worked, 0),
    most('keys that were lost', keys.lost, 0),
  ];
}

const listed = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([cause, number]) => `${number} ${cause}`)
    .join(', ') || '-';

/** The figures as text: what was killed, a line for each group, the streams, the goals. */
export function summaryText(figures: Figures): string {
  const { events, prices, clients, ages, vacancy, values, keys } = figures;
  const lines = Object.entries(figures.groups).map(([name, one]) => {
    const head = `${name.padEnd(14)}${one.by.padEnd(8)}${`${one.answered}/${one.asked}`.padEnd(13)}`;
    const rest = `refused: ${listed(one.refused)}; failed: ${listed(one.failed)}`;
    return `  ${head}503 for ${seconds(one.longest_503_ms).padEnd(8)}${rest}`;
  });
  const goals = goalsOf(figures).map(({ name, found, bound, ok }) => {
    return `  ${ok ? 'ok    ' : 'MISSED'} ${name}: ${found} (${bound})`;
  });
  return [
    `killed: ${listed(figures.kills)}`,
    'requests: answered of asked, longest time of 503 alone',
    ...lines,
    `  sent again to another process: ${figures.retried}; not sent, too many open: ${figures.unsent}`,
    `values: ${values.checked} compared, ${values.wrong} wrong, ${values.unknown} of markets that are not in the model`,
    ...values.examples.map((one) => `  ${one}`),
    `streams: ${clients.count} clients, ${clients.connections} connections, ${clients.refused} attempts in vain; errors: ${listed(clients.errors)}`,
    `  events: ${events.logged} logged (${events.doubled} of them twice), ${events.missing} missing, ${events.repeated} repeated, ${events.beyond} not in the log, ${events.unordered} out of order, ${events.unrecovered} times not recovered`,
    ...events.examples.map((one) => `  missing: ${one}`),
    `  prices: ${prices.messages} messages, ${prices.unordered} out of order, ${prices.repeated} repeated`,
    `age of the price: ${seconds(ages.feed)} after a feed, ${seconds(ages.redis)} after Redis, ${seconds(ages.other)} otherwise`,
    `sources: ${figures.sources}; not all had a holder for ${seconds(vacancy.longest)} at most, ${vacancy.last === null ? 'and have none at the end' : `${seconds(vacancy.last)} after the last kill`}; of each feed: ${figures.shares.map(percent).join(', ')}`,
    `keys: ${keys.made} made, ${keys.revoked} revoked, ${keys.refused} changes refused; of ${keys.asked} questions ${keys.worked} with a revoked key worked, ${keys.lost} with a good one were refused as unknown`,
    'goals:',
    ...goals,
  ].join('\n');
}
