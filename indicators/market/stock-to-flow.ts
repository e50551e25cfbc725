/** PlanB's stock-to-flow model: scarcity as the years that today's issue would take to make the stock. */
import type { DayClose } from './days.ts';
import { blocksPerDay, type IssuanceDay, nextHalving, subsidyAt } from './issuance.ts';
import { enough, movingMeans, newest } from './statistics.ts';

/** Days of the flow, the current one included. */
export const flowDays = 365;

/** A note beside the signal. */
export const stockToFlowNote =
  'The price has stayed far below the model since 2022; the model is shown because it is widely quoted.';

/** Price against model; a value on an edge belongs to the class above it. */
export const stockToFlowSignals = [
  { below: 0.5, signal: 'undervalued' },
  { below: 2, signal: 'fair' },
  { below: Infinity, signal: 'overvalued' },
] as const;

/** US dollars a coin by the fit that most charts use: `e^-1.84 x SF^3.36`. */
export const modelPrice = (ratio: number): number => Math.exp(-1.84) * ratio ** 3.36;

/** US dollars a coin by the article of 2019, which models the whole market's value: `e^14.6 x SF^3.3 / stock`. */
export const modelPrice2019 = (ratio: number, stock: number): number =>
  (Math.exp(14.6) * ratio ** 3.3) / stock;

/** The days' issues with the issue of the 365 days that end with each. */
function flows(issuance: readonly IssuanceDay[]) {
  const means = movingMeans(
    issuance.map(({ issuance_btc: issued }) => issued),
    flowDays,
  );
  return issuance
    .slice(flowDays - 1)
    .map((row, at) => ({ ...row, flow: (means[at] ?? Number.NaN) * flowDays }));
}

/** One point for each day with a close from the 365th issue on; `issuance` has every day once. */
export function stockToFlowSeries(closes: readonly DayClose[], issuance: readonly IssuanceDay[]) {
  const prices = new Map(closes.map(({ day, close }) => [day, close]));
  return flows(issuance).flatMap(({ day, supply_btc: stock, flow }) => {
    const price = prices.get(day);
    if (price === undefined) return [];
    const ratio = stock / flow;
    return [{ timestamp: day, ratio, model_price_usd: modelPrice(ratio), price_usd: price }];
  });
}

/**
 * The model of the last day that has both a close and 365 days of issue. After a halving the flow glides to the new rate within a year;
 * the nominal one is 52,560 blocks of the current subsidy.
 */
export function stockToFlow(closes: readonly DayClose[], issuance: readonly IssuanceDay[]) {
  const has = Math.min(closes.length, issuance.length);
  const found = newest(stockToFlowSeries(closes, issuance), flowDays, has);
  if (!found.ok) return found;
  const { timestamp, ratio, model_price_usd, price_usd } = found.value;
  const row = issuance.findLast(({ day }) => day === timestamp);
  if (!row) return newest([], flowDays, has);
  const { supply_btc: stock, height } = row;
  const halving = nextHalving(height);
  const deflection = price_usd / model_price_usd;
  return enough({
    timestamp,
    stock_btc: stock,
    flow_btc_365d: stock / ratio,
    nominal_flow_btc: flowDays * blocksPerDay * subsidyAt(height),
    ratio,
    model_price_usd,
    model_price_2019_usd: modelPrice2019(ratio, stock),
    price_usd,
    deflection,
    block_height: height,
    next_halving_height: halving,
    days_to_halving: (halving - height) / blocksPerDay,
    signal: stockToFlowSignalOf(deflection),
    note: stockToFlowNote,
  });
}

/** The class of a deflection. */
export const stockToFlowSignalOf = (deflection: number) =>
  (stockToFlowSignals.find(({ below }) => deflection < below) ?? stockToFlowSignals[2]).signal;
