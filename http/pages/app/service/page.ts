/** The service: whether it is well, its sources with their feeds and budgets, its processes: open to all; its scorecard and history. */
import { askAgain } from '../ask.ts';
import { h, setText } from '../dom.ts';
import { type Fact, factList } from '../facts.ts';
import { duration, fixed } from '../format.ts';
import { wordsFor } from '../panel.ts';
import { showParts } from '../part.ts';
import { at, type Healthz } from '../request.ts';
import { budgetsPart, historyPart, processesPart, scorecardPart, sourcesPart } from './parts.ts';

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

/** Shows the page in an element; ends with the function that is returned. */
export function open(into: HTMLElement): () => void {
  const health = factList();
  const problem = h('p', { class: 'problem', role: 'alert', hidden: true });
  into.append(h('h1', {}, 'Service'), problem, health.node);
  const showMessage = (text: string) => {
    setText(problem, text);
    problem.hidden = text === '';
  };
  const ends = [
    askAgain(at('/healthz', {}), every, {
      data(found) {
        showMessage('');
        health.show(factsOf(found));
      },
      missing: (message, code) => showMessage(wordsFor(code, message)),
    }),
    showParts(into, [
      sourcesPart(),
      processesPart(),
      budgetsPart(),
      scorecardPart(),
      historyPart(),
    ]),
  ];
  return () => {
    for (const end of ends) end();
  };
}
