/** The guards of the numbers of each topic: what cannot be true in a row, and which jump waits for a second message; and whether an order book can be of its market. */

import { dollarQuotes } from '../../../config/quotes.ts';
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
import { type Book, midOf } from '../../../indicators/order-book/book.ts';
import type { Clock } from '../../kernel/clock.ts';
import { time } from '../../read.ts';
import { type NewestRows, otherPrices, ownPrice } from '../../state/newest-rows.ts';
import type {
  DerivativeRow,
  Instrument,
  MarketRows,
  MarketTopic,
  OpenInterestRow,
  PriceRow,
} from '../../topics/index.ts';
import type { Reason } from '../../topics/reasons.ts';
import {
  type Fault,
  far,
  type Guards,
  type Jump,
  unjudged,
  type Value,
  type Verdict,
} from '../merge.ts';

const isNumber = (value: Value): value is number => typeof value === 'number';

/** How far a stated time may be ahead of ours, ms: beyond it the upstream's clock is wrong, and the time orders nothing. */
export const maxAhead = minute;

/** True for a time that is outside of 2009 to a day after `now`. */
const isWrong = (value: Value, now: number): boolean =>
  isNumber(value) && time(value, 1, now) === null;

/** User: who reads `venue_time`; without this one clock that is ahead stops a market. */
function statedTime({ stated }: { stated: number | null }, now: number) {
  const isAhead = stated !== null && stated > now + maxAhead;
  const none = { stated: null };
  return isAhead || isWrong(stated, now) ? ([isAhead ? 'time_ahead' : null, none] as const) : null;
}

/** Whether both are known, and the first is the larger one. */
const exceeds = (first: Value, second: Value): boolean =>
  isNumber(first) && isNumber(second) && first > second;

/** Share by which a price may be outside of its range: exchanges round the two apart, and count them at two moments. */
const rangeTolerance = 0.001;

/** True where the low is above the high, or the price outside of both. */
const isTurned = ({ price, high, low }: PriceRow): boolean =>
  exceeds(low, high) ||
  exceeds(price * (1 - rangeTolerance), high) ||
  exceeds(low, price * (1 + rangeTolerance));

const isCrossed = ({ bid, ask }: PriceRow): boolean => exceeds(bid, ask);
const hasBadRange = (row: PriceRow): boolean => isTurned(row) || hasFarRange(row);
/** The values that are left out, and why, where `is` finds a fault. */
const fault =
  <Row>(is: (row: Row) => boolean, code: Reason, none: Partial<Row>): Fault<Row> =>
  (row) =>
    is(row) ? [code, none] : null;

const noQuotes = { bid: null, ask: null };
const noTurnover = { volume: null, base: null };

/** Factor by which the volume of 24 h may change between two messages. */
const maxVolumeFactor = 5;
const turnover = {
  isFar: (sum: number, before: number): boolean =>
    before > 0 && (sum > before * maxVolumeFactor || sum < before / maxVolumeFactor),
  reason: 'bad_turnover',
  without: noTurnover,
} as const;
/** Percentage points by which a 24 h change may move between two messages. */
const maxChangeMove = 30;

/**
 * Users: a bot that crosses the spread (quotes), one that trades breakouts (range, change), one that sizes orders or ranks markets by
 * volume (turnover).
 */
const prices: Guards<PriceRow> = {
  faults: [
    fault(isCrossed, 'crossed_quotes', noQuotes),
    fault(hasFarQuotes, 'bad_quotes', noQuotes),
    fault(hasBadRange, 'bad_range', { high: null, low: null }),
    fault(hasWrongChange, 'bad_change', { change: null }),
    fault(hasWrongTurnover, 'bad_turnover', noTurnover),
    statedTime,
  ],
  jumps: [
    {
      of: ({ price }) => price,
      judge({ market, symbol, kind, price, doubt }, last, { elsewhere, marks }) {
        const own = kind === 'perpetual' ? marks(market) : [];
        const others = last === null && doubt !== 'unit' ? [] : elsewhere(symbol);
        return judge(price, { last, others, own, contradicted: doubt ?? null });
      },
      reason: 'suspect',
      without: null,
    },
    { of: ({ volume }) => volume, ...turnover },
    { of: ({ base }) => base, ...turnover },
    {
      of: ({ change }) => change,
      isFar: (change, before) => Math.abs(change - before) > maxChangeMove,
      reason: 'bad_change',
      without: { change: null },
    },
    {
      // Of quotes and a price that contradict each other the price is good here.
      of: ({ doubt, bid, ask }) => (doubt === undefined ? null : (bid ?? ask)),
      isFar: () => true,
      judge: () => 'contradicted',
      reason: 'bad_quotes',
      without: noQuotes,
    },
  ],
};

const isNoPrice = (value: number | null): boolean =>
  value !== null && !(value > 0 && value < Infinity);

/** A mark or an index; that the exchange states one price for both confirms neither. */
const markOf = (name: 'mark' | 'index', other: 'mark' | 'index'): Jump<DerivativeRow> => ({
  of: (row) => row[name],
  judge(row, last, { price, elsewhere }) {
    const value = row[name] ?? NaN;
    const own = [row[other] === value ? null : row[other], price(row.market)];
    const known = [...own, ...elsewhere(row.symbol)].filter(isNumber);
    if (known.length > 0) return known.some((one) => isNear(value, one)) ? 'good' : 'contradicted';
    return unjudged(last);
  },
  reason: 'bad_mark',
  without: { [name]: null },
});

