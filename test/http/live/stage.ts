/** The streams of a server without its sockets. */

import * as s from '../../../actors/topics/schema.ts';
import type { Interval } from '../../../config/pace.ts';
import type { Deliveries } from '../../../http/answers/deliveries.ts';
import { EventLog } from '../../../http/answers/event-log.ts';
import { type Snapshot, snapshotOf } from '../../../http/answers/snapshots.ts';
import { Source } from '../../../http/answers/source.ts';
import { Counters } from '../../../http/endpoints/counters.ts';
import { Endpoint } from '../../../http/endpoints/endpoint.ts';
import type { Route } from '../../../http/endpoints/route.ts';
import type { SubscriptionOptions } from '../../../http/live/subscription.ts';
import { Topics } from '../../../http/live/topics.ts';
import type { Quota } from '../../../http/quota/quota.ts';
import { Files } from '../../../http/server/files.ts';
import { Live } from '../../../http/server/streams/live.ts';
import { type ApiError, apiError, isApiError } from '../../../http/wire/errors.ts';
import { createHeads } from '../../../http/wire/head.ts';
import { Held } from '../../../http/wire/held.ts';
import { InFlightCounts } from '../../../http/wire/in-flight.ts';
import { FakeClock } from '../../support/clock.ts';
import { echo, later, reads } from '../../support/http.ts';
import { alice, gateOf } from '../../support/quota.ts';

const symbol = { type: 'string', description: 'The asset' } as const;
const exchange = { ...symbol, enum: ['okx', 'gate'] } as const;
const defaults: SubscriptionOptions = { mode: 'full', every: 0 };

/** The rows of a server whose answers a test sets; `changes` announces them by symbol. */
function rowsOf(answers: Map<string, Snapshot | ApiError>, changes: Source): Route[] {
  const view = ({ symbol: asset = 'ALL' }: { symbol?: unknown }) =>
    answers.get(String(asset)) ?? apiError('unknown_symbol', 'no such symbol');
  const from = {
    view,
    listen: ({ symbol: asset = 'ALL' }: { symbol?: unknown }, listener: () => void) =>
      changes.listen([String(asset)], listener),
  };
  const log = () => ({ log: new EventLog(), limit: 5, item: (event: object) => event });
  const stuck = () => {
    const never = new EventLog();
    never.begin = () => new Promise(() => {});
    return { ...log(), log: never };
  };
  return [
    echo({ path: '/v1/prices', params: { symbol }, access: 'key', from }),
    echo({ path: '/v1/by/{name}', params: { name: { ...symbol, required: true } } }),
    echo({ path: '/v1/by/all', params: { exchange, symbol }, free: true }),
    echo({
      path: '/v1/asked',
      params: { symbol },
      levels: true,
      followEvery: (text) => (text.includes('"soon"') ? 250 : 5_000),
      from: later(() => answers.get('asked') as Snapshot),
    }),
    echo({ path: '/v1/rated', answer: s.list(s.object({ rate: s.number() })) }),
    echo({ path: '/v1/share', budget: 'dex', from: later(() => snapshotOf({})) }),
    echo({ path: '/v1/log', from: { ...reads(() => snapshotOf({})), log } }),
    echo({ path: '/v1/stuck', from: { ...reads(() => snapshotOf({})), log: stuck } }),
    echo({ path: '/v1/page', from: { raw: () => ({ contentType: 'text/plain', body: '' }) } }),
    echo({ path: '/v1/here', local: true }),
    echo({ path: '/v1/mine', access: 'bearer' }),
    echo({ path: '/v1/made', method: 'POST' }),
  ];
}

/** The symbols that `symbol=*` means. */
const listOf = (held: { symbols: readonly string[] }, listed: Source) => ({
  all: () => held.symbols,
  listen: (listener: () => void) => void listed.listen(undefined, listener),
});

interface Options {
  quota?: Quota;
  gated?: boolean;
  symbols?: readonly string[];
  most?: number;
  every?: Interval;
  clock?: FakeClock;
  deliveries?: Deliveries;
}

