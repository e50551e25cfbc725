/** Parts of the page of the service: budgets of sources, the scorecard, and what is recorded. */
import { duration, fixed, time } from '../format.ts';
import type { LivePart } from '../part.ts';
import { at, type HistoryCoverageItem, type Status, type StatusBudget } from '../request.ts';
import { tablePart } from '../table-part.ts';

const share = (part: number) => `${fixed(part * 100, 1)} %`;
const count = (value: number) => fixed(value, 0);
const ms = (value: number) => `${fixed(value, 0)} ms`;
const moment = (at: number) => time(at, 'minute');

const minute = 60_000;
/** Shares from which a budget is nearly used up, and below which a topic was down for a while. */
const [high, low] = [0.8, 0.99];

const usedShare = ({ used_weight, weight }: StatusBudget) => used_weight / weight;
const upTone = (up: number | null) => (up !== null && up < low ? 'warn' : '');

const statusPath = at('/v1/status', {});
const statusEvery = 2_000;

const tones: Readonly<Record<string, string>> = { up: 'up', degraded: 'warn', down: 'down' };
const order = ['down', 'degraded', 'up'];
const well = new Set(['up', 'standby', 'closed']);

/** A source with the age of its newest reading, ms, and its feeds that are not well; those that are down come first. */
const sourcesOf = ({ sources }: Status) =>
  Object.entries(sources)
    .map(([source, { state, feeds }]) => ({
      source,
      state,
      age_ms: feeds.reduce<number | null>(
        (least, { age_ms: age }) => (age === null ? least : Math.min(least ?? age, age)),
        null,
      ),
      failing: feeds
        .filter((feed) => !well.has(feed.state))
        .map(({ topic, part, state: of }) => `${topic} ${part}: ${of}`)
        .join(', '),
    }))
    .sort(
      (a, b) => order.indexOf(a.state) - order.indexOf(b.state) || a.source.localeCompare(b.source),
    );

export const sourcesPart = (): LivePart =>
  tablePart({
    title: 'Sources',
    about(status) {
      const all = Object.values(status.sources);
      return `${all.filter(({ state }) => state === 'up').length} of ${all.length} are up`;
    },
    name: 'sources',
    path: statusPath,
    every: statusEvery,
    open: true,
    isWide: true,
    isTall: true,
    rows: sourcesOf,
    search: ({ source, state, failing }) => `${source} ${state} ${failing}`,
    columns: [
      { head: 'Source', of: ({ source }) => source },
      { head: 'State', of: ({ state }) => state, tone: ({ state }) => tones[state] ?? '' },
      { head: 'Newest', of: (one) => one.age_ms, as: (age) => `${duration(age)} ago` },
      {
        head: 'Not well',
        of: ({ failing }) => failing,
        tone: () => 'soft rest',
        hint: ({ failing }) => failing,
      },
    ],
    none: 'The first readings come within a minute.',
  });

export const processesPart = (): LivePart =>
  tablePart({
    title: 'Processes',
    about: 'Of this service; delay: of the event loop',
    name: 'processes',
    path: statusPath,
    every: statusEvery,
    open: true,
    isWide: true,
    rows: ({ processes }) => processes,
    key: ({ id }) => id,
    columns: [
      { head: 'Role', of: (one) => one.role },
      { head: 'Process', of: (one) => one.id, tone: () => 'soft' },
      { head: 'Host', of: (one) => one.host, tone: () => 'soft' },
      { head: 'Started', of: (one) => one.started, as: moment },
      {
        head: 'Memory',
        of: (one) => one.rss_bytes,
        as: (size) => `${fixed(size / 2 ** 20, 0)} MiB`,
      },
      { head: 'Delay, p99', of: (one) => one.loop_p99_ms, as: (delay) => `${fixed(delay, 1)} ms` },
    ],
    none: 'No process has said that it is there yet.',
  });

