/** The service: whether it is well, its sources with their feeds and budgets, its processes: open to all; its scorecard and history. */
import { ageLine } from '../age.ts';
import { askAgain } from '../ask.ts';
import { h, setAttribute, setText } from '../dom.ts';
import { type Fact, factList } from '../facts.ts';
import { duration, fixed } from '../format.ts';
import { csvButton, curlButton, empty, type Rows, wordsFor } from '../panel.ts';
import { showParts, watch } from '../part.ts';
import { at, type Healthz, type Status, type StatusSource } from '../request.ts';
import { keyedRows, type View } from '../rows.ts';
import {
  budgetsPart,
  historyPart,
  processesPart,
  scorecardPart,
  statusEvery,
  statusPath,
} from './parts.ts';

/** Between two looks at the health of the process that answers, ms. */
const every = 10_000;

function factsOf(health: Healthz): Fact[] {
  const { redis, redis_latency: latency, history, newest_reading_age_ms: age } = health;
  return [
    ['Version', health.version],
    ['Running for', duration(health.uptime_s * 1000)],
    [
      'Newest reading',
      age === null ? 'none yet' : `${duration(age)} ago`,
      age !== null && age < 60_000 ? 'good' : 'bad',
    ],
    ['Redis', redis, redis === 'up' ? 'good' : 'bad'],
    ['Redis, median', latency === null ? 'not known' : `${fixed(latency.p50_ms, 1)} ms`],
    ['History', history.state, history.state === 'up' ? 'good' : 'bad'],
  ];
}

/** Feeds of a source that are named on its card; its title has all. */
const named = 2;

const order = ['down', 'degraded', 'up'];
const idle = new Set(['up', 'standby', 'closed']);

type Source = readonly [id: string, StatusSource];

function sourceCard(): View<Source> {
  const [name, kind] = [h('strong', {}), h('span', { class: 'state' })];
  const about = h('span', { class: 'soft' });
  const node = h('li', {}, name, kind, about);
  return {
    node,
    show([id, { state, feeds }]) {
      const ages = feeds.flatMap(({ age_ms: age }) => (age === null ? [] : [age]));
      const failing = feeds.filter((feed) => !idle.has(feed.state));
      const all = failing.map(({ topic, part, state: of }) => `${topic} ${part}: ${of}`);
      const more = all.length > named ? `, and ${all.length - named} more` : '';
      const bad = `${all.slice(0, named).join(', ')}${more}`;
      const age = ages.length === 0 ? 'no reading yet' : `${duration(Math.min(...ages))} ago`;
      setAttribute(node, 'class', `source ${state}`);
      setAttribute(node, 'title', [`${id}: ${state}`, ...all].join('\n'));
      setText(name, id);
      setText(kind, state);
      setText(about, state === 'up' ? age : bad || age);
    },
  };
}

/** For a file: a line a feed. */
const feedsOf = ({ sources }: Status): Rows => [
  ['source', 'source_state', 'topic', 'part', 'state', 'age_ms'],
  ...Object.entries(sources).flatMap(([id, { state, feeds }]) =>
    feeds.map((feed) => [id, state, feed.topic, feed.part, feed.state, feed.age_ms]),
  ),
];

/** Shows the page in an element; ends with the function that is returned. */
export function open(into: HTMLElement): () => void {
  const health = factList();
  const problem = h('p', { class: 'problem', role: 'alert', hidden: true });
  const summary = h('small', {});
  const sources = h('ul', { class: 'sources' });
  const age = ageLine(every);
  let status: Status = { sources: {}, processes: [], budgets: [] };
  into.append(
    h('h1', {}, 'Service'),
    problem,
    health.node,
    h(
      'div',
      { class: 'bar' },
      h('h2', {}, 'Sources ', summary),
      age.node,
      csvButton('sources', () => feedsOf(status)),
      curlButton(() => statusPath),
    ),
    sources,
  );
  const showSources = keyedRows(sources, {
    name: ([id]: Source) => id,
    make: sourceCard,
    empty: [empty('No source yet', 'The first readings come within a minute.')],
  });
  const showMessage = (text: string) => {
    setText(problem, text);
    problem.hidden = text === '';
  };
  const missing = (message: string, code: string) => showMessage(wordsFor(code, message));
  const ends = [
    askAgain(at('/healthz', {}), every, { data: (found) => health.show(factsOf(found)), missing }),
    watch(statusPath, statusEvery, {
      data(next, at) {
        showMessage('');
        status = next;
        const rows = Object.entries(status.sources).sort(
          ([a, one], [b, other]) =>
            order.indexOf(one.state) - order.indexOf(other.state) || a.localeCompare(b),
        );
        const up = rows.filter(([, { state }]) => state === 'up').length;
        setText(summary, `${up} of ${rows.length} are up`);
        showSources(rows);
        age.onData(status, at);
      },
      missing,
    }),
    age.end,
    showParts(into, [processesPart(), budgetsPart(), scorecardPart(), historyPart()]),
  ];
  return () => {
    for (const end of ends) end();
  };
}
