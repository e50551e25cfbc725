/** What a run found, its goals and its text. */

import type { Keys } from './keys.ts';
import { type Age, type GroupAccount, groups } from './requests.ts';
import type { Role } from './service.ts';
import type { StoredFindings } from './stored.ts';
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

export interface Figures {
  kills: Record<Role, number>;
  /** Processes that ended by themselves. */
  died: number;
  groups: ReadonlyMap<string, GroupAccount>;
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
  /** Null where nobody has asked. */
  stored: StoredFindings | null;
  prices: {
    messages: number;
    unordered: number;
    repeated: number;
    unfit: number;
    /** Clients that have nothing new at the end. */
    behind: number;
  };
  clients: { count: number; connections: number; refused: number; errors: Record<string, number> };
  ages: Ages;
  sources: number;
  /** Until every source had one holder again, ms: the longest time, and after the last kill; null where it was never. */
  vacancy: { longest: number; last: number | null };
  /** Shares of the feed processes at the end, 0 to 1, descending. */
  shares: number[];
  keys: Pick<Keys, 'made' | 'revoked' | 'refused' | 'asked' | 'worked' | 'lost'>;
}

interface Goal {
  name: string;
  found: string;
  bound: string;
  ok: boolean;
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
const percent = (share: number): string => `${Math.round(100 * share)} %`;

/** The goals of a run, and whether they were reached. */
export function goalsOf(figures: Figures): Goal[] {
  const { values, events, stored, prices, ages, keys, shares, vacancy } = figures;
  const most = (
    name: string,
    found: number,
    bound: number,
    text: (value: number) => string = String,
  ): Goal => ({
    ...{ name, found: text(found), bound: `at most ${text(bound)}`, ok: found <= bound },
  });
  const memory = [...figures.groups].filter(([name]) => groups[name]?.by === 'memory');
  const unanswered = memory.reduce((sum, [, { asked, answered }]) => sum + asked - answered, 0);
  const checked = values.checked > 0 && events.logged > 0;
  return [
    { name: 'values were compared', found: String(values.checked), bound: 'some', ok: checked },
    most('processes that ended by themselves', figures.died, 0),
    most('wrong values', values.wrong, 0),
    most('events that clients miss', events.missing, 0),
    most('events that came twice', events.repeated, 0),
    most('messages out of order', events.unordered + prices.unordered, 0),
    most('patches of another version', prices.unfit, 0),
    most('clients that are behind at the end', prices.behind, 0),
    ...(stored === null
      ? []
      : [
          {
            name: 'events were stored',
            found: `${stored.rows}`,
            bound: 'some',
            ok: stored.rows > 0,
          },
          most('events of the log that are not stored', stored.missing, 0),
          most('events that are stored twice', stored.repeated, 0),
        ]),
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

const listed = (counts: Iterable<[string, number]>): string =>
  [...counts].map(([cause, number]) => `${number} ${cause}`).join(', ') || '-';

/** The figures as text: what was killed, a line for each group, the streams, the goals. */
export function summaryText(figures: Figures): string {
  const { events, prices, clients, ages, vacancy, values, keys } = figures;
  const lines = [...figures.groups].map(([name, one]) => {
    const by = groups[name]?.by ?? '';
    const head = `${name.padEnd(14)}${by.padEnd(8)}${`${one.answered}/${one.asked}`.padEnd(13)}`;
    const rest = `refused: ${listed(one.refused)}; failed: ${listed(one.failed)}`;
    return `  ${head}503 for ${seconds(one.longest503).padEnd(8)}${rest}`;
  });
  const goals = goalsOf(figures).map(({ name, found, bound, ok }) => {
    return `  ${ok ? 'ok    ' : 'MISSED'} ${name}: ${found} (${bound})`;
  });
  return [
    `killed: ${listed(Object.entries(figures.kills))}`,
    'requests: answered of asked, longest time of 503 alone',
    ...lines,
    `  sent again to another process: ${figures.retried}; not sent, too many open: ${figures.unsent}`,
    `values: ${values.checked} compared, ${values.wrong} wrong, ${values.unknown} of markets that are not in the model`,
    ...values.examples.map((one) => `  ${one}`),
    `streams: ${clients.count} clients, ${clients.connections} connections, ${clients.refused} attempts in vain; errors: ${listed(Object.entries(clients.errors))}`,
    `  events: ${events.logged} logged (${events.doubled} of them twice), ${events.missing} missing, ${events.repeated} repeated, ${events.beyond} not in the log, ${events.unordered} out of order, ${events.unrecovered} times not recovered`,
    ...events.examples.map((one) => `  missing: ${one}`),
    `  prices: ${prices.messages} messages, ${prices.unordered} out of order, ${prices.repeated} repeated, ${prices.unfit} patches of another version, ${prices.behind} clients behind`,
    `age of the price: ${seconds(ages.feed)} after a feed, ${seconds(ages.redis)} after Redis, ${seconds(ages.other)} otherwise`,
    `sources: ${figures.sources}; not all had a holder for ${seconds(vacancy.longest)} at most, ${vacancy.last === null ? 'and have none at the end' : `${seconds(vacancy.last)} after the last kill`}; of each feed: ${figures.shares.map(percent).join(', ')}`,
    `keys: ${keys.made} made, ${keys.revoked} revoked, ${keys.refused} changes refused; of ${keys.asked} questions ${keys.worked} with a revoked key worked, ${keys.lost} with a good one were refused as unknown`,
    'goals:',
    ...goals,
  ].join('\n');
}