/** The streams of a server, and clients of them. */
export function stage(options: Options = {}) {
  const { quota, gated = false, symbols = ['BTC', 'ETH'], most, every = 100 } = options;
  const { clock = new FakeClock() } = options;
  /** Who takes part in each group, and how often something was published. */
  const groups = new Map<string, Set<(text: string) => void>>();
  const published = { times: 0 };
  const logged: object[] = [];
  const answers = new Map<string, Snapshot | ApiError>();
  const [changes, listed] = [new Source(), new Source()];
  const held = {
    symbols: [...symbols],
    keys: new Set(['good']),
    /** Answers that are asked for come after it. */
    asked: Promise.resolve(),
  };
  const list = (name: string) => {
    held.symbols.push(name);
    listed.change();
  };
  const rows = rowsOf(answers, changes);
  const counters = new Counters(rows, clock);
  const topics = new Topics({
    clock,
    every,
    symbols: listOf(held, listed),
    publish: (name, { bytes }) => {
      published.times += 1;
      for (const receive of groups.get(name) ?? []) receive(bytes.toString());
    },
    deliveries: options.deliveries,
    log: { error: (fields: object) => void logged.push(fields) },
  });
  const gate = { ...gateOf({ good: alice }), holds: (key: string) => held.keys.has(key) };
  const around = {
    clock,
    counters,
    log: { info: () => {}, error: (fields: object) => void logged.push(fields) },
    queries: {
      known: () => null,
      once: async () => apiError('internal'),
      read: async () => {
        await held.asked;
        return answers.get('asked') ?? apiError('upstream_failed');
      },
    },
  };
  const endpoints = rows.map((row) => new Endpoint(row, around));
  topics.serve(endpoints);
  const shared = {
    ...around,
    topics,
    heads: createHeads(['*']),
    bodies: new Held({ most: 0, ofClient: 0 }),
    unsent: new Held({ most: 0, ofClient: 0 }),
    guard: {
      quota,
      gate: gated ? gate : undefined,
      addressOf: () => 'a',
      isProxied: false,
      isLocal: () => true,
    },
    inFlight: new InFlightCounts(),
    inFlightPerAddress: 1,
    access: null,
    waiting: new Set<() => void>(),
    stopping: false,
    files: new Files(around),
  };
  const live = new Live(shared, most);
  /** A client, `key` where it has one. */
  function connect({ key = '', address = 'a', grouped = false } = {}) {
    const state = {
      full: false,
      beats: 0,
      ended: [] as number[],
      sent: [] as Sent[],
      failed: [] as [unknown, string][],
      /** Messages of this subscription cannot be sent. */
      broken: null as unknown,
    };
    const receive = (text: string) => void state.sent.push(JSON.parse(text));
    const taking = {
      format: 'json',
      join: (name: string) => void groups.set(name, (groups.get(name) ?? new Set()).add(receive)),
      leave: (name: string) => void groups.get(name)?.delete(receive),
    } as const;
    const session = live.open(
      { address, caller: key === '' ? null : alice, key },
      {
        get full() {
          return state.full;
        },
        ...(grouped && { groups: taking }),
        write({ id }, { event, members }, path) {
          if (id === state.broken) throw new Error('broken');
          state.sent.push({ type: event, id, path, ...JSON.parse(`{${members.slice(1)}}`) });
        },
        fail: ({ id }, { error }) => void state.failed.push([id, error]),
        end: (code) => void state.ended.push(code),
      },
    );
    if (isApiError(session)) return session.message;
    const look = () => {
      state.beats += 1;
      return state.full;
    };
    const connection = { transport: 'socket', session, look } as const;
    live.add(connection);
    /** The new messages, or the error. */
    const follow = async (
      path: string,
      options: Partial<SubscriptionOptions> = {},
      id: string | number = path,
    ) => {
      const before = state.sent.length;
      const refusal = await session.subscribe(id, path, { ...defaults, ...options });
      return refusal === null ? state.sent.slice(before) : refusal.message;
    };
    const end = () => live.remove(connection);
    return { state, session, follow, end, unsubscribe: (id: string) => session.unsubscribe(id) };
  }
  const set = async (name: string, data: object | ApiError) => {
    answers.set(name, isApiError(data) ? data : snapshotOf(data));
    changes.change([name]);
    await clock.advance(100);
  };
  return {
    clock,
    published,
    logged,
    answers,
    changes,
    list,
    held,
    topics,
    live,
    shared,
    connect,
    set,
    endpoints,
  };
}

export interface Sent {
  type: string;
  id: unknown;
  path: string | null;
  [member: string]: unknown;
}

/** A client that must have been let in. */
export function clientOf(
  { connect }: ReturnType<typeof stage>,
  given?: { key?: string; address?: string; grouped?: boolean },
) {
  const client = connect(given);
  if (typeof client === 'string') throw new Error(client);
  return client;
}
