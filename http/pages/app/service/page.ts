/** The service: whether it is well, its sources with their feeds and budgets, its processes: open to all; its scorecard and history. */
import { mayRead } from '../access.ts';
import { call, type Refusal } from '../api.ts';
import { fact, h, setText } from '../dom.ts';
import { duration, fixed, time } from '../format.ts';
import { csvButton, curlButton, empty, type Rows, wordsFor } from '../panel.ts';
import { showParts } from '../part.ts';
import { cell, headed, headRow, rowHead, scroller } from '../rows.ts';
import { type Follower, follow } from '../stream.ts';
import { budgetsPart, historyPart, scorecardPart } from './parts.ts';

interface Health {
  redis: string;
  redis_problem: string | null;
  redis_latency: { p50_ms: number; p99_ms: number } | null;
  history: { state: string; problem: string | null };
  newest_reading_age_ms: number | null;
  uptime_s: number;
  version: string;
}

interface Feed {
  topic: string;
  part: string;
  state: string;
  age_ms: number | null;
}

interface Source {
  state: 'up' | 'degraded' | 'down';
  feeds: readonly Feed[];
}

interface Process {
  id: string;
  role: string;
  host: string;
  started: number;
  rss_bytes: number;
  loop_p99_ms: number;
}

interface Status {
  sources: Readonly<Record<string, Source>>;
  processes: readonly Process[];
}

/** Between two looks at the health of the process that answers, ms. */
const every = 10_000;

function facts(health: Health): HTMLElement[] {
  const { redis, redis_latency: latency, history, newest_reading_age_ms: age } = health;
  return [
    fact('Version', health.version),
    fact('Running for', duration(health.uptime_s * 1000)),
    fact(
      'Newest reading',
      age === null ? 'none yet' : `${duration(age)} ago`,
      age !== null && age < 60_000 ? 'good' : 'bad',
    ),
    fact('Redis', redis, redis === 'up' ? 'good' : 'bad'),
    fact('Redis, median', latency === null ? 'not known' : `${fixed(latency.p50_ms, 1)} ms`),
    fact('History', history.state, history.state === 'up' ? 'good' : 'bad'),
  ];
}

/** Feeds of a source that are named on its card; its title has all. */
const named = 2;

const order = ['down', 'degraded', 'up'];
const idle = new Set(['up', 'standby', 'closed']);

function sourceCard([id, { state, feeds }]: [string, Source]): HTMLElement {
  const ages = feeds.flatMap(({ age_ms: age }) => (age === null ? [] : [age]));
  const failing = feeds.filter((feed) => !idle.has(feed.state));
  const all = failing.map(({ topic, part, state: of }) => `${topic} ${part}: ${of}`);
  const more = all.length > named ? `, and ${all.length - named} more` : '';
  const bad = `${all.slice(0, named).join(', ')}${more}`;
  const age = ages.length === 0 ? 'no reading yet' : `${duration(Math.min(...ages))} ago`;
  return h(
    'li',
    { class: `source ${state}`, title: [`${id}: ${state}`, ...all].join('\n') },
    h('strong', {}, id),
    h('span', { class: 'state' }, state),
    h('span', { class: 'soft' }, state === 'up' ? age : bad || age),
  );
}

const processRow = ({ id, role, host, started, rss_bytes: bytes, loop_p99_ms: delay }: Process) =>
  h(
    'tr',
    {},
    rowHead(role),
    h('td', { class: 'soft' }, id),
    h('td', { class: 'soft' }, host),
    cell(time(started, 'minute')),
    cell(`${fixed(bytes / 2 ** 20, 0)} MiB`),
    cell(`${fixed(delay, 1)} ms`),
  );

const toolsOf = (name: string, rows: () => Rows): HTMLElement[] => [
  csvButton(name, rows),
  curlButton(() => '/v1/status'),
];

/** For files: a line a feed, and a line a process. */
const feedsOf = ({ sources }: Status): Rows => [
  ['source', 'source_state', 'topic', 'part', 'state', 'age_ms'],
  ...Object.entries(sources).flatMap(([id, { state, feeds }]) =>
    feeds.map((feed) => [id, state, feed.topic, feed.part, feed.state, feed.age_ms]),
  ),
];
const runningOf = ({ processes }: Status): Rows => [
  ['role', 'id', 'host', 'started', 'rss_bytes', 'loop_p99_ms'],
  ...processes.map((one) => [
    one.role,
    one.id,
    one.host,
    one.started,
    one.rss_bytes,
    one.loop_p99_ms,
  ]),
];

/** Shows the page in an element; ends with the function that is returned. */
export function open(into: HTMLElement): () => void {
  const health = h('dl', { class: 'facts' });
  const problem = h('p', { class: 'problem', role: 'alert', hidden: true });
  const summary = h('small', {});
  const sources = h('ul', { class: 'sources' });
  const processes = h('tbody', {});
  let status: Status = { sources: {}, processes: [] };
  const heads = headRow(['Role', 'Process', 'Host', 'Started', 'Memory', 'Delay, p99'], 3);
  into.append(
    h('h1', {}, 'Service'),
    problem,
    health,
    headed(h('h2', {}, 'Sources ', summary), ...toolsOf('sources', () => feedsOf(status))),
    sources,
    headed('Processes', ...toolsOf('processes', () => runningOf(status))),
    scroller('Processes', heads, processes),
  );
  let budgets: Pick<Follower, 'data'> | null = null;
  const listen = (_path: string, _every: number, follower: Follower) => {
    budgets = follower;
    return () => {};
  };
  const endParts = showParts(into, [budgetsPart(listen), scorecardPart(), historyPart()]);
  const tell = (text: string) => {
    setText(problem, text);
    problem.hidden = text === '';
  };
  const show = (data: unknown) => {
    status = data as Status;
    const { sources: all, processes: running } = status;
    const rows = Object.entries(all).sort(
      ([a, one], [b, other]) =>
        order.indexOf(one.state) - order.indexOf(other.state) || a.localeCompare(b),
    );
    const up = rows.filter(([, { state }]) => state === 'up').length;
    setText(summary, `${up} of ${rows.length} are up`);
    sources.replaceChildren(...rows.map(sourceCard));
    if (rows.length === 0)
      sources.replaceChildren(empty('No source yet', 'The first readings come within a minute.'));
    processes.replaceChildren(...running.map(processRow));
    budgets?.data(data, null);
  };
  const look = async () => {
    if (document.hidden) return;
    try {
      health.replaceChildren(...facts((await call('/healthz', {})).data as Health));
      if (!mayRead()) show((await call('/v1/status', {})).data);
      tell('');
    } catch (error) {
      const { code = '', message } = error as Refusal;
      tell(wordsFor(code, message));
    }
  };
  void look();
  const timer = setInterval(() => void look(), every);
  const stop = mayRead()
    ? follow(
        '/v1/status',
        { data: show, missing: (message, code) => tell(wordsFor(code, message)) },
        { every: 2_000 },
      )
    : () => {};
  return () => {
    clearInterval(timer);
    stop();
    endParts();
  };
}
