/** The last check of rows before publishing: what cannot be true of times, rates, quotes, ranges, changes, turnovers and marks becomes null. */

import { validFunding } from '../../../indicators/derivatives/funding.ts';
import {
  hasFarQuotes,
  hasFarRange,
  hasWrongChange,
  hasWrongTurnover,
  type Traded,
} from '../../../indicators/market/checks.ts';
import { failed, type Result, success } from '../../failure.ts';
import { time } from '../../read.ts';
import { type DropCode, maxDroppedShare, type Parsed } from '../define.ts';

/** The fields of price, derivative and open interest rows that are checked; instruments have none of them. */
export interface Checked {
  market: string;
  stated?: number | null;
  next_funding?: number | null;
  funding_rate?: number | null;
  funding_hours?: number | null;
  bid?: number | null;
  ask?: number | null;
  price?: number | null;
  high?: number | null;
  low?: number | null;
  change?: number | null;
  volume?: number | null;
  base?: number | null;
  mark?: number | null;
  index?: number | null;
}

type Value = number | null | undefined;

/** How far a stated time may be ahead of ours, ms: beyond it the upstream's clock is wrong, and the time orders nothing. */
export const mostAhead = 60_000;

/** True for a stated time that is not believed: counted where it is ahead of our clock. */
const isAhead = (stated: Value, now: number): boolean =>
  typeof stated === 'number' && stated > now + mostAhead;

/** True for a time that is outside of 2009 to a day after `now`. */
const isWrong = (value: Value, now: number): boolean =>
  typeof value === 'number' && time(value, 1, now) === null;

/** True for two given numbers of which the first is the larger one. */
const exceeds = (first: Value, second: Value): boolean =>
  typeof first === 'number' && typeof second === 'number' && first > second;

/** Share by which a price may be outside of its range: exchanges round the two apart, and count them at two moments. */
const rangeTolerance = 0.001;

/** True where the low is above the high, or the price outside of both. */
const isTurned = ({ price, high, low }: Checked): boolean =>
  exceeds(low, high) ||
  (typeof price === 'number' &&
    (exceeds(price * (1 - rangeTolerance), high) || exceeds(low, price * (1 + rangeTolerance))));

/** A row that has a price, with null for what is unknown beside it. */
const besideOf = (row: Checked, price: number): Traded => ({
  price,
  bid: row.bid ?? null,
  ask: row.ask ?? null,
  high: row.high ?? null,
  low: row.low ?? null,
  change: row.change ?? null,
  volume: row.volume ?? null,
  base: row.base ?? null,
});

/** A reason why columns of a row are not used, and what they become. */
type Fault = readonly [DropCode, Partial<Checked>];

const noRange = { high: null, low: null };

const isNoPrice = (value: Value): boolean =>
  typeof value === 'number' && !(value > 0 && value < Infinity);

/** Marks and index prices that are no prices. */
function markFaults({ mark, index }: Checked): Fault[] {
  const changes = {
    ...(isNoPrice(mark) && { mark: null }),
    ...(isNoPrice(index) && { index: null }),
  };
  return Object.keys(changes).length === 0 ? [] : [['bad_mark', changes]];
}

/** What cannot be true beside the price of a row. */
function faultsOf(row: Checked, price: number): Fault[] {
  const beside = besideOf(row, price);
  const faults: Fault[] = [];
  const isCrossed = exceeds(beside.bid, beside.ask);
  if (isCrossed || hasFarQuotes(beside))
    faults.push([isCrossed ? 'crossed_quotes' : 'bad_quotes', { bid: null, ask: null }]);
  const hasBadRange = isTurned(row) || hasFarRange(beside);
  if (hasBadRange) faults.push(['bad_range', noRange]);
  else if (hasWrongChange(beside)) faults.push(['bad_change', { change: null }]);
  if (hasWrongTurnover(hasBadRange ? { ...beside, ...noRange } : beside))
    faults.push(['bad_turnover', { volume: null, base: null }]);
  return faults;
}

/** The row without what cannot be true beside its price; each reason is told to `drop`. */
function withoutFalse<Row extends Checked>(row: Row, drop: (code: DropCode) => void): Row {
  const faults = typeof row.price === 'number' ? faultsOf(row, row.price) : markFaults(row);
  if (faults.length === 0) return row;
  const found = { ...row };
  for (const [code, changes] of faults) {
    drop(code);
    Object.assign(found, changes);
  }
  return found;
}

/**
 * The rows with `stated`, `next_funding` and the funding rate null where they cannot be true at `now`, the receive
 * time in Unix ms, and likewise quotes, ranges and changes that contradict their price. A refused funding rate or interval, quotes
 * that are crossed or far from the price, a high and low that are no range of it, a change from a price outside of that range,
 * and a stated time that is ahead of ours, are counted in `dropped`; the rest of the row is used.
 */
export function withChecked<Row extends Checked>(parsed: Parsed<Row>, now: number): Parsed<Row> {
  const dropped = [...parsed.dropped];
  const rows = parsed.rows.map((found) => {
    const row = withoutFalse(found, (code) => dropped.push({ key: found.market, code }));
    const { market, stated, next_funding, funding_rate = null, funding_hours = null } = row;
    const { refused, rate, hours } = validFunding(funding_rate, funding_hours);
    const ahead = isAhead(stated, now);
    const wrong = { stated: ahead || isWrong(stated, now), next: isWrong(next_funding, now) };
    if (ahead) dropped.push({ key: market, code: 'time_ahead' });
    if (!refused && !wrong.stated && !wrong.next) return row;
    if (refused) dropped.push({ key: market, code: refused });
    return {
      ...row,
      ...(wrong.stated && { stated: null }),
      ...(wrong.next && { next_funding: null }),
      ...(refused && { funding_rate: rate, funding_hours: hours, funding_rate_8h: null }),
    };
  });
  return { ...parsed, rows, dropped };
}

/** The result of `parse`; a failure where it throws or too many rows are unreadable. */
export function validRows<Row>(parse: () => Parsed<Row>): Result<Parsed<Row>> {
  try {
    const parsed = parse();
    const bad = parsed.dropped.filter((drop) => drop.code === 'bad_row').length;
    const all = parsed.rows.length + bad;
    if (bad > maxDroppedShare * all) return failed('shape', `${bad} of ${all} rows are unreadable`);
    return { ok: true, value: parsed };
  } catch (error) {
    return failed('shape', error instanceof Error ? error.message : 'unreadable body');
  }
}

/**
 * A poll with one row a market: pages and lists overlap while an exchange changes them. The first row of a market
 * stays, each further one is dropped as `duplicate`.
 */
function withoutDuplicates<Row extends { market: string }>(parsed: Parsed<Row>): Parsed<Row> {
  const { rows, dropped } = parsed;
  const first = new Map<string, Row>();
  for (const row of rows) if (!first.has(row.market)) first.set(row.market, row);
  if (first.size === rows.length) return parsed;
  const further = rows
    .filter((row) => first.get(row.market) !== row)
    .map(({ market }) => ({ key: market, code: 'duplicate' as const }));
  return { ...parsed, rows: [...first.values()], dropped: [...dropped, ...further] };
}

/**
 * The rows of a topic as they leave its parser: one a market, and without what cannot be true beside the rest of the row. A
 * failure where too many are unreadable.
 */
export function usableRows<Row extends Checked>(
  parse: () => Parsed<Row>,
  received: number,
): Result<Parsed<Row>> {
  const parsed = validRows(parse);
  return parsed.ok ? success(withChecked(withoutDuplicates(parsed.value), received)) : parsed;
}
