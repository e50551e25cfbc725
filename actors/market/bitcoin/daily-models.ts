/** The models of days that are over: Puell multiple, stock-to-flow, correlations. */

import { hour } from '../../../config/time.ts';
import {
  alignedReturns,
  correlationSeries,
  correlations,
  type ReturnPair,
  windows,
} from '../../../indicators/market/correlations.ts';
import { dateOf, dayLength } from '../../../indicators/market/days.ts';
import { puell, puellSeries } from '../../../indicators/market/puell.ts';
import type { Enough } from '../../../indicators/market/statistics.ts';
import {
  flowDays,
  stockToFlow,
  stockToFlowSeries,
} from '../../../indicators/market/stock-to-flow.ts';
import { assetIds, assets } from '../../providers/assets.ts';
import type { IndicatorRow } from '../../topics/indicators/table.ts';
import type { InputDays } from '../../topics/market-indicators.ts';
import type { AssetClose } from './asset-days.ts';
import { withNominal } from './chain-days.ts';
import {
  type Book,
  type Content,
  type Current,
  closesIn,
  distinct,
  type Model,
  type Timed,
  untimed,
} from './model.ts';

/** Issued coins up to the last close, with estimates for days that no source has yet. */
const issued = ({ closes, issuance }: Book) =>
  withNominal(issuance.rows, closes.rows.at(-1)?.day ?? 0);

/** A value of closes and issues, with where they came from. */
function minersCurrent<Row extends Timed>(book: Book, found: Enough<Row>) {
  const { closes, issuance } = book;
  const last = closes.rows.at(-1);
  if (!last || issuance.rows.length === 0) return null;
  const sources = [...closes.rows.slice(-flowDays), ...issued(book).slice(-flowDays)];
  const day = found.ok ? found.value.timestamp : last.day;
  const content = found.ok
    ? ({ ok: true, value: { fields: untimed(found.value), live: null } } as const)
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

/** The last days that have both a close and an issue. */
function minersDays(book: Book): InputDays[] {
  const last = book.closes.rows.at(-1)?.day ?? 0;
  const days = issued(book)
    .filter(({ day }) => day <= last)
    .slice(-flowDays);
  const [first, end] = [days[0]?.day ?? 0, days.at(-1)?.day ?? 0];
  const rows = book.closes.rows.filter(({ day }) => day >= first && day <= end);
  const coins = days.map(({ issuance_btc }) => issuance_btc);
  return [
    { name: 'issuance', unit: 'BTC', from: first, values: coins },
    closesIn({ closes: { rows } }, flowDays),
  ];
}

/** What the models of miners have in common. */
const miners = {
  cadence: hour,
  what: 'days with both a close and the coins issued',
  inputs: ({ closes, issuance }: Book) => [closes.rows, issuance.rows],
  received: minersReceived,
  days: minersDays,
};

const puellModel: Model<'puell-multiple'> = {
  ...miners,
  name: 'puell-multiple',
  current: (book) => minersCurrent(book, puell(book.closes.rows, issued(book))),
  history: (book) =>
    puellSeries(book.closes.rows, issued(book)).map(({ timestamp, value, daily_issuance_usd }) => ({
      timestamp,
      value,
      daily_issuance_usd,
    })),
};

const stockToFlowModel: Model<'stock-to-flow'> = {
  ...miners,
  name: 'stock-to-flow',
  current: (book) => minersCurrent(book, stockToFlow(book.closes.rows, issued(book))),
  history: (book) => stockToFlowSeries(book.closes.rows, issued(book)),
};

const pairsOf = ({ closes }: Book, asset: (typeof assetIds)[number], rows: readonly AssetClose[]) =>
  alignedReturns(closes.rows, rows, assets[asset].change);

/** One asset as the answer lists it; unknown fields are null. */
function listed(
  id: (typeof assetIds)[number],
  rows: readonly AssetClose[],
  pairs: readonly ReturnPair[],
) {
  const last = rows.at(-1);
  const { strength, ...coefficients } = correlations(pairs);
  return {
    ...{ id, name: assets[id].name, ...coefficients },
    ...{ last_price: last?.value ?? null, last_date: last ? dateOf(last.day) : null },
    ...{ source: last?.source ?? null, strength },
  };
}

/** Days that a window of a month needs: one more than its returns. */
const leastDays = windows[0].pairs + 1;

const assetsReceived = (book: Book) => Math.max(...assetIds.map((id) => book.assets(id).at));

function correlationsCurrent(book: Book): Current<'bitcoin-correlations'> | null {
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
  const found: Enough<Content<'bitcoin-correlations'>> =
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
function correlationsHistory(book: Book): IndicatorRow<'bitcoin-correlations'>[] {
  const lineOf = (id: (typeof assetIds)[number]) =>
    new Map(
      correlationSeries(pairsOf(book, id, book.assets(id).rows)).map(({ day, value }) => [
        day,
        value,
      ]),
    );
  const [sp500, nasdaq, gold] = [lineOf('sp500'), lineOf('nasdaq'), lineOf('gold')];
  const [dxy, us10y] = [lineOf('dxy'), lineOf('us10y')];
  return distinctDays([sp500, nasdaq, gold, dxy, us10y]).map((timestamp) => ({
    timestamp,
    sp500: sp500.get(timestamp) ?? null,
    nasdaq: nasdaq.get(timestamp) ?? null,
    gold: gold.get(timestamp) ?? null,
    dxy: dxy.get(timestamp) ?? null,
    us10y: us10y.get(timestamp) ?? null,
  }));
}

const distinctDays = (lines: readonly ReadonlyMap<number, number>[]): number[] =>
  [...new Set(lines.flatMap((points) => [...points.keys()]))].sort((a, b) => a - b);

/** Days before the last close that the longest window needs, with some for an asset that is behind. */
const comparedDays = windows[2].days + 30;

/** The closes of Bitcoin and of each asset on the same days. */
function correlationDays(book: Book): InputDays[] {
  const bitcoin = closesIn(book, comparedDays);
  const { from, values } = bitcoin;
  const others = assetIds.map((id): InputDays => {
    const known = new Map(book.assets(id).rows.map(({ day, value }) => [day, value]));
    return {
      ...{ of: id, name: id, from },
      unit: assets[id].change === 'difference' ? 'percent a year' : 'points or US dollars',
      values: values.map((_, i) => known.get(from + i * dayLength) ?? null),
    };
  });
  return [bitcoin, ...others];
}

const correlationsModel: Model<'bitcoin-correlations'> = {
  name: 'bitcoin-correlations',
  cadence: 6 * hour,
  what: 'days common to Bitcoin and another asset',
  inputs: (book) => [book.closes.rows, ...assetIds.map((id) => book.assets(id).rows)],
  received: assetsReceived,
  current: correlationsCurrent,
  history: correlationsHistory,
  days: correlationDays,
};

export const dailyModels: readonly Model[] = [puellModel, stockToFlowModel, correlationsModel];