export const budgetsPart = (): LivePart =>
  tablePart({
    title: 'Budgets',
    about:
      'Requests by weight that the processes of this service have sent, of what each source allows; what is not used is left out',
    name: 'budgets',
    path: statusPath,
    every: statusEvery,
    open: true,
    isWide: true,
    rows: ({ budgets }) => budgets,
    search: ({ source: of, api, budget }) => `${of} ${api} ${budget}`,
    columns: [
      { head: 'Source', of: (one) => one.source },
      { head: 'API', of: (one) => one.api },
      { head: 'Budget', of: (one) => one.budget },
      {
        head: 'Used share',
        of: usedShare,
        as: share,
        bar: usedShare,
        tone: (one) => (usedShare(one) >= high ? 'warn' : ''),
      },
      { head: 'Used', of: (one) => one.used_weight, as: count },
      { head: 'Allowed', of: (one) => one.weight, as: count },
      { head: 'Per', of: (one) => one.per_ms, as: duration },
      { head: 'Waiting', of: (one) => one.waiting, as: count },
      {
        head: 'Paused until',
        of: (one) => one.paused_until,
        as: (at) => time(at, 'time'),
        tone: (one) => (one.paused_until === null ? '' : 'warn'),
      },
    ],
    none: 'No request has been sent in the last minutes.',
  });

export const scorecardPart = (): LivePart =>
  tablePart({
    title: 'Scorecard',
    about: 'How well each topic was received in 24 hours and 7 days, as recorded minute by minute',
    name: 'scorecard',
    path: at('/v1/scorecard', {}),
    every: minute,
    isWide: true,
    rows: ({ items }) => items,
    search: ({ exchange, topic }) => `${exchange} ${topic}`,
    columns: [
      { head: 'Exchange', of: (one) => one.exchange },
      { head: 'Topic', of: (one) => one.topic },
      {
        head: 'Up, 24 h',
        of: (one) => one.up_24h,
        as: share,
        bar: (one) => one.up_24h,
        tone: (one) => upTone(one.up_24h),
      },
      { head: 'Up, 7 d', of: (one) => one.up_7d, as: share, tone: (one) => upTone(one.up_7d) },
      { head: 'Age, median', of: (one) => one.age_ms_p50, as: duration },
      { head: 'Age, p99', of: (one) => one.age_ms_p99, as: duration },
      { head: 'Event latency, median', of: (one) => one.event_latency_ms_p50, as: ms },
      { head: 'Event latency, p99', of: (one) => one.event_latency_ms_p99, as: ms },
      { head: 'Delivery, median', of: (one) => one.delivery_ms_p50, as: ms },
      { head: 'Delivery, p99', of: (one) => one.delivery_ms_p99, as: ms },
      { head: 'Held back', of: (one) => one.suspect_24h, as: count },
      { head: 'Differ', of: (one) => one.differs_24h, as: count },
      { head: 'Refused', of: (one) => one.refused_24h, as: count },
      { head: 'Reconnects', of: (one) => one.reconnects_24h, as: count },
    ],
    none: 'Nothing is recorded yet. The first minute comes within two.',
  });

const present = ({ rows, steps }: HistoryCoverageItem) => rows / steps;

export const historyPart = (): LivePart =>
  tablePart({
    title: 'History',
    about:
      'Series that are recorded, by stored step. Present: steps of 24 hours (hours: 7 days, days: 30 days) in which the key that is named has a row; liquidations and fundings have few',
    name: 'history',
    path: at('/v1/history/coverage', {}),
    every: minute,
    isWide: true,
    rows: ({ items }) => items,
    search: ({ series, step, key }) => `${series} ${step} ${key ?? ''}`,
    columns: [
      { head: 'Series', of: (one) => one.series },
      { head: 'Step', of: (one) => one.step },
      { head: 'Kept', of: ({ kept_ms: kept }) => (kept === null ? 'always' : duration(kept)) },
      { head: 'Key', of: (one) => one.key },
      {
        head: 'Present',
        of: (one) => (one.key === null ? null : present(one)),
        as: share,
        bar: present,
      },
      { head: 'Rows', of: (one) => one.rows, as: count },
      { head: 'Keys', of: (one) => one.keys, as: count },
      { head: 'Newest', of: (one) => one.newest, as: moment },
      { head: 'Since', of: (one) => one.recorded_from, as: moment },
    ],
    none: 'No series is recorded.',
  });
