/** Tracked assets by their indicators, computed when candles close. */
import {
  type ScreenerReply,
  type ScreenerRow,
  screenerIntervals,
} from '../../actors/topics/index.ts';
import * as s from '../../actors/topics/schema.ts';
import { ranked } from '../../indicators/derivatives/rankings.ts';
import { BadInput, type Entry } from '../../indicators/job-entries.ts';
import {
  type Condition,
  namedValue,
  readConditions,
  readScreenEntries,
  screenLimits,
  valueNames,
} from '../../indicators/market/screen.ts';
import type { Param, Route, Values } from '../endpoints/route.ts';
import { apiError } from '../wire/errors.ts';
import { columns } from './factory/columns.ts';
import { history, points } from './factory/history.ts';
import { group } from './indicator-catalogue.ts';
import * as params from './params.ts';

/** A row with its values by name, the price among them. */
type Row = Omit<ScreenerRow, 'values'> & { values: ReadonlyMap<string, number | null> };

const item = columns<Row>()({
  symbol: s.symbol,
  exchange: s.exchange,
  market: s.string("The exchange's own symbol: the most traded dollar market of the asset."),
  kind: s.oneOf(['spot', 'perpetual'], 'Kind of the market.'),
  price: s.number('Close of the last closed candle, in quote, a dollar or a dollar stablecoin.'),
  as_of: s.unixMs('Close time of that candle, of which all values are.'),
  values: [
    s.mapOf(s.numberOrNull(), 'name of a value to the value'),
    ({ values }) => Object.fromEntries([...values].filter(([name]) => name !== 'price')),
  ],
});

const missing = columns<{ replies: readonly (ScreenerReply | null)[] }>()({
  missing: [
    s.list(s.string(), 'Tracked assets not computed yet, or whose exchange could not be asked.'),
    ({ replies: [own] }) => own?.missing ?? [],
  ],
});

const wanted = {
  indicators: {
    type: 'string',
    required: true,
    maxLength: 600,
    description: `Indicators of the catalogue with commas between them, at most ${screenLimits.indicators}; parameters in its order after colons (\`ema:200\`, \`macd:8:21:5\`).`,
    example: 'rsi,macd',
  },
  interval: params.interval(screenerIntervals, '1h'),
  filter: {
    type: 'string',
    maxLength: 400,
    description: `Conditions with commas between them, at most ${screenLimits.filters}, of which all must be fulfilled: a value, \`<\`, \`<=\`, \`>\` or \`>=\`, and a number or another value (\`rsi<30,price>ema_200\`). A value has the name of its key in \`values\`; \`price\` is the close.`,
    example: 'rsi<70',
  },
  sort: {
    type: 'string',
    maxLength: 64,
    description: 'Value that the rows are sorted by, as in `filter`; null is last.',
    example: 'rsi',
  },
  order: params.wordOr(['asc', 'desc'], 'desc', 'Smallest or largest value of `sort` first.'),
  limit: params.limit(100, 100, 'Most rows.'),
} as const satisfies Record<string, Param>;

/** What is shown of the table. */
interface Screen {
  entries: Entry[];
  conditions: readonly Condition[];
  sort: string | null;
}

/** Throws BadInput, which names the parameter. */
function readScreen({ indicators, filter, sort }: Values<typeof wanted>): Screen {
  const entries = readScreenEntries(indicators);
  const names = ['price', ...entries.flatMap(valueNames)];
  return {
    entries,
    conditions: filter === undefined ? [] : readConditions(filter, names),
    sort: sort === undefined ? null : namedValue(sort, names, 'sort'),
  };
}

function rowOf({ values, ...row }: ScreenerRow, entries: readonly Entry[]): Row {
  const named = entries.flatMap((entry, i) =>
    valueNames(entry).map((name, output) => [name, values[i]?.[output] ?? null] as const),
  );
  return { ...row, values: new Map([['price', row.price], ...named]) };
}

/** The rows that fulfil the conditions, in their order. */
function screened(
  { rows }: ScreenerReply,
  { entries, conditions, sort }: Screen,
  order: 'asc' | 'desc',
) {
  const found = rows
    .map((row) => rowOf(row, entries))
    .filter(({ values }) => conditions.every((fulfils) => fulfils(values)));
  if (sort === null) return found;
  return ranked(found, order, ({ values }) => values.get(sort) ?? null);
}

/** The screen that is asked for, or which parameter is wrong. */
function screenOf(values: Values<typeof wanted>) {
  try {
    return { screen: readScreen(values) };
  } catch (error) {
    if (error instanceof BadInput) return apiError('bad_parameter', error.message);
    throw error;
  }
}

export const screenerRoutes = (): Route[] =>
  history({
    group,
    path: '/v1/screener',
    summary: 'Tracked assets by indicators of the last closed candles, filtered and sorted',
    params: wanted,
    of: {
      names: ['screener'],
      resolve: screenOf,
      record: missing,
      what: () => 'the screener',
      ask: ({ interval, screen }) => ({
        source: 'screener',
        params: { interval, indicators: screen.entries },
      }),
    },
    fold: (reply, { values: { screen, order, limit } }) =>
      screened(reply, screen, order).slice(0, limit),
    points: points(item, 'In the order of `sort`; else the most traded asset first.', 'items'),
  });
