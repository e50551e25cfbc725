/** Indicators of the market computed again out of nothing but the JSON of their answers, as the description of `method` says. */
import type {
  IndicatorHistory,
  IndicatorName,
  IndicatorReading,
} from '../../actors/topics/index.ts';
import { Snapshot } from '../../http/answers/snapshots.ts';
import { marketIndicatorRoutes } from '../../http/routes/market-indicators.ts';
import { MarketIndicatorsView } from '../../http/views/published-indicators.ts';
import { contextFor, views } from './route-stage.ts';

interface Part {
  name: string;
  weight: number;
  unit: string;
  of?: string;
  side?: string;
}

interface Explanation {
  field: string;
  result: number;
  method: string;
  threshold: number | null;
  inputs: (Part & { value: number | null })[];
  series?: (Part & { from: number; step_ms: number; values: (number | null)[] })[];
}

/** An answer with its explanation. */
export interface Explained {
  [field: string]: unknown;
  explanation: Explanation;
}

const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);

/** Days on which both are known, and what happened between each and the one before. */
function returnsOf([base, other]: NonNullable<Explanation['series']>, days: number) {
  if (base === undefined || other === undefined) throw new Error('two series are needed');
  const both = base.values.flatMap((x, i) => {
    const y = other.values[i] ?? null;
    return x === null || y === null ? [] : [{ at: i, x, y }];
  });
  const end = both.at(-1)?.at ?? 0;
  return both.slice(1).flatMap(({ at, x, y }, i) => {
    const before = both[i];
    if (before === undefined || at <= end - days) return [];
    const isYield = other.unit === 'percent a year';
    return [[Math.log(x / before.x), isYield ? y - before.y : Math.log(y / before.y)] as const];
  });
}

/** By sums of products, not by deviations from the means. */
function pearson(pairs: readonly (readonly [number, number])[]): number {
  const n = pairs.length;
  const [x, y] = [sum(pairs.map(([a]) => a)), sum(pairs.map(([, b]) => b))];
  const [xx, yy] = [sum(pairs.map(([a]) => a * a)), sum(pairs.map(([, b]) => b * b))];
  const xy = sum(pairs.map(([a, b]) => a * b));
  return (n * xy - x * y) / Math.sqrt((n * xx - x * x) * (n * yy - y * y));
}

/** The number that the inputs give: those of a row of the answer with `of`. */
export function again(explanation: Explanation, of?: string, days = 90): number {
  const { method, threshold, inputs, series = [] } = explanation;
  const isIts = (one: Part) => of === undefined || one.of === undefined || one.of === of;
  const rows = series.filter(isIts);
  if (method === 'correlation') return pearson(returnsOf(rows, days));
  if (method === 'last_product_over_mean') {
    const products = (rows[0]?.values ?? []).map((a, i) => Number(a) * Number(rows[1]?.values[i]));
    return (products.at(-1) ?? 0) / (sum(products) / products.length);
  }
  const all = [
    ...inputs.filter(isIts),
    ...rows.flatMap(({ values, ...one }) => values.map((value) => ({ ...one, value }))),
  ].flatMap(({ value, ...one }) => (value === null ? [] : [{ ...one, value }]));
  const known = all.filter(({ weight }) => weight !== 0);
  const total = (side?: string) =>
    sum(known.filter((one) => one.side === side).map(({ weight, value }) => weight * value));
  const mean = () => total() / sum(known.map(({ weight }) => weight));
  const product = () => known.reduce((p, { value, weight }) => p * value ** weight, 1);
  const share = (isIn: (value: number) => boolean) =>
    known.filter(({ value }) => isIn(value)).length / known.length;
  const methods: Record<string, () => number> = {
    stated: () => known[0]?.value ?? 0,
    sum: total,
    rounded_sum: () => Math.round(total() * 10) / 10,
    weighted_mean: mean,
    rounded_weighted_mean: () => Math.round(mean()),
    rounded_share_above: () => Math.round(100 * share((value) => value > Number(threshold))),
    share_below: () => share((value) => value < Number(threshold)),
    ratio_of_sums: () => total('above') / total('below'),
    excess_of_ratio_pct: () => (total('above') / total('below') - 1) * 100,
    product_of_powers: product,
    logarithmic_band: () => Math.min(8, Math.max(0, Math.floor(Math.log(product()) / 0.3 + 2.5))),
  };
  const found = methods[method];
  if (!found) throw new Error(`unknown method ${method}`);
  return found();
}

/** Reads the answers about a reading, with `explain` or without. */
export function answersAbout(
  reading: IndicatorReading & { name: IndicatorName },
  history: IndicatorHistory | null = null,
  now = reading.received_at,
) {
  const { name } = reading;
  const isOfAsset = name === 'bitfinex-margin' || name === 'network-metrics';
  const key = isOfAsset ? `${name}/BTC` : name;
  const marketIndicators = new MarketIndicatorsView();
  marketIndicators.accept(key, reading, now);
  if (history) marketIndicators.acceptHistory(key, history);
  const rows = marketIndicatorRoutes({ ...contextFor(views), marketIndicators });
  const row = rows.find(({ path }) => path === `/v1/indicators/${name}`);
  return (explain?: string, more: object = {}): Explained => {
    const values = { limit: 1, symbol: undefined, explain, ...more };
    const from = row?.from;
    let found: unknown = null;
    if (from && 'view' in from) found = from.view(values);
    else if (from && 'query' in from) found = from.query({ ...values, symbol: 'BTC' });
    if (!(found instanceof Snapshot)) throw new Error(name);
    return JSON.parse(found.dataText);
  };
}
