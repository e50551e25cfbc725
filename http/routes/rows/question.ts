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
import { snapshotOf } from '../../answers/snapshots.ts';
import { apiError, isApiError, type kit } from '../kit.ts';
import type { RowMarket, RowsContext } from './columns.ts';
import {
  type AskedColumn,
  columnsIn,
  type MissingPart,
  marketsIn,
  pageOf,
  type RowsValues,
} from './request.ts';
import { type RowsReplies, type RowsWanted, readerOf, rowsByKey } from './table.ts';

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

/** How the replies become an answer. */
interface Answering<D> extends Pick<Question<D>, 'what' | 'variant'> {
  /** One reply is enough; null for those that failed. */
  answer(
    series: readonly (Recorded | null)[],
    candles: readonly (Candles | null)[],
  ): D | kit.ApiError;
}

/** The question whose replies, those to the series and those about candles, are the answer. */
export function questionAbout<D>(
  { series, candles }: Asks,
  { answer, ...of }: Answering<D>,
): Question<D> | kit.ApiError {
  const [firstSeries, ...moreSeries] = series;
  if (firstSeries)
    return questionOf<'series', D>({
      ...of,
      ...firstSeries,
      name: 'series',
      sameQueryElsewhere: moreSeries,
      otherQueries: { candles },
      data: (own, others, otherReplies) => answer([own, ...others], otherReplies.candles ?? []),
      onPartialFailure: (others, otherReplies) =>
        answer([null, ...others], otherReplies.candles ?? []),
    });
  const [firstCandles, ...moreCandles] = candles;
  if (!firstCandles) {
    return apiError('bad_parameter', 'columns: none of these exchanges has any of them');
  }
  return questionOf<'candles', D>({
    ...of,
    ...firstCandles,
    name: 'candles',
    sameQueryElsewhere: moreCandles,
    data: (own, others) => answer([], [own, ...others]),
    onPartialFailure: (others) => answer([], [null, ...others]),
  });
}

/** A request for rows, with what is asked for it. */
export interface RowsRequest {
  wanted: RowsWanted;
  asks: Asks;
  /** What the cells of a row are. */
  names: readonly string[];
  /** What is not listed, or not had by its exchange. */
  missing: readonly MissingPart[];
}

/** What a request asks for; or what is wrong with it. `now` in Unix ms. */
export function requestOf(
  context: RowsContext,
  values: RowsValues,
  now: number,
): RowsRequest | kit.ApiError {
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
  return {
    wanted,
    asks: asksOf(wanted, values),
    names: ['timestamp', 'exchange', 'symbol', ...columns.map(({ name }) => name)],
    missing: [...found.missing, ...absentIn(context, wanted, values)],
  };
}

/** The replies to what was asked, as rows are made of them. */
export const repliesOf = (
  asks: Asks,
  series: readonly (Recorded | null)[],
  candles: readonly (Candles | null)[],
): RowsReplies => ({
  series: new Map(asks.series.map((one, i) => [one.params.series, rowsByKey(series[i])])),
  candles: new Map(asks.candles.map(({ market }, i) => [market, candles[i] ?? null])),
});

/** The question of a request; the answer where no exchange of it lists any symbol; or what is wrong with it. `now` in Unix ms. */
export function rowsQuestion(context: RowsContext, values: RowsValues, now: number) {
  const request = requestOf(context, values, now);
  if (isApiError(request)) return request;
  const { wanted, asks, names } = request;
  const { page, markets } = wanted;
  const { symbols, exchanges, interval, kind } = values;
  const answer = (series: readonly (Recorded | null)[], candles: readonly (Candles | null)[]) => {
    const { next, missing } = readerOf(wanted, repliesOf(asks, series, candles));
    const rows = next(Number.POSITIVE_INFINITY);
    return {
      ...{ interval, kind, count: rows.length, rows, columns: names },
      next: page.next === null || markets.length === 0 ? null : String(page.next),
      missing: [...request.missing, ...missing],
    };
  };
  if (markets.length === 0) return snapshotOf(answer([], []));
  const what = `the rows of ${symbols} on ${exchanges}`;
  const about = { what, variant: JSON.stringify(['/v1/rows', names, page]) };
  return questionAbout(asks, { ...about, answer });
}
