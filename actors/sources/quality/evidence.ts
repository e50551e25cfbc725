/** The evidence that prices, rates, open interest, contract sizes and order books of one venue are checked against. */

import { dollarQuotes } from '../../../config/quotes.ts';
import { isNear } from '../../../indicators/market/checks.ts';
import { median } from '../../../indicators/market/statistics.ts';
import { type Book, midOf } from '../../../indicators/order-book/book.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { NewestRows } from '../../state/newest-rows.ts';
import { otherPrices, ownPrice } from '../../state/other-prices.ts';
import type { DerivativeRow, Instrument, OpenInterestRow, PriceRow } from '../../topics/index.ts';
import type { Checked, Evidence, Poll } from './suspects.ts';

/** Age, ms, beyond which mark and index prices are no evidence about a price. */
const markAge = 120_000;

/** Percentage points by which a 24 h change may move between two polls while its price does not. */
const maxChangeMove = 30;

const none: ReadonlyMap<string, readonly number[]> = new Map();

/** Mark and index prices of a venue's perpetuals from its last polls, and the checks that use them. */
export class VenueEvidence {
  readonly #source: string;
  readonly #clock: Clock;
  readonly #newest: NewestRows;
  readonly #marks = new Map<string, { mark: number | null; index: number | null; at: number }>();

  constructor(source: string, { clock, newest }: { clock: Clock; newest: NewestRows }) {
    this.#source = source;
    this.#clock = clock;
    this.#newest = newest;
  }

  /** Takes the rows of a poll of the topic `derivatives`. */
  observe(rows: readonly DerivativeRow[]): void {
    const now = this.#clock.now();
    for (const { market, mark, index, received = now } of rows) {
      this.#marks.set(market, { mark, index, at: received });
    }
    for (const [market, { at }] of this.#marks) {
      if (now - at > markAge) this.#marks.delete(market);
    }
  }

