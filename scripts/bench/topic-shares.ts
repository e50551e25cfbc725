/** Which part of what a process did belongs to which topic, by the stacks of a profile. */
import type { Profiler } from 'node:inspector/promises';
import type { Heard, Profiled } from './profiler.ts';

/** The files of each topic; a function counts for the innermost one on its stack. */
const files: Readonly<Record<string, RegExp>> = {
  'reference rate': /\/(views|market|series|topics)\/reference-/,
  fixings: /\/(market|series|topics|routes)\/fixings?\.ts/,
  liquidity: /\/liquidity(-explained)?\.ts/,
  trades: /\/(trades|trade-tape|trade-fold|taker-sums|heard-trades|footprint|taker-flow)\.ts/,
  'levels of books': /\/(live\/levels|routes\/books\/asset-books)\.ts/,
  'dated futures': /\/(views|topics)\/futures\.ts|\/routes\/futures\//,
  scorecard: /\/(scorecard|scorecard-answers|feed-record)\.ts/,
  volatility: /\/(options-volatility|options\/volatility)\.ts/,
  screener: /\/(screener|screener-table|market\/screen)\.ts/,
};

/** The functions of a stream before its messages are told apart: the socket, and the JSON of a frame. */
const socket = /\/(websocket\/\w+|upstream\/socket|streams\/subscribed)\.(js|ts)$/;
const json = /\/upstream\/(frames|json)\.ts$/;
const own = /\/(actors|indicators|cmd)\//;

type Sort = keyof typeof files | 'socket' | 'json' | 'rest' | 'collector' | 'idle';

function sortOf(url: string, name: string): Sort | null {
  if (name === '(idle)') return 'idle';
  if (name === '(garbage collector)' || name === '(program)') return 'collector';
  for (const [topic, pattern] of Object.entries(files)) if (pattern.test(url)) return topic;
  if (json.test(url)) return 'json';
  return socket.test(url) ? 'socket' : null;
}

/** What a function of another file belongs to: where it is called from, but for what is called with a message. */
const inherited = (from: Sort, url: string): Sort =>
  (from === 'socket' || from === 'json') && own.test(url) ? 'rest' : from;

/** Microseconds of each sort. */
function timesOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Map<Sort, number> {
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) =>
      children.map((child): [number, number] => [child, id]),
    ),
  );
  const known = new Map<number, Sort>();
  // Parents come before their children.
  for (const { id, callFrame } of nodes) {
    const { url, functionName } = callFrame;
    const from = known.get(parents.get(id) ?? 0) ?? 'rest';
    known.set(id, sortOf(url, functionName) ?? inherited(from, url));
  }
  const times = new Map<Sort, number>();
  for (const [at, id] of samples.entries()) {
    const sort = known.get(id) ?? 'rest';
    times.set(sort, (times.get(sort) ?? 0) + (timeDeltas[at] ?? 0));
  }
  return times;
}

/**
 * The share of each topic in what the process did, fractions; `all` is their sum. Garbage is divided as the rest is. Of the sockets the
 * streams of trades have the share of their frames, of the JSON that of their characters.
 */
export function sharesOf({ profile, trades, others }: Profiled): Map<string, number> {
  const times = timesOf(profile);
  const at = (sort: Sort) => times.get(sort) ?? 0;
  const part = (of: keyof Heard) => trades[of] / Math.max(1, trades[of] + others[of]);
  const found = new Map(Object.keys(files).map((topic) => [topic, at(topic)]));
  const heard = at('socket') * part('frames') + at('json') * part('characters');
  found.set('trades', at('trades') + heard);
  const busy = [...times].reduce((sum, [sort, time]) => sum + (idle.has(sort) ? 0 : time), 0);
  const shares = [...found].map(([topic, time]): [string, number] => [topic, time / busy]);
  return new Map([...shares, ['all', shares.reduce((sum, [, share]) => sum + share, 0)]]);
}

const idle: ReadonlySet<Sort> = new Set(['idle', 'collector']);
