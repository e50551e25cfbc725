/** The guards of one number: what cannot be true in a row, and which jump waits for a second message. */
import { minute } from '../../../config/time.ts';
import { validFunding } from '../../../indicators/derivatives/funding.ts';
import {
  hasFarQuotes,
  hasFarRange,
  hasWrongChange,
  hasWrongTurnover,
  isNear,
  judge,
} from '../../../indicators/market/checks.ts';
import { time } from '../../read.ts';
import type { DerivativeRow, Instrument, OpenInterestRow, PriceRow } from '../../topics/index.ts';
import type { Parsed } from '../define.ts';
import type { Objection } from '../merged-rows.ts';
import type { DropCode } from './reasons.ts';

type Dropped = Parsed<never>['dropped'];
type Value = number | null | undefined;

const isNumber = (value: Value): value is number => typeof value === 'number';

/** How far a stated time may be ahead of ours, ms: beyond it the upstream's clock is wrong, and the time orders nothing. */
export const maxAhead = minute;

/** True for a time that is outside of 2009 to a day after `now`. */
const isWrong = (value: Value, now: number): boolean =>
  isNumber(value) && time(value, 1, now) === null;

/** True for two given numbers of which the first is the larger one. */
const exceeds = (first: Value, second: Value): boolean =>
  isNumber(first) && isNumber(second) && first > second;

/** The row without a stated time that is ahead of ours. User: who reads `venue_time`; without it one clock that is ahead stops a market. */
function statedTime<Row extends { market: string; stated: number | null }>(
  row: Row,
  now: number,
  dropped: Dropped,
): Row {
  const isAhead = row.stated !== null && row.stated > now + maxAhead;
  if (!isAhead && !isWrong(row.stated, now)) return row;
  if (isAhead) dropped.push({ key: row.market, code: 'time_ahead' });
  return { ...row, stated: null };
}

/** Share by which a price may be outside of its range: exchanges round the two apart, and count them at two moments. */
const rangeTolerance = 0.001;

/** True where the low is above the high, or the price outside of both. */
const isTurned = ({ price, high, low }: PriceRow): boolean =>
  exceeds(low, high) ||
  exceeds(price * (1 - rangeTolerance), high) ||
  exceeds(low, price * (1 + rangeTolerance));

const noQuotes = { bid: null, ask: null } as const;
const noRange = { high: null, low: null } as const;
const noChange = { change: null } as const;
const noTurnover = { volume: null, base: null } as const;

/**
 * A price row without what cannot be true beside its price. Users: a bot that crosses the spread (quotes), one that trades breakouts
 * (range, change), one that sizes orders or ranks markets by volume (turnover).
 */
export function itselfPrice(row: PriceRow, now: number, dropped: Dropped): PriceRow {
  const isCrossed = exceeds(row.bid, row.ask);
  const hasBadRange = isTurned(row) || hasFarRange(row);
  const ranged = hasBadRange ? { ...row, ...noRange } : row;
  const hasBadQuotes = isCrossed || hasFarQuotes(row);
  const hasBadChange = !hasBadRange && hasWrongChange(row);
  const hasBadTurnover = hasWrongTurnover(ranged);
  if (!(hasBadQuotes || hasBadRange || hasBadChange || hasBadTurnover))
    return statedTime(row, now, dropped);
  const faults: (readonly [boolean, DropCode, Partial<PriceRow>])[] = [
    [hasBadQuotes, isCrossed ? 'crossed_quotes' : 'bad_quotes', noQuotes],
    [hasBadRange, 'bad_range', noRange],
    [hasBadChange, 'bad_change', noChange],
    [hasBadTurnover, 'bad_turnover', noTurnover],
  ];
  const found = faults.filter(([isFault]) => isFault);
  for (const [, code] of found) dropped.push({ key: row.market, code });
  return statedTime(Object.assign({ ...row }, ...found.map(([, , none]) => none)), now, dropped);
}

const isNoPrice = (value: number | null): boolean =>
  value !== null && !(value > 0 && value < Infinity);

/**
 * Marks, rates and times of a perpetual without those that are none. Users: who computes a liquidation price (mark), or collects
 * funding (rate, hours, next).
 */
export function itselfDerivative(row: DerivativeRow, now: number, dropped: Dropped): DerivativeRow {
  const changes: Partial<DerivativeRow> = {};
  if (isNoPrice(row.mark)) changes.mark = null;
  if (isNoPrice(row.index)) changes.index = null;
  if ('mark' in changes || 'index' in changes) dropped.push({ key: row.market, code: 'bad_mark' });
  const { refused, rate, hours } = validFunding(row.funding_rate, row.funding_hours);
  if (refused) {
    dropped.push({ key: row.market, code: refused });
    Object.assign(changes, { funding_rate: rate, funding_hours: hours, funding_rate_8h: null });
  }
  if (isWrong(row.next_funding, now)) changes.next_funding = null;
  const isWhole = Object.keys(changes).length === 0;
  return statedTime(isWhole ? row : { ...row, ...changes }, now, dropped);
}

