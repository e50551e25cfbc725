/** The evidence that the prices, the open interest and the contract sizes of one venue are checked against. */
import { isNear } from '../../../indicators/market/checks.ts';
import { median } from '../../../indicators/market/statistics.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { NewestRows } from '../../state/newest-rows.ts';
import { otherPrices } from '../../state/other-prices.ts';
import type { DerivativeRow, Instrument, OpenInterestRow, PriceRow } from '../../topics/index.ts';
import { checkDerivatives } from './derivative-checks.ts';
import type { Checked, Evidence, Poll } from './suspects.ts';

/** Age, ms, beyond which mark and index prices are no evidence about a price. */
const markAge = 120_000;

/** Percentage points by which a 24 h change may move between two polls while its price does not. */
const mostChange = 30;

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
const mostVolumeFactor = 5;

const hasVolumeJumped = (sum: number | null, before: number | null): boolean =>
  sum !== null &&
  before !== null &&
  before > 0 &&
  (sum > before * mostVolumeFactor || sum < before / mostVolumeFactor);

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
    change !== null && last.change !== null && Math.abs(change - last.change) > mostChange;
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