/** How far a funding rate or a premium may move between two messages: a fraction. */
const maxRateMove = 0.01;
const rateOf = (
  of: (row: DerivativeRow) => Value,
  without: Partial<DerivativeRow>,
): Jump<DerivativeRow> => ({
  of,
  isFar: (value, before) => Math.abs(value - before) > maxRateMove,
  reason: 'bad_funding_rate',
  without,
});
const noRate = { funding_rate: null, funding_rate_8h: null };

/** Users: who computes a liquidation price (mark), or collects funding (rate, hours, next). */
const derivatives: Guards<DerivativeRow> = {
  faults: [
    ({ mark, index }) => {
      const [noMark, noIndex] = [isNoPrice(mark), isNoPrice(index)];
      const used = { mark: noMark ? null : mark, index: noIndex ? null : index };
      return noMark || noIndex ? ['bad_mark', used] : null;
    },
    (row) => {
      const { refused, rate, hours } = validFunding(row.funding_rate, row.funding_hours);
      const used = { funding_rate: rate, funding_hours: hours, funding_rate_8h: null };
      return refused && [refused, used];
    },
    (row, now) => (isWrong(row.next_funding, now) ? [null, { next_funding: null }] : null),
    statedTime,
  ],
  jumps: [
    markOf('mark', 'index'),
    markOf('index', 'mark'),
    rateOf((row) => row.funding_rate, noRate),
    rateOf((row) => row.funding_rate_8h, noRate),
    rateOf((row) => row.predicted_rate, { predicted_rate: undefined }),
    rateOf((row) => row.premium, { premium: undefined }),
  ],
};

const inDoubt = ({ doubt }: OpenInterestRow, last: number | null): Verdict =>
  doubt === undefined ? unjudged(last) : 'contradicted';

/** User: who trades on changes of open interest, where a wrong unit is a squeeze that was none. */
const openInterest: Guards<OpenInterestRow> = {
  faults: [statedTime],
  jumps: [
    {
      of: ({ value }) => value,
      judge({ market, value, units, doubt }, last, { marks }) {
        const own = units === null ? [] : marks(market).map((price) => units * price);
        return judge(value, { last, others: [], own, contradicted: doubt ?? null });
      },
      reason: 'suspect',
      without: null,
    },
    {
      of: ({ units }) => units,
      judge: inDoubt,
      reason: 'bad_units',
      without: { units: null, mark: null },
    },
    {
      of: ({ mark }) => mark,
      // Of nothing, the value is 0 at any mark.
      isFar: (mark, before, { doubt }) => doubt !== undefined || (before > 0 && far(mark, before)),
      judge: inDoubt,
      reason: 'bad_units',
      without: { mark: null },
    },
  ],
};

/** Users: who compares rates of 8 hours (hours); everyone (contract size and scale: books and sums depend on them). */
const instruments: Guards<Instrument> = {
  faults: [
    ({ funding_hours }) => {
      const { refused, hours } = validFunding(null, funding_hours);
      return refused && [refused, { funding_hours: hours }];
    },
  ],
  // Moves also where the one grows as the other shrinks.
  jumps: [{ of: (row) => row.contract * row.scale ** 2, reason: 'suspect', without: null }],
};

const none = { faults: [], jumps: [] };

/** The guards of every topic. */
export const guards: { readonly [T in MarketTopic]: Guards<MarketRows[T]> } = {
  instruments,
  prices,
  derivatives,
  openInterest,
  futures: none,
  options: none,
};

/** Tells whether a book of a market of a source is suspect. */
export type IsSuspectBook = (source: string, instrument: Instrument, book: Book) => boolean;

/**
 * A book is suspect where its middle is more than 30 % away from the market's own last price and from the price of the asset on
 * every other exchange. One of a market that is not quoted in dollars, without a middle, or of which no price is known cannot be
 * judged and is not suspect. Example: BTC at 97,870 on all exchanges, a book around 97,870,600.
 */
export const bookGuard =
  ({ newest, clock }: { newest: NewestRows; clock: Clock }): IsSuspectBook =>
  (source, { market, symbol, quote }, book) => {
    const mid = midOf(book);
    if (mid === null || !dollarQuotes.has(quote)) return false;
    const at = { source, now: clock.now() };
    const own = ownPrice(newest, market, at);
    if (own !== null && isNear(mid, own)) return false;
    const elsewhere = otherPrices(newest, symbol, at);
    const isKnown = own !== null || elsewhere.length > 0;
    return isKnown && !elsewhere.some((price) => isNear(mid, price));
  };

type Marked = Book & { suspect?: true };

const isBook = (value: object): value is Marked => 'bids' in value && 'asks' in value;

/** The answer to a question about a market, marked where it is a suspect book. */
export const judged = <T extends object>(value: T, isSuspect: (book: Book) => boolean): T =>
  isBook(value) && isSuspect(value) ? { ...value, suspect: true } : value;