export const itselfInterest = statedTime<OpenInterestRow>;

/** What else is known of a market and an asset, asked where a number has jumped. */
export interface Evidence {
  /** Prices of the asset on all other exchanges, in US dollars to within the rate of the quote. */
  elsewhere(symbol: string): readonly number[];
  /** Mark and index price of a market, at most two minutes old. */
  marks(market: string): readonly number[];
  /** The last price of a market; null without one, and where its part is frozen. */
  price(market: string): number | null;
}

/** What a number that jumped is held against. */
interface Beside {
  last: number | undefined;
  held: number | undefined;
  doubt?: PriceRow['doubt'] | undefined;
  own?: () => readonly number[];
  others?: () => readonly number[];
}

const isStill = (value: number, last: number | undefined): boolean =>
  last !== undefined && isNear(value, last);

/**
 * Whether a number that is not near its last one can be published: near another exchange's, or the first one and not of another unit,
 * or near the one of another message before it and not contradicted by its own exchange. User: a bot with a stop loss, which one wrong
 * tick triggers; the second message costs a true crash a moment.
 */
function isGood(value: number, { last, held, doubt, own, others }: Beside): boolean {
  const known = { last: last ?? null, others: [], own: own?.() ?? [], contradicted: doubt ?? null };
  const verdict = judge(value, known);
  if (verdict === 'good' || others?.().some((other) => isNear(value, other))) return true;
  return verdict === 'unconfirmed' && held !== undefined && isNear(value, held);
}

/** Factor by which the volume of 24 h may change between two messages. */
const maxVolumeFactor = 5;
/** Percentage points by which a 24 h change may move between two messages while its price does not. */
const maxChangeMove = 30;

const hasVolumeJumped = (sum: number | null, before: number | null): boolean =>
  sum !== null &&
  before !== null &&
  before > 0 &&
  (sum > before * maxVolumeFactor || sum < before / maxVolumeFactor);

const hasTurnoverJumped = (row: PriceRow, before: PriceRow): boolean =>
  hasVolumeJumped(row.volume, before.volume) || hasVolumeJumped(row.base, before.base);

const hasChangeJumped = ({ change }: PriceRow, before: PriceRow): boolean =>
  change !== null && before.change !== null && Math.abs(change - before.change) > maxChangeMove;

/** The newest good row, and one of another message that was objected to. */
type Before<Row> = [last: Row | undefined, held: Row | undefined];

const suspect: Objection<never> = { row: null, codes: ['suspect'], held: true };
const used = <Row>(row: Row, code: DropCode, held = true): Objection<Row> => ({
  ...{ row, codes: [code], held },
});

/** What of a price row jumped while its price did not, and is not in the message before it. */
function besidePrice(row: PriceRow, last: PriceRow | undefined, held: PriceRow | undefined) {
  if (last === undefined || !isNear(row.price, last.price)) return null;
  const isNews = (has: typeof hasChangeJumped) => has(row, last) && !(held && !has(row, held));
  if (isNews(hasTurnoverJumped)) return ['bad_turnover', noTurnover] as const;
  return isNews(hasChangeJumped) ? (['bad_change', noChange] as const) : null;
}

/** A price that jumped waits; a volume or a change that jumped while the price did not is left out until a second message has it too. */
export const objectToPrice =
  (evidence: Evidence) =>
  (row: PriceRow, ...known: Before<PriceRow>) => {
    const { market, symbol, kind, price, doubt } = row;
    const [last, held] = known;
    const isUsed =
      isStill(price, last?.price) ||
      isGood(price, {
        ...{ last: last?.price, held: held?.price, doubt },
        own: () => (kind === 'perpetual' ? evidence.marks(market) : []),
        others: () => evidence.elsewhere(symbol),
      });
    if (!isUsed) return suspect;
    const beside = besidePrice(row, ...known);
    if (doubt === undefined && beside === null) return null;
    const { doubt: _, ...whole } = row;
    if (doubt !== undefined && (row.bid !== null || row.ask !== null))
      return used({ ...whole, ...noQuotes }, 'bad_quotes', false);
    if (beside) return used({ ...whole, ...beside[1] }, beside[0]);
    return { row: whole, codes: [], held: false };
  };

/** Whether units, and the price of the conversion, are those before them or of the held row. */
function unitsOf(
  { units, mark }: OpenInterestRow,
  last: OpenInterestRow | undefined,
  held: OpenInterestRow | undefined,
) {
  const known = [last?.units, held?.units].filter((one) => typeof one === 'number');
  return {
    isSame: units === null || !isNumber(last?.units) || known.some((one) => isNear(units, one)),
    // Of nothing, the value is 0 at any mark.
    isMarkSame: mark === null || !last?.mark || isNear(mark, last.mark),
  };
}

