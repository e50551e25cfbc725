/** The start page: the health of the service and of its sources, read again every ten seconds. */
import { byId, element } from './dom.js';

/** @import { Health, Source } from './types.ts' */

const every = 10_000;

/** What one path gives as `data`. @param {string} path */
async function read(path) {
  const response = await fetch(path, { signal: AbortSignal.timeout(every) });
  const { data, message } = await response.json();
  if (!response.ok) throw new Error(message);
  return data;
}

/** @param {number | null} ms */
function duration(ms) {
  if (ms === null) return 'none yet';
  if (ms < 1000) return `${ms} ms`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}

/** @param {string} name @param {string} value @param {boolean} good */
const fact = (name, value, good = true) =>
  element('div', {}, element('dt', {}, name), element('dd', good ? {} : { class: 'bad' }, value));

/** @param {Health} health @returns {HTMLElement[]} */
const factsOf = ({ redis, history, newest_reading_age_ms: age, uptime_s: uptime, version }) => [
  fact('Version', version),
  fact('Running for', duration(uptime * 1000)),
  fact(
    'Newest reading',
    age === null ? 'none yet' : `${duration(age)} ago`,
    age !== null && age < 60_000,
  ),
  fact('Redis', redis, redis === 'up'),
  fact('History', history.state, history.state === 'up'),
];

/** A source that is up says how old its newest feed is, another one which feeds are not up. @param {[string, Source]} source */
function sourceNode([id, { state, feeds }]) {
  const ages = feeds.flatMap(({ age_ms: age }) => (age === null ? [] : [age]));
  const idle = ['up', 'standby', 'closed'];
  const failing = feeds.filter((feed) => !idle.includes(feed.state));
  const names = failing.map(({ topic, part, state: of }) => `${topic}/${part} ${of}`).join(', ');
  const age = ages.length === 0 ? '' : `${duration(Math.min(...ages))} ago`;
  const about = state === 'up' ? age : names;
  return element(
    'li',
    { class: state, title: `${id}: ${state}` },
    element('strong', {}, id),
    element('span', {}, about || state),
  );
}

/** @param {Readonly<Record<string, Source>>} sources */
function showSources(sources) {
  const order = ['down', 'degraded', 'up'];
  const rows = Object.entries(sources).sort(
    ([a, one], [b, other]) =>
      order.indexOf(one.state) - order.indexOf(other.state) || a.localeCompare(b),
  );
  const up = rows.filter(([, { state }]) => state === 'up').length;
  byId('sources-summary', HTMLElement).textContent = `${up} of ${rows.length} are up`;
  byId('sources', HTMLElement).replaceChildren(...rows.map(sourceNode));
}

async function update() {
  if (document.hidden) return;
  const problem = byId('problem', HTMLElement);
  try {
    const health = await read('healthz');
    byId('simulated', HTMLElement).hidden = health.data !== 'simulated';
    byId('health', HTMLElement).replaceChildren(...factsOf(health));
    showSources((await read('v1/status')).sources);
    problem.hidden = true;
  } catch (error) {
    problem.textContent = `The service does not answer as it should: ${error instanceof Error ? error.message : error}`;
    problem.hidden = false;
  }
}

byId('origin', HTMLElement).textContent = new URL('.', document.baseURI).href.replace(/\/$/, '');
document.addEventListener('visibilitychange', update);
setInterval(update, every);
await update();
