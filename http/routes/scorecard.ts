import { historySource, type Scorecard } from '../../actors/topics/index.ts';
import { byLatency, type LatencyColumn } from '../../indicators/market/scorecard.ts';
import { kit, s } from './kit.ts';

const share = { minimum: 0, maximum: 1 };
const age =
  'null while it has none, and of liquidations, books and trades (of options too), which may be quiet.';

const overMinutes = (name: string) =>
  ({ p50: 'median', p95: '95th percentile', p99: '99th percentile' })[name.slice(-3)];
const latency = (name: LatencyColumn) =>
  s.numberOrNull(
    name.startsWith('event')
      ? `Milliseconds from the time that the exchange states to our receipt: ${overMinutes(name)} over the minutes of 24 hours of their ${overMinutes(name)}; null for what is polled, and where the exchange states no time. Its clock is not corrected.`
      : `Milliseconds from the receipt to the writing to all followers by WebSocket or SSE: ${overMinutes(name)} over the minutes of 24 hours of their ${overMinutes(name)}; null where nothing was followed.`,
  );

const score = kit.columns<Scorecard['rows'][number]>()({
  exchange: s.exchange,
  topic: s.string('Topic as `/v1/status` names it: `prices` is polled, `priceChanges` streamed.'),
  up_24h: s.number('Share of the recorded time that it was up, over its parts.', share),
  up_7d: s.numberOrNull('Share of 7 days that it was up; null until 84 hours are recorded.', share),
  age_ms_p50: s.numberOrNull(`Median over the minutes of 24 hours of its mean age; ${age}`),
  age_ms_p99: s.numberOrNull(`99th percentile over them of their greatest age; ${age}`),
  ...byLatency(latency),
  suspect_24h: s.integer('Markets whose number was held back until it was confirmed.'),
  differs_24h: s.integer('Markets of a poll that differed from the stream by over a percent.'),
  refused_24h: s.integer('Requests that the exchange refused: too many, banned, blocked.'),
  reconnects_24h: s.integer('Times that a stream was lost; 0 for what is polled.'),
  minutes_24h: s.integer('Minutes of 24 hours that are recorded, 1,440 at most.'),
  hours_7d: s.integer('Hours of 7 days that are recorded, 168 at most.'),
});

const recorded = kit.columns<{ replies: readonly (Scorecard | null)[] }>()({
  recorded_from: [
    s.integerOrNull('When the recording began, Unix ms; null where it has not.'),
    ({ replies: [own] }) => own?.recorded_from ?? null,
  ],
});

/** Which exchange to trust. */
export const scorecardRoutes = () =>
  kit.history({
    path: '/v1/scorecard',
    summary: 'Each exchange and topic of 24 hours and 7 days: share of time up, age, faults',
    params: {},
    of: {
      names: ['scorecard'],
      fails: [],
      record: recorded,
      what: () => 'the scorecard',
      ask: () => ({ source: historySource, params: {} }),
    },
    fold: ({ rows }) => rows,
    points: kit.points(score, 'By exchange and topic.', 'items'),
  });