  /** A price is held against the other sources' of the asset, and against its own mark and index price. */
  readonly prices: Evidence<PriceRow> = {
    value: ({ price }) => price,
    beside: ({ volume }) => volume,
    others: (symbols) =>
      otherPrices(this.#newest, symbols, { source: this.#source, now: this.#clock.now() }),
    own: ({ market, kind }) => (kind === 'perpetual' ? this.#marksOf(market) : []),
    whole: wholePrice,
  };

  /** The value of an open interest is held against its units at the market's mark or index price. */
  readonly openInterest: Evidence<OpenInterestRow> = {
    value: ({ value }) => value,
    beside: ({ units }) => units,
    others: () => none,
    own: ({ market, units }) =>
      units === null ? [] : this.#marksOf(market).map((mark) => units * mark),
    whole: wholeInterest,
  };

  /** A contract size and a scale, on which all books and sums of a market depend, change when two lists state it. */
  readonly instruments: Evidence<Instrument> = {
    // Moves also where the one grows as the other shrinks.
    value: ({ contract, scale }) => contract * scale ** 2,
    // Lists state no time: each one counts as fresh.
    beside: () => this.#clock.now(),
    others: () => none,
    own: () => [],
    whole: (row) => [row, null],
  };

  /** The rows of a poll of the topic `derivatives` without marks and rates that cannot be true. */
  readonly derivatives = (poll: Poll<DerivativeRow>): Checked<DerivativeRow> =>
    checkDerivatives(poll, {
      source: this.#source,
      newest: this.#newest,
      now: this.#clock.now(),
    });

  /** The median price of each asset on all other exchanges. */
  readonly elsewhere = (symbols: readonly string[]): ReadonlyMap<string, number> => {
    const at = { source: this.#source, now: this.#clock.now() };
    const found = [...otherPrices(this.#newest, new Set(symbols), at)];
    return new Map(
      found.flatMap(([symbol, prices]) => (prices.length > 0 ? [[symbol, median(prices)]] : [])),
    );
  };

  #marksOf(market: string): number[] {
    const known = this.#marks.get(market);
    if (!known || this.#clock.now() - known.at > markAge) return [];
    return [known.mark, known.index].filter((price) => price !== null);
  }
}

/** Factor by which the volume of 24 h may change between two polls; beyond it the number is not used once. */
const maxVolumeFactor = 5;

const hasVolumeJumped = (sum: number | null, before: number | null): boolean =>
  sum !== null &&
  before !== null &&
  before > 0 &&
  (sum > before * maxVolumeFactor || sum < before / maxVolumeFactor);

/** Without quotes that contradict the price, and without a change or a volume that jumped while the price did not. */
function wholePrice(
  row: PriceRow,
  last: PriceRow | undefined,
): ReturnType<Evidence<PriceRow>['whole']> {
  const hasQuotes = row.bid !== null || row.ask !== null;
  const isDoubted = row.doubt === 'value' || row.doubt === 'unit';
  if (isDoubted && hasQuotes) return [{ ...row, bid: null, ask: null }, 'bad_quotes'];
  if (last === undefined || !isNear(row.price, last.price)) return [row, null];
  if (hasVolumeJumped(row.volume, last.volume) || hasVolumeJumped(row.base, last.base))
    return [{ ...row, volume: null, base: null }, 'bad_turnover'];
  const { change } = row;
  const hasJumped =
    change !== null && last.change !== null && Math.abs(change - last.change) > maxChangeMove;
  return hasJumped ? [{ ...row, change: null }, 'bad_change'] : [row, null];
}

/** Without the units, or the price of the conversion, where they contradict the value or jumped beside it. */
function wholeInterest(
  row: OpenInterestRow,
  last: OpenInterestRow | undefined,
): ReturnType<Evidence<OpenInterestRow>['whole']> {
  const before = last?.units ?? null;
  const isSame = row.units === null || before === null || isNear(row.units, before);
  // Of nothing, the value is 0 at any mark.
  const isMarkSame = row.mark === null || !last?.mark || isNear(row.mark, last.mark);
  const isWhole = (isSame && isMarkSame) || last === undefined || !isNear(row.value, last.value);
  if (row.doubt === undefined && isWhole) return [row, null];
  const isMark = before !== null && isSame;
  return [isMark ? { ...row, mark: null } : { ...row, units: null, mark: null }, 'bad_units'];
}

/** The prices that marks are held against. */
export interface KnownPrices {
  source: string;
  newest: NewestRows;
  /** Unix ms. */
  now: number;
}

/** How far a funding rate or a premium may move between two polls without being left out once: a fraction. */
const maxRateMove = 0.01;

type Field = 'mark' | 'index';
const fields: readonly Field[] = ['mark', 'index'];

const isNumber = (value: unknown): value is number => typeof value === 'number';

/** True for a price that is absent or near one of the references. */
const isKnown = (price: number | null, references: readonly (number | null | undefined)[]) =>
  price === null || references.some((one) => isNumber(one) && isNear(price, one));

/**
 * The rows of a poll without what cannot be true. A mark or index price that moved by more than 30 %, and that neither the other
 * of the two, nor the market's own last price, nor another exchange's price of the asset confirms, within 30 %, is null and
 * counted as `bad_mark`; where no price is known, so are a mark and an index that are 30 % apart. A rate or premium that moved by
 * more than one percentage point is null in this poll and counted as `bad_funding_rate`.
 */
export function checkDerivatives(
  poll: Poll<DerivativeRow>,
  known: KnownPrices,
): Checked<DerivativeRow> {
  const last = new Map(poll.previous?.rows.map((row) => [row.market, row]));
  const wrong = wrongMarks(poll.rows, last, known);
  const dropped: Checked<DerivativeRow>['dropped'] = [];
  const rows = poll.rows.map((row) => {
    const marks = wrong.get(row.market);
    if (marks) dropped.push({ key: row.market, code: 'bad_mark' });
    const changes = { ...(marks && without(marks)), ...jumpedRates(row, last.get(row.market)) };
    if ('funding_rate' in changes || 'premium' in changes || 'predicted_rate' in changes)
      dropped.push({ key: row.market, code: 'bad_funding_rate' });
    return Object.keys(changes).length === 0 ? row : { ...row, ...changes };
  });
  return { rows, dropped, suspect: [] };
}

/** By market the prices of its row that nothing confirms. */
function wrongMarks(
  rows: readonly DerivativeRow[],
  last: ReadonlyMap<string, DerivativeRow>,
  { source, newest, now }: KnownPrices,
): ReadonlyMap<string, readonly Field[]> {
  const wrong = new Map<string, readonly Field[]>();
  const moved = rows.filter((row) =>
    fields.some((field) => !isKnown(row[field], [last.get(row.market)?.[field]])),
  );
  if (moved.length === 0) return wrong;
  const asker = { source, now };
  const elsewhere = otherPrices(newest, new Set(moved.map(({ symbol }) => symbol)), asker);
  for (const row of moved) {
    const prices = [ownPrice(newest, row.market, asker), ...(elsewhere.get(row.symbol) ?? [])];
    const found = wrongIn(row, last.get(row.market), prices);
    if (found.length > 0) wrong.set(row.market, found);
  }
  return wrong;
}

function wrongIn(
  row: DerivativeRow,
  last: DerivativeRow | undefined,
  prices: readonly (number | null)[],
): readonly Field[] {
  return fields.filter((field) => {
    const other = row[field === 'mark' ? 'index' : 'mark'];
    // Some exchanges state one price for both, which confirms nothing.
    const second = other === row[field] ? null : other;
    const references = [last?.[field], second, ...prices].filter(isNumber);
    return references.length > 0 && !isKnown(row[field], references);
  });
}

const without = (wrong: readonly Field[]): Partial<DerivativeRow> =>
  Object.fromEntries(wrong.map((field) => [field, null]));

const hasJumped = (value: number | null | undefined, before: number | null | undefined): boolean =>
  isNumber(value) && isNumber(before) && Math.abs(value - before) > maxRateMove;

/** The rates of a row that moved too far since the last one, as they are published: null, or absent where they are optional. */
function jumpedRates(row: DerivativeRow, last: DerivativeRow | undefined): Partial<DerivativeRow> {
  const changes: Partial<DerivativeRow> = {};
  if (last === undefined) return changes;
  const { funding_rate, funding_rate_8h, predicted_rate, premium } = last;
  if (hasJumped(row.funding_rate, funding_rate) || hasJumped(row.funding_rate_8h, funding_rate_8h))
    Object.assign(changes, { funding_rate: null, funding_rate_8h: null });
  if (hasJumped(row.predicted_rate, predicted_rate)) changes.predicted_rate = undefined;
  if (hasJumped(row.premium, premium)) changes.premium = undefined;
  return changes;
}

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
    const elsewhere = otherPrices(newest, new Set([symbol]), at).get(symbol) ?? [];
    const isKnown = own !== null || elsewhere.length > 0;
    return isKnown && !elsewhere.some((price) => isNear(mid, price));
  };

type Marked = Book & { suspect?: true };

const isBook = (value: object): value is Marked => 'bids' in value && 'asks' in value;

/** The answer to a question about a market, marked where it is a suspect book. */
export const judged = <T extends object>(value: T, isSuspect: (book: Book) => boolean): T =>
  isBook(value) && isSuspect(value) ? { ...value, suspect: true } : value;
