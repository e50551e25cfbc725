/** The models of days that are over: Puell multiple, stock-to-flow, correlations. */
import type { HistoryRow } from '../answers.ts';
import { assetIds, assets } from '../assets.ts';
import { dateOf, dayLength } from '../days.ts';
import {
  alignedReturns,
  type Correlations,
  correlationSeries,
  correlations,
  type ReturnPair,
  windows,
} from '../formulas/correlations.ts';
import type { Enough } from '../formulas/enough.ts';
import { puell, puellSeries } from '../formulas/puell.ts';
import { flowDays, stockToFlow, stockToFlowSeries } from '../formulas/stock-to-flow.ts';
import type { AssetClose } from './asset-days.ts';
import { withNominal } from './chain-days.ts';
import {
  type Book,
  type Content,
  type Current,
  chartRow,
  distinct,
  type Model,
  pick,
} from './model.ts';

const hour = 3_600_000;

/** Issues with the days that nobody has told yet, up to the last close. */
const issued = ({ closes, issuance }: Book) =>
  withNominal(issuance.rows, closes.rows.at(-1)?.day ?? 0);

/** A value of closes and issues, with where they came from. */
function minersCurrent<Row extends { timestamp: number }>(
  book: Book,
  found: Enough<Row>,
  fields: readonly (keyof Row & string)[],
): Current | null {
  const { closes, issuance } = book;
  const last = closes.rows.at(-1);
  if (!last || issuance.rows.length === 0) return null;
  const sources = [...closes.rows.slice(-flowDays), ...issued(book).slice(-flowDays)];
  const day = found.ok ? found.value.timestamp : last.day;
  const content: Enough<Content> = found.ok
    ? { ok: true, value: { fields: pick(found.value, fields), live: null } }
    : found;
  return {
    found: content,
    source: distinct(sources.map(({ source }) => source)),
    updated_at: day + dayLength,
    received_at: minersReceived(book),
  };
}

const minersReceived = ({ closes, issuance }: Book) =>
  Math.min(closes.confirmed, issuance.confirmed);
const minersInputs = ({ closes, issuance }: Book) => [closes.rows, issuance.rows];

const puellModel: Model = {
  name: 'puell-multiple',
  cadence: hour,
  what: 'days with both a close and the coins issued',
  inputs: minersInputs,
  received: minersReceived,
  current: (book) =>
    minersCurrent(book, puell(book.closes.rows, issued(book)), [
      ...(['value', 'value_smoothed', 'daily_issuance_btc', 'daily_issuance_usd'] as const),
      ...(['average_365d_usd', 'blocks', 'subsidy_btc', 'zone', 'signal'] as const),
    ]),
  history: (book) =>
    puellSeries(book.closes.rows, issued(book)).map((point) =>
      chartRow(point, ['value', 'daily_issuance_usd']),
    ),
};

const stockToFlowModel: Model = {
  name: 'stock-to-flow',
  cadence: hour,
  what: 'days with both a close and the coins issued',
  inputs: minersInputs,
  received: minersReceived,
  current: (book) =>
    minersCurrent(book, stockToFlow(book.closes.rows, issued(book)), [
      ...(['stock_btc', 'flow_btc_365d', 'nominal_flow_btc', 'ratio'] as const),
      ...(['model_price_usd', 'model_price_2019_usd', 'price_usd', 'deflection'] as const),
      ...(['block_height', 'next_halving_height', 'days_to_halving', 'signal', 'note'] as const),
    ]),
  history: (book) =>
    stockToFlowSeries(book.closes.rows, issued(book)).map((point) =>
      chartRow(point, ['ratio', 'model_price_usd', 'price_usd']),
    ),
};

/** The assets whose lines are in the chart. */
const charted = ['sp500', 'nasdaq', 'gold', 'dxy', 'us10y'] as const;

const pairsOf = ({ closes }: Book, asset: (typeof assetIds)[number], rows: readonly AssetClose[]) =>
  alignedReturns(closes.rows, rows, assets[asset].change);

/** One asset as the answer lists it; null for what is not known. */
function listed(
  id: (typeof assetIds)[number],
  rows: readonly AssetClose[],
  pairs: readonly ReturnPair[],
) {
  const last = rows.at(-1);
  const { strength, ...coefficients }: Correlations = correlations(pairs);
  return {
    ...{ id, name: assets[id].name, ...coefficients },
    ...{ last_price: last?.value ?? null, last_date: last ? dateOf(last.day) : null },
    ...{ source: last?.source ?? null, strength },
  };
}

/** Days that a window of a month needs: one more than its returns. */
const leastDays = windows[0].pairs + 1;

const assetsReceived = (book: Book) => Math.max(...assetIds.map((id) => book.assets(id).at));

function correlationsCurrent(book: Book): Current | null {
  const all = assetIds.map((id) => {
    const { rows } = book.assets(id);
    return { id, rows, pairs: pairsOf(book, id, rows) };
  });
  const known = all.filter(({ rows }) => rows.length > 0);
  if (known.length === 0 || book.closes.rows.length === 0) return null;
  const has = Math.max(...known.map(({ rows, pairs }) => Math.min(rows.length, pairs.length + 1)));
  const newest = Math.max(
    ...known.map(({ rows, pairs }) => (pairs.at(-1) ?? rows.at(-1))?.day ?? 0),
  );
  const table = all.map(({ id, rows, pairs }) => listed(id, rows, pairs));
  const sources = known.flatMap(({ rows }) => rows.at(-1)?.source ?? []);
  const found: Enough<Content> =
    has < leastDays
      ? { ok: false, needs: leastDays, has }
      : { ok: true, value: { fields: { base: 'BTC', assets: table }, live: null } };
  return {
    found,
    source: distinct([...book.closes.rows.slice(-365).map((row) => row.source), ...sources]),
    updated_at: newest + dayLength,
    received_at: assetsReceived(book),
  };
}

/** A row for each day on which one of the lines has a point; null where another has none. */
function correlationsHistory(book: Book): HistoryRow[] {
  const lines = charted.map((id) => {
    const series = correlationSeries(pairsOf(book, id, book.assets(id).rows));
    return { id, points: new Map(series.map(({ day, value }) => [day, value])) };
  });
  const days = distinctDays(lines.map(({ points }) => points));
  return days.map((timestamp) => ({
    timestamp,
    ...Object.fromEntries(lines.map(({ id, points }) => [id, points.get(timestamp) ?? null])),
  }));
}

const distinctDays = (lines: readonly ReadonlyMap<number, number>[]): number[] =>
  [...new Set(lines.flatMap((points) => [...points.keys()]))].sort((a, b) => a - b);

const correlationsModel: Model = {
  name: 'bitcoin-correlations',
  cadence: 6 * hour,
  what: 'days common to Bitcoin and another asset',
  inputs: (book) => [book.closes.rows, ...assetIds.map((id) => book.assets(id).rows)],
  received: assetsReceived,
  current: correlationsCurrent,
  history: correlationsHistory,
};

export const dailyModels: readonly Model[] = [puellModel, stockToFlowModel, correlationsModel];
