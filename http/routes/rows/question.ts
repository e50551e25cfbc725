/** The queries for rows of many columns: one a recorded series, and one about the candles of each market. */
import {
  type Candles,
  historySource,
  intervals,
  type Queries,
  type Recorded,
  type RecordedName,
} from '../../../actors/topics/index.ts';
import { type Question, questionOf } from '../../answers/queries.ts';
import { type Snapshot, snapshotOf } from '../../answers/snapshots.ts';
import { type ApiError, apiError, isApiError } from '../../wire/errors.ts';
import type { RowMarket, RowsContext } from './columns.ts';
import {
  type AskedColumn,
  columnsIn,
  type MissingPart,
  marketsIn,
  pageOf,
  type RowsValues,
} from './request.ts';
import { type Cell, type RowsWanted, rowsByKey, rowsOf } from './table.ts';

/** An answer of `/v1/rows`. */
export interface RowsAnswer {
  interval: string;
  kind: RowsValues['kind'];
  columns: readonly string[];
  count: number;
  rows: readonly (readonly Cell[])[];
  next: string | null;
  missing: readonly MissingPart[];
  stale?: true;
}

interface AskSeries {
  source: string;
  params: Queries['series']['params'] & { series: RecordedName };
}
interface AskCandles {
  market: RowMarket;
  source: string;
  params: Queries['candles']['params'];
}
/** What is asked for one answer. */
interface Asks {
  series: readonly AskSeries[];
  candles: readonly AskCandles[];
}

/** Why an exchange has no values of a column; null where it has. */
function absence(
  context: RowsContext,
  { form }: AskedColumn,
  { exchange, kind }: RowMarket,
  interval: RowsValues['interval'],
): string | null {
  if (!form.kinds.includes(kind)) return `of ${form.kinds.join(', ')} markets only`;
  if (!form.exchanges(context, kind).includes(exchange)) return 'the exchange does not have it';
  const isKept =
    form.series === undefined
      ? context.candleIntervals.get(exchange)?.includes(interval) === true
      : intervals[interval] >= form.least;
  return isKept ? null : `there is none by ${interval}`;
}

/** The columns that an exchange of the request does not have. */
function absentIn(context: RowsContext, { columns, markets }: RowsWanted, values: RowsValues) {
  const byExchange = new Map(markets.map((market) => [market.exchange, market]));
  return [...byExchange].flatMap(([exchange, market]) =>
    columns.flatMap((column): MissingPart[] => {
      const reason = absence(context, column, market, values.interval);
      return reason === null ? [] : [{ exchange, symbol: null, column: column.name, reason }];
    }),
  );
}

function asksOf(wanted: RowsWanted, { interval, to }: RowsValues): Asks {
  const { columns, markets, page } = wanted;
  const { limit, first, last } = page;
  // The newest rows are asked without times: an exchange's answer to that is shared with `/v1/bars`.
  const range = page.isForward || to !== undefined ? { from: first, to: last } : {};
  const pairs = columns.flatMap((column) =>
    markets.filter((one) => wanted.isAsked(column, one)).map((market) => ({ column, market })),
  );
  const keys = new Map<RecordedName, Set<string>>();
  const withCandles = new Set<RowMarket>();
  for (const { column, market } of pairs) {
    const { form } = column;
    if (form.series === undefined) withCandles.add(market);
    else keys.set(form.series, (keys.get(form.series) ?? new Set()).add(form.keyOf(market)));
  }
  return {
    series: [...keys].map(([series, own]) => ({
      source: historySource,
      params: { series, keys: [...own], step: interval, limit, ...range },
    })),
    candles: [...withCandles].map((one) => ({
      market: one,
      source: one.exchange,
      params: { market: one.market, kind: one.kind, interval, limit, ...range },
    })),
  };
}

/** The question whose replies, those to the series and those about candles, are the answer. One of them is enough. */
function questionAbout(
  { series, candles }: Asks,
  of: Pick<Question<RowsAnswer>, 'what' | 'form'>,
  answer: (
    series: readonly (Recorded | null)[],
    candles: readonly (Candles | null)[],
  ) => RowsAnswer,
): Question<RowsAnswer> | ApiError {
  const [firstSeries, ...moreSeries] = series;
  if (firstSeries)
    return questionOf({
      ...of,
      ...firstSeries,
      name: 'series',
      also: moreSeries,
      beside: { candles },
      data: (own, others, beside) => answer([own, ...others], beside.candles ?? []),
      onPartialFailure: (others, beside) => answer([null, ...others], beside.candles ?? []),
    });
  const [firstCandles, ...moreCandles] = candles;
  if (!firstCandles) {
    return apiError('bad_parameter', 'columns: none of these exchanges has any of them');
  }
  return questionOf({
    ...of,
    ...firstCandles,
    name: 'candles',
    also: moreCandles,
    data: (own, others) => answer([], [own, ...others]),
    onPartialFailure: (others) => answer([], [null, ...others]),
  });
}

/** The question of a request; the answer where no exchange of it lists any symbol; or what is wrong with it. `now` in Unix ms. */
export function rowsQuestion(
  context: RowsContext,
  values: RowsValues,
  now: number,
): Question<RowsAnswer> | Snapshot<RowsAnswer> | ApiError {
  const columns = columnsIn(values.columns);
  if (isApiError(columns)) return columns;
  const found = marketsIn(context, values);
  if (isApiError(found)) return found;
  const { markets } = found;
  const page = pageOf(values, markets.length, now);
  if (isApiError(page)) return page;
  const isAsked: RowsWanted['isAsked'] = (column, market) =>
    absence(context, column, market, values.interval) === null;
  const wanted = { columns, markets, page, isAsked };
  const absent = absentIn(context, wanted, values);
  const asks = asksOf(wanted, values);
  const { symbols, exchanges, interval, kind } = values;
  const names = ['timestamp', 'exchange', 'symbol', ...columns.map(({ name }) => name)];
  const answer = (series: readonly (Recorded | null)[], candles: readonly (Candles | null)[]) => {
    const { rows, missing } = rowsOf(wanted, {
      series: new Map(asks.series.map((one, i) => [one.params.series, rowsByKey(series[i])])),
      candles: new Map(asks.candles.map(({ market }, i) => [market, candles[i] ?? null])),
    });
    return {
      ...{ interval, kind, count: rows.length, rows, columns: names },
      next: page.next === null || markets.length === 0 ? null : String(page.next),
      missing: [...found.missing, ...absent, ...missing],
    };
  };
  if (markets.length === 0) return snapshotOf(answer([], []));
  const what = `the rows of ${symbols} on ${exchanges}`;
  return questionAbout(asks, { what, form: JSON.stringify(['/v1/rows', names, page]) }, answer);
}
