import { historySource, type RecordedCoverage } from '../../actors/topics/index.ts';
import { kit, s } from './kit.ts';

const files = s.named(
  'RecordedFiles',
  s.object({
    folder: s.string('Their folder in `DATA_DIR/history`; a file is `<folder>/<period>.parquet`.'),
    count: s.count,
    first: s.stringOrNull('Period of the first one: `2026-01-31`, `2026-01` or `2026`, UTC.'),
    last: s.stringOrNull('Period of the last one.'),
  }),
);

const row = kit.columns<RecordedCoverage['rows'][number]>()({
  series: s.string('Recorded series, as in `series`; docs/history.md says what it is.'),
  step: s.string('Length of a stored step: `1m`, `5m`, `1h` or `1d`.'),
  kept_ms: s.integerOrNull('For how long a row is kept, milliseconds; null where always.'),
  recorded_from: s.integerOrNull(
    'When the recording of the series began, Unix ms: older rows are of exchanges that keep them. Null where it has not begun.',
  ),
  newest: s.integerOrNull('Newest complete step with rows, Unix ms; null if none of the last 16.'),
  keys: s.integer('Keys (exchanges and assets) with a row in that step.'),
  key: s.stringOrNull(
    'The key whose rows are counted: of these keys the first by name that names BTC, else the first one; null without any.',
  ),
  rows: s.integer(
    'Rows of that key in the last `steps` complete steps. Liquidations have rows only where there were any, fundings at settlements.',
  ),
  steps: s.integer('Steps of 24 hours; of 7 days for hours, and of 30 days for days.'),
  files: s.orNull(files, 'Parquet files of ended periods; null where all is in the database.'),
});

const schema = s.named(
  'RecordedSchema',
  s.object({
    series: s.string('Recorded series.'),
    key: s.string('The parts of its keys.'),
    columns: s.list(
      s.object({
        name: s.string('In the files and the database.'),
        unit: s.string('Of its values; `quote` is that of the market.'),
        type: s.oneOf(
          ['FLOAT', 'DOUBLE'],
          'In the files, whose other columns are `key`, `time` (start of the step, UTC) and `backfilled`.',
        ),
      }),
      'In their order.',
    ),
  }),
);

const head = kit.columns<{ replies: readonly (RecordedCoverage | null)[] }>()({
  series: [s.list(schema, 'What each series records.'), ({ replies: [own] }) => own?.series ?? []],
});

/** What the history has recorded. */
export const historyCoverageRoutes = () =>
  kit.history({
    path: '/v1/history/coverage',
    summary: 'Each recorded series and step: since when, the newest rows, and how many are there',
    params: {},
    head,
    of: {
      names: ['coverage'],
      fails: [],
      what: () => 'the coverage of the history',
      ask: () => ({ source: historySource, params: {} }),
    },
    fold: ({ rows }) => rows,
    points: kit.points(row, 'By series and step, the shorter step first.', 'items'),
  });