/**
 * An open interest that jumped waits; units, or the price of the conversion, that contradict the value or jumped beside it are left
 * out. User: who trades on changes of open interest, where a wrong unit is a squeeze that was none.
 */
export const objectToInterest =
  (evidence: Evidence) =>
  (row: OpenInterestRow, ...[last, held]: Before<OpenInterestRow>) => {
    const { market, value, units, doubt } = row;
    const isUsed =
      isStill(value, last?.value) ||
      isGood(value, {
        ...{ last: last?.value, held: held?.value, doubt },
        own: () => (units === null ? [] : evidence.marks(market).map((price) => units * price)),
      });
    if (!isUsed) return suspect;
    const { isSame, isMarkSame } = unitsOf(row, last, held);
    const isWhole = (isSame && isMarkSame) || last === undefined || !isNear(value, last.value);
    if (doubt === undefined && isWhole) return null;
    const { doubt: _, ...whole } = row;
    const isMark = isNumber(last?.units) && isSame;
    return used({ ...whole, ...(isMark ? {} : { units: null }), mark: null }, 'bad_units');
  };

/** How far a funding rate or a premium may move between two messages: a fraction. */
const maxRateMove = 0.01;

const isMoved = (value: Value, before: Value): boolean =>
  isNumber(value) && isNumber(before) && Math.abs(value - before) > maxRateMove;

const isAgain = (value: Value, held: Value): boolean => isNumber(held) && !isMoved(value, held);

const markFields = ['mark', 'index'] as const;
const rateFields = ['funding_rate', 'funding_rate_8h', 'predicted_rate', 'premium'] as const;

/** Whether nothing confirms a mark or index price: some exchanges state one price for both, which confirms nothing. */
function isWrongMark(
  field: (typeof markFields)[number],
  {
    row,
    last,
    held,
  }: Record<'row', DerivativeRow> & Record<'last' | 'held', DerivativeRow | undefined>,
  evidence: Evidence,
): boolean {
  const value = row[field];
  if (value === null || isNear(value, last?.[field] ?? NaN)) return false;
  const other = row[field === 'mark' ? 'index' : 'mark'];
  const own = [other === value ? null : other, evidence.price(row.market)];
  const known = [...own, ...evidence.elsewhere(row.symbol)].filter((one) => one !== null);
  if (known.length > 0) return !known.some((one) => isNear(value, one));
  return isNumber(last?.[field]) && !isNear(value, held?.[field] ?? NaN);
}

const withoutMark = { mark: { mark: null }, index: { index: null } } as const;
const noRate = { funding_rate: null, funding_rate_8h: null };
const withoutRate = {
  ...{ funding_rate: noRate, funding_rate_8h: noRate },
  ...{ predicted_rate: { predicted_rate: undefined }, premium: { premium: undefined } },
} as const;

/**
 * Marks that moved by more than 30 % and that nothing confirms, and rates that moved by more than a percentage point, are left out
 * until a second message has them too; a mark that other prices contradict stays out. Users as of `itselfDerivative`.
 */
export const objectToDerivative =
  (evidence: Evidence) =>
  (row: DerivativeRow, ...[last, held]: Before<DerivativeRow>): Objection<DerivativeRow> | null => {
    const marks = markFields.filter((field) => isWrongMark(field, { row, last, held }, evidence));
    const rates = rateFields.filter(
      (field) => isMoved(row[field], last?.[field]) && !isAgain(row[field], held?.[field]),
    );
    if (marks.length === 0 && rates.length === 0) return null;
    const changes = [
      ...marks.map((field) => withoutMark[field]),
      ...rates.map((field) => withoutRate[field]),
    ];
    const codes: DropCode[] = marks.length > 0 ? ['bad_mark'] : [];
    if (rates.length > 0) codes.push('bad_funding_rate');
    return { row: Object.assign({ ...row }, ...changes), codes, held: true };
  };

/** An instrument without hours of funding that are none. User: who compares rates of 8 hours. */
export function itselfContract(row: Instrument, _now: number, dropped: Dropped): Instrument {
  const { refused, hours } = validFunding(null, row.funding_hours);
  if (refused === null) return row;
  dropped.push({ key: row.market, code: refused });
  return { ...row, funding_hours: hours };
}

/** A contract size and a scale change when two lists state it. User: everyone; all books and sums of the market depend on it. */
export function objectToContract(row: Instrument, ...[last, held]: Before<Instrument>) {
  // Moves also where the one grows as the other shrinks.
  const sizeOf = ({ contract, scale }: Instrument) => contract * scale ** 2;
  const beside = { last: last && sizeOf(last), held: held && sizeOf(held) };
  return isStill(sizeOf(row), beside.last) || isGood(sizeOf(row), beside) ? null : suspect;
}
