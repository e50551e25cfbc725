/** The service: whether it is well, its sources with their feeds and budgets, its processes: open to all; its scorecard and history. */
import { askAgain } from '../ask.ts';
import { h, setText } from '../dom.ts';
import { exchangeColumn, exchangeName, exchangeWords } from '../exchange-names.ts';
import { type Fact, factList } from '../facts.ts';
import { count, duration, fixed, moment, share, time } from '../format.ts';
import { wordsFor } from '../panel.ts';
import { fill, minute, type Part } from '../part.ts';
import {
  at,
  type Healthz,
  type HistoryCoverageItem,
  type Status,
  type StatusBudget,
} from '../request.ts';
import { tablePart } from '../table-part.ts';

const ms = (value: number) => `${count(value)} ms`;
/** Shares from which a budget is nearly used up, and below which a topic was down for a while. */
const [high, low] = [0.8, 0.99];

const usedShare = ({ used_weight, weight }: StatusBudget) => used_weight / weight;
const upTone = (up: number | null) => (up !== null && up < low ? 'warn' : '');

/** What the parts about the state of the service share. */
const ofStatus = { path: at('/v1/status', {}), every: 2_000, open: true, isWide: true };

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

/** Most sources are exchanges. */
const sourceColumn = { head: 'Source', of: 'source', words: exchangeName } as const;

const sourcesPart = (): Part =>
  tablePart({
    title: 'Sources',
    about(status) {
      const all = Object.values(status.sources);
      return `${all.filter(({ state }) => state === 'up').length} of ${all.length} are up`;
    },
    name: 'sources',
    ...ofStatus,
    isTall: true,
    rows: sourcesOf,
    search: ({ source, state, failing }) => `${exchangeWords(source)} ${state} ${failing}`,
    columns: [
      sourceColumn,
      { head: 'State', of: 'state', tone: ({ state }) => tones[state] ?? '' },
      { head: 'Newest', of: 'age_ms', as: (age) => `${duration(age)} ago` },
      {
        head: 'Not well',
        of: 'failing',
        tone: 'soft rest',
        hint: ({ failing }) => failing,
      },
    ],
    none: 'The first readings come within a minute.',
  });

const processesPart = (): Part =>
  tablePart({
    title: 'Processes',
    about: 'Of this service; delay: of the event loop',
    name: 'processes',
    ...ofStatus,
    rows: ({ processes }) => processes,
    key: ({ id }) => id,
    columns: [
      { head: 'Role', of: 'role' },
      { head: 'Process', of: 'id', tone: 'soft' },
      { head: 'Host', of: 'host', tone: 'soft' },
      { head: 'Started', of: 'started', as: moment },
      {
        head: 'Memory',
        of: 'rss_bytes',
        as: (size) => `${count(size / 2 ** 20)} MiB`,
      },
      { head: 'Delay, p99', of: 'loop_p99_ms', as: (delay) => `${fixed(delay, 1)} ms` },
    ],
    none: 'No process has said that it is there yet.',
  });

const budgetsPart = (): Part =>
  tablePart({
    title: 'Budgets',
    about:
      'Requests by weight that the processes of this service have sent, of what each source allows; what is not used is left out',
    name: 'budgets',
    ...ofStatus,
    rows: ({ budgets }) => budgets,
    search: ({ source: of, api, budget }) => `${exchangeWords(of)} ${api} ${budget}`,
    columns: [
      sourceColumn,
      { head: 'API', of: 'api' },
      { head: 'Budget', of: 'budget' },
      {
        head: 'Used share',
        of: usedShare,
        as: share,
        bar: usedShare,
        tone: (one) => (usedShare(one) >= high ? 'warn' : ''),
      },
      { head: 'Used', of: 'used_weight', as: count },
      { head: 'Allowed', of: 'weight', as: count },
      { head: 'Per', of: 'per_ms', as: duration },
      { head: 'Waiting', of: 'waiting', as: count },
      {
        head: 'Paused until',
        of: 'paused_until',
        as: (at) => time(at, 'time'),
        tone: (one) => (one.paused_until === null ? '' : 'warn'),
      },
    ],
    none: 'No request has been sent in the last minutes.',
  });

