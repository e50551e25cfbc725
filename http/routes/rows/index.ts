/** One table of many columns: `/v1/rows`, and what its columns are. */
import { Source } from '../../answers/source.ts';
import type { Params } from '../../endpoints/route.ts';
import { kit, params, s } from '../kit.ts';
import { marketKinds, type RowColumn, type RowsContext, rowColumns } from './columns.ts';
import { rowsFile } from './file.ts';
import { rowsQuestion } from './question.ts';
import { most } from './request.ts';

const rowIntervals = [
  '1m',
  '3m',
  '5m',
  '15m',
  '30m',
  '1h',
  '2h',
  '4h',
  '6h',
  '8h',
  '12h',
  '1d',
] as const;

const cell = s.unchecked<number | string | null>({
  type: ['number', 'string', 'null'],
  description: 'Null where a value is not known.',
});

const missing = s.named(
  'MissingRows',
  s.object({
    exchange: s.exchange,
    symbol: s.stringOrNull('Base asset; null for all that were asked for.'),
    column: s.stringOrNull('Name of the column; null for all that were asked for.'),
    reason: s.string('In words.'),
  }),
);

const answer = s.object({
  interval: s.interval,
  kind: s.oneOf(marketKinds, 'Of the markets.'),
  count: s.count,
  rows: s.list(
    s.list(cell, 'In the order of `columns`.'),
    'By time, and within a time by symbol and exchange as asked. A row without any value is left out.',
  ),
  columns: s.list(
    s.string(),
    'What the cells of a row are: `timestamp` (start of the interval, Unix ms), `exchange`, `symbol`, then the columns asked for.',
  ),
  next: s.stringOrNull('`cursor` of the next page; null on the last one, and without `from`.'),
  missing: s.list(missing, 'What was asked for and is not there.'),
  stale: s.stale,
});

const column = kit.columns<{ name: string; form: RowColumn; context: RowsContext }>()({
  name: s.string('As `columns` of `/v1/rows` takes it.'),
  unit: [s.string('Of its values.'), ({ form }) => form.unit],
  description: [s.string('What it is.'), ({ form }) => form.description],
  origin: [
    s.oneOf(
      ['recorded', 'exchange'],
      'Read of what this service has recorded, or asked of the exchange.',
    ),
    ({ form }) => (form.series === undefined ? ('exchange' as const) : ('recorded' as const)),
  ],
  spot_exchanges: [
    s.list(s.string(), 'Exchanges that have it of spot markets.'),
    (one) => exchangesOf(one, 'spot'),
  ],
  perpetual_exchanges: [
    s.list(s.string(), 'Exchanges that have it of perpetuals.'),
    (one) => exchangesOf(one, 'perpetual'),
  ],
});

/** The exchanges with markets of a kind that have a column. */
function exchangesOf(
  { form, context }: { form: RowColumn; context: RowsContext },
  kind: (typeof marketKinds)[number],
): string[] {
  if (!form.kinds.includes(kind)) return [];
  const supported = form.exchanges(context, kind);
  return context.registry
    .filter(({ id, kinds }) => kinds.includes(kind) && supported.includes(id))
    .map(({ id }) => id);
}

/** What a table is asked for with. */
const asked = {
  columns: {
    type: 'string',
    required: true,
    maxLength: 1_000,
    description: `Columns with commas between them: ${Object.keys(rowColumns).join(', ')}. \`/v1/rows/columns\` says what they are.`,
    example: 'close,volume_usd,funding_rate,open_interest_usd',
  },
  symbols: {
    ...kit.symbols,
    default: 'BTC',
    description: `Base assets with commas between them, at most ${most.symbols}.`,
  },
  exchanges: {
    ...params.severalExchanges(`Each symbol on each of them: ${most.markets} markets at most.`),
    default: 'binance',
  },
  kind: {
    type: 'string',
    enum: marketKinds,
    default: 'perpetual',
    description: 'Of the markets: the most traded dollar market of each symbol on each exchange.',
  },
  interval: {
    ...params.interval(rowIntervals, '1h'),
    description: 'Of a row: those that begin at multiples of their length on every exchange.',
  },
  limit: params.limit(
    100,
    most.rows,
    `Most rows of a page, which has whole intervals, each with a row a market, and ${most.intervals} of them at most. The oldest of a range with \`from\`, else the newest.`,
  ),
  ...params.range('interval'),
  cursor: {
    type: 'string',
    maxLength: 15,
    description: '`next` of the page before, with all other parameters as they were.',
  },
} as const satisfies Params;

/** Rows of many columns. */
export const rowsRoutes = (context: RowsContext): kit.Route[] => [
  kit.queried({
    path: '/v1/rows',
    summary: 'One table of many columns: candles and recorded series of several markets, by time',
    fails: ['upstream_failed', 'unknown_symbol', 'warming_up'],
    params: asked,
    answer,
    query: (values) => rowsQuestion(context, values, context.clock.now()),
    file: (values) => rowsFile(context, values, context.clock.now()),
  }),
  kit.table({
    path: '/v1/rows/columns',
    summary: 'The columns of `/v1/rows`: unit, origin, and the exchanges that have each',
    params: {},
    noMarketData: true,
    answersBeforeData: true,
    columns: column,
    list: 'columns',
    order: 'As in the documentation.',
    source: new Source(),
    find: () => Object.entries(rowColumns).map(([name, form]) => ({ name, form, context })),
  }),
];
