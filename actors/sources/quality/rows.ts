/** The checks of rows by themselves before they are published: whether they can be used as a whole, and what of each cannot be true. */
import { minute } from '../../../config/time.ts';
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
import type { Reading } from '../../topics/index.ts';
import type { AnyRow, Parsed } from '../define.ts';
import { type DropCode, maxDroppedShare } from './reasons.ts';

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
export const maxAhead = minute;

/** True for a stated time that is ahead of our clock. */
const isAhead = (stated: Value, now: number): boolean =>
  typeof stated === 'number' && stated > now + maxAhead;

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

/** Columns of a row that are not used, what they become, and the reason that is counted; null for one that is not. */
type Fault = readonly [DropCode | null, Partial<Checked> & { funding_rate_8h?: null }];

const noRange = { high: null, low: null };

const isNoPrice = (value: Value): boolean =>
  typeof value === 'number' && !(value > 0 && value < Infinity);

/** What cannot be true beside the price of a row. */
function priceFaults(row: Checked, price: number, faults: Fault[]): void {
  const beside = besideOf(row, price);
  const isCrossed = exceeds(beside.bid, beside.ask);
  if (isCrossed || hasFarQuotes(beside))
    faults.push([isCrossed ? 'crossed_quotes' : 'bad_quotes', { bid: null, ask: null }]);
  const hasBadRange = isTurned(row) || hasFarRange(beside);
  if (hasBadRange) faults.push(['bad_range', noRange]);
  else if (hasWrongChange(beside)) faults.push(['bad_change', { change: null }]);
  if (hasWrongTurnover(hasBadRange ? { ...beside, ...noRange } : beside))
    faults.push(['bad_turnover', { volume: null, base: null }]);
}

/** Marks and index prices that are no prices: one fault for both. */
function markFaults({ mark, index }: Checked, faults: Fault[]): void {
  if (isNoPrice(mark)) faults.push(['bad_mark', { mark: null }]);
  if (isNoPrice(index)) faults.push([isNoPrice(mark) ? null : 'bad_mark', { index: null }]);
}

function faultsOf(row: Checked, now: number): Fault[] {
  const faults: Fault[] = [];
  if (typeof row.price === 'number') priceFaults(row, row.price, faults);
  else markFaults(row, faults);
  const { stated, next_funding, funding_rate = null, funding_hours = null } = row;
  if (isAhead(stated, now)) faults.push(['time_ahead', { stated: null }]);
  else if (isWrong(stated, now)) faults.push([null, { stated: null }]);
  if (isWrong(next_funding, now)) faults.push([null, { next_funding: null }]);
  const { refused, rate, hours } = validFunding(funding_rate, funding_hours);
  if (refused)
    faults.push([refused, { funding_rate: rate, funding_hours: hours, funding_rate_8h: null }]);
  return faults;
}

/**
 * The rows with null for what cannot be true, the rest of them as it is; the reasons that are counted are in `dropped`. `now` is
 * the time of receipt, Unix ms. Refused are: quotes that are crossed or far from the price; a high and a low that are no range of
 * it; a change from a price outside of that range; a turnover that contradicts it; marks that are no prices; a stated time that
 * is ahead of ours, and times outside of 2009 to a day from now; a funding rate or interval that `validFunding` refuses.
 */
export function withChecked<Row extends Checked>(parsed: Parsed<Row>, now: number): Parsed<Row> {
  const dropped = [...parsed.dropped];
  const rows = parsed.rows.map((row) => {
    const faults = faultsOf(row, now);
    if (faults.length === 0) return row;
    const found = { ...row };
    for (const [code, changes] of faults) {
      if (code !== null) dropped.push({ key: row.market, code });
      Object.assign(found, changes);
    }
    return found;
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

/** How long a row stays that no poll has brought again. */
export interface KeepLimits {
  received: number;
  maxAge: number;
  /** Given for a partial poll: the markets that still exist, all of whose rows stay. */
  listed: ReadonlyMap<string, unknown> | null;
}

const isReplaced = (code: DropCode) => code === 'bad_row' || code === 'suspect';

/**
 * Takes over rows of the last reading that this one could not read or did not ask, each with the time it was
 * received, until they are too old for the topic: a bad row never replaces a good one, and its age shows.
 */
export function retainGood<Row extends AnyRow>(
  { rows, dropped }: Parsed<Row>,
  previous: Reading<Row> | undefined,
  { received, maxAge, listed }: KeepLimits,
): Row[] {
  if (previous === undefined || (dropped.length === 0 && listed === null)) return rows;
  const fresh = new Set(rows.map((row) => row.market));
  const bad = new Set(dropped.filter(({ code }) => isReplaced(code)).map(({ key }) => key));
  const retained = previous.rows
    .filter(({ market }) => !fresh.has(market) && (bad.has(market) || listed?.has(market)))
    .map((row) => ({ ...row, received: row.received ?? previous.received }))
    .filter((row) => received - row.received <= maxAge);
  return [...rows, ...retained];
}