const scorecardPart = (): Part =>
  tablePart({
    title: 'Scorecard',
    about: 'How well each topic was received in 24 hours and 7 days, as recorded minute by minute',
    name: 'scorecard',
    path: at('/v1/scorecard', {}),
    every: minute,
    isWide: true,
    rows: ({ items }) => items,
    search: ({ exchange, topic }) => `${exchangeWords(exchange)} ${topic}`,
    columns: [
      exchangeColumn,
      { head: 'Topic', of: 'topic' },
      {
        head: 'Up, 24 h',
        of: 'up_24h',
        as: share,
        bar: (one) => one.up_24h,
        tone: (one) => upTone(one.up_24h),
      },
      { head: 'Up, 7 d', of: 'up_7d', as: share, tone: (one) => upTone(one.up_7d) },
      { head: 'Age, median', of: 'age_ms_p50', as: duration },
      { head: 'Age, p99', of: 'age_ms_p99', as: duration },
      { head: 'Event latency, median', of: 'event_latency_ms_p50', as: ms },
      { head: 'Event latency, p99', of: 'event_latency_ms_p99', as: ms },
      { head: 'Delivery, median', of: 'delivery_ms_p50', as: ms },
      { head: 'Delivery, p99', of: 'delivery_ms_p99', as: ms },
      { head: 'Held back', of: 'suspect_24h', as: count },
      { head: 'Differ', of: 'differs_24h', as: count },
      { head: 'Refused', of: 'refused_24h', as: count },
      { head: 'Reconnects', of: 'reconnects_24h', as: count },
    ],
    none: 'Nothing is recorded yet. The first minute comes within two.',
  });

const present = ({ rows, steps }: HistoryCoverageItem) => rows / steps;

const historyPart = (): Part =>
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
      { head: 'Series', of: 'series' },
      { head: 'Step', of: 'step' },
      { head: 'Kept', of: ({ kept_ms: kept }) => (kept === null ? 'always' : duration(kept)) },
      { head: 'Key', of: 'key' },
      {
        head: 'Present',
        of: (one) => (one.key === null ? null : present(one)),
        as: share,
        bar: present,
      },
      { head: 'Rows', of: 'rows', as: count },
      { head: 'Keys', of: 'keys', as: count },
      { head: 'Newest', of: 'newest', as: moment },
      { head: 'Since', of: 'recorded_from', as: moment },
    ],
    none: 'No series is recorded.',
  });

/** Between two looks at the health of the process that answers, ms. */
const every = 10_000;

function factsOf(health: Healthz): Fact[] {
  const { redis, redis_latency: latency, history, newest_reading_age_ms: age } = health;
  const tone = (isWell: boolean) => (isWell ? 'good' : 'bad');
  const newest = age === null ? 'none yet' : `${duration(age)} ago`;
  return [
    ['Version', health.version],
    ['Running for', duration(health.uptime_s * 1000)],
    ['Newest reading', newest, tone(age !== null && age < minute)],
    ['Redis', redis, tone(redis === 'up')],
    ['Redis, median', latency === null ? 'not known' : `${fixed(latency.p50_ms, 1)} ms`],
    ['History', history.state, tone(history.state === 'up')],
  ];
}

/** Shows the page in an element; ends with the function that is returned. */
export function open(into: HTMLElement): () => void {
  const { node, show } = factList();
  const problem = h('p', { class: 'problem', role: 'alert', hidden: true });
  const showMessage = (text: string) => {
    setText(problem, text);
    problem.hidden = text === '';
  };
  const end = askAgain(at('/healthz', {}), every, {
    data(found) {
      showMessage('');
      show(factsOf(found));
    },
    missing: (message, code) => showMessage(wordsFor(code, message)),
  });
  return fill(into, [
    h('h1', {}, 'Service'),
    problem,
    { node, end },
    [sourcesPart(), processesPart(), budgetsPart(), scorecardPart(), historyPart()],
  ]);
}
