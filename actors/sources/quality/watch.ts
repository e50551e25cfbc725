/** Watches all prices of an exchange: whether they stand still, and which markets are about another asset than their ticker says. */
import { withName } from '../../../config/assets/symbols.ts';
import { day, hour, minute } from '../../../config/time.ts';
import { isNear } from '../../../indicators/market/checks.ts';
import { median } from '../../../indicators/market/statistics.ts';
import { type NewestRows, pricesIn } from '../../state/newest-rows.ts';
import type { Instrument, PriceRow, Reading } from '../../topics/index.ts';
import type { Evidence } from '../merge.ts';

/** Time without a change after which a part stands still, ms: a busy one, and one in which little is traded. */
const standstill = { busy: 5 * minute, quiet: hour };
/** Markets with turnover from which on a part is busy: in fewer a few minutes may pass without a trade. */
const busyFrom = 10;
/** Age of the newest stated time at which a part is frozen, ms, beyond the difference of the clocks. */
const longestAge = minute;
/** Time from whose smallest age that difference is learned, ms. */
const learned = 15 * minute;
/** Distance from now, ms, beyond which a stated time is not that of a wrong clock and is ignored. */
const plausible = day;
/** Time without a change after which the movement of other exchanges counts, ms; and the share by which they must have moved in it. */
const leftBehind = { after: 45_000, movement: 0.001 };
/** Assets of a part that are compared: those with the largest turnover. */
const compared = 3;

/** What is known of one part. Times are Unix ms. */
interface Part {
  print: number;
  /** When it changed last, and when it was seen last. */
  since: number;
  seen: number;
  /** The first prices elsewhere since it changed. */
  elsewhere: { at: number; prices: ReadonlyMap<string, number> };
  /** It stands still while the prices elsewhere have moved. */
  behind: boolean;
  /** No market has any turnover. */
  idle: boolean;
  busy: boolean;
  /** Newest time that the part has stated; null when it states none. */
  newest: number | null;
  /** When it was first seen with a newer one, and how old that was, ms: those of the last fifteen minutes. */
  ages: readonly { at: number; age: number }[];
  /** The newest time is too old. */
  old: boolean;
}

/** How long a price must be away, or back, without a break, ms; and the longest pause between two looks at it. */
const lasting = hour;
const longestPause = 5 * minute;
/** Exchanges that must agree on the price of an asset: with fewer nobody knows which of them is wrong. */
const quorum = 2;

/** Between two comparisons of the prices of a part with those of all other exchanges, ms: what they tell has to last an hour. */
const betweenComparisons = 30_000;

/** A state that has to last: since when it does, and when it was seen last, Unix ms. */
interface Lasting {
  since: number;
  seen: number;
}

export interface PriceWatchOptions {
  newest: NewestRows;
  /** The prices of an asset on the other exchanges. */
  elsewhere: Evidence['elsewhere'];
  /** A market of the part has left its asset, or come back; `away` are all that have left theirs. */
  onStray(part: string, away: readonly string[]): void;
}

/**
 * Watches the prices of one exchange, part by part.
 *
 * A part is frozen at once when its newest stated time is more than a minute old; the steady difference between the exchange's clock and
 * ours, learned from readings whose time moved on, is allowed for; and when nothing in it has changed for 45 s in which one of its
 * three most traded assets moved by more than 0.1 % on the other exchanges. All of its parts are frozen when none has changed for five
 * minutes (an hour for a part with few traded markets), or when not a single market has any turnover.
 *
 * A market whose price is more than 30 % off the median of the other exchanges for an hour leaves its asset: its symbol gets the id of
 * the source behind it, as that of a coin that the table of assets keeps apart, and every row of it goes by that name. It comes back
 * after an hour within 30 %. The published lists hold who has left, so that another process goes on from them.
 */
export class PriceWatch {
  readonly #source: string;
  readonly #options: PriceWatchOptions;
  readonly #parts = new Map<string, Part>();
  /** When the prices of a part were compared with those of all other exchanges. */
  readonly #compared = new Map<string, number>();
  /** Markets that are about to leave, or to come back. */
  readonly #changing = new Map<string, Lasting>();
  /** The assets that markets have left; null until it was read in the lists. */
  #left: Map<string, string> | null = null;

  constructor(source: string, options: PriceWatchOptions) {
    this.#source = source;
    this.#options = options;
  }

  /** Looks at the prices of a part, received at `received`, Unix ms. */
  observe(part: string, rows: readonly PriceRow[], received: number): void {
    if (rows.length === 0) return;
    const known = this.#parts.get(part);
    const print = fingerprint(rows);
    const same = known?.print === print ? known : undefined;
    const now = { at: received, prices: this.#pricesOf(rows) };
    const elsewhere = same && same.elsewhere.prices.size > 0 ? same.elsewhere : now;
    const isStill = received - elsewhere.at >= leftBehind.after;
    this.#parts.set(part, {
      print,
      since: same?.since ?? received,
      seen: received,
      elsewhere,
      // Prices that come back do not make the old ones new.
      behind: same?.behind || (isStill && hasMoved(elsewhere.prices, now.prices)),
      idle: rows.every(({ volume }) => volume === 0),
      busy: rows.filter(({ volume }) => volume !== 0).length >= busyFrom,
      ...ageOf(rows, received, known),
    });
    // The clock may have been set back.
    const since = Math.abs(received - (this.#compared.get(part) ?? Infinity));
    if (since < betweenComparisons) return;
    this.#compared.set(part, received);
    this.#compare(part, rows, received);
  }

  /** True when the readings of the part must not be used. */
  frozen(part: string): boolean {
    const parts = [...this.#parts.values()];
    if (parts.length === 0) return false;
    if (parts.every(standsStill) || parts.every(({ idle }) => idle)) return true;
    const seen = this.#parts.get(part);
    if (seen?.behind) return true;
    if (!seen?.old) return false;
    // Few markets may be without a trade for a minute while the others of the venue go on.
    return seen.busy || parts.every((other) => other.old || !other.busy);
  }

  /** The list as it is published: each market that has left its asset has a name of its own. */
  apart(reading: Reading<Instrument>): Reading<Instrument> {
    const left = this.#known();
    if (left.size === 0) return reading;
    const rows = reading.rows.map((row) =>
      left.has(row.market)
        ? { ...row, symbol: withName(row.symbol, this.#source.toUpperCase()), left: row.symbol }
        : row,
    );
    return { ...reading, rows };
  }

  /** The median prices on the other exchanges of the assets with the largest turnover, where there are any. */
  #pricesOf(rows: readonly PriceRow[]): ReadonlyMap<string, number> {
    const ranked = rows.toSorted((a, b) => (b.volume ?? 0) - (a.volume ?? 0));
    return new Map(
      ranked.slice(0, compared).flatMap(({ symbol }) => {
        const prices = this.#options.elsewhere(symbol);
        return prices.length > 0 ? [[symbol, median(prices)] as const] : [];
      }),
    );
  }

  /** Looks which markets have left their asset or come back. */
  #compare(part: string, rows: readonly PriceRow[], now: number): void {
    const left = this.#known();
    const assetOf = ({ market, symbol }: PriceRow) => left.get(market) ?? symbol;
    const agreed = this.#agreed(new Set(rows.map(assetOf)), now);
    let hasChanged = false;
    for (const row of rows) {
      const asset = assetOf(row);
      if (!this.#lasts(row, agreed.get(asset), now)) continue;
      if (!left.delete(row.market)) left.set(row.market, asset);
      hasChanged = true;
    }
    if (hasChanged) this.#options.onStray(part, [...left.keys()]);
  }

  /** Whether a market has been on the other side than its name says for long enough: away, or back of one that has left. */
  #lasts({ market, price }: PriceRow, elsewhere: number | undefined, now: number): boolean {
    const hasLeft = this.#known().has(market);
    if (elsewhere === undefined || isNear(price, elsewhere) !== hasLeft) {
      this.#changing.delete(market);
      return false;
    }
    const known = this.#changing.get(market);
    const since = known && now - known.seen <= longestPause ? known.since : now;
    this.#changing.set(market, { since, seen: now });
    if (now - since < lasting) return false;
    return this.#changing.delete(market);
  }

  /** The price of assets that most other exchanges agree on. */
  #agreed(symbols: ReadonlySet<string>, now: number): ReadonlyMap<string, number> {
    const found = new Map<string, number[]>();
    for (const [source, readings] of this.#options.newest.bySource('prices')) {
      if (source === this.#source) continue;
      for (const [symbol, prices] of pricesIn(readings, symbols, now)) {
        const known = found.get(symbol);
        if (known) known.push(median(prices));
        else found.set(symbol, [median(prices)]);
      }
    }
    return new Map(
      [...found].flatMap(([symbol, prices]) => {
        const middle = median(prices);
        const near = prices.filter((price) => isNear(price, middle)).length;
        return near >= quorum && near * 2 > prices.length ? [[symbol, middle] as const] : [];
      }),
    );
  }

  #known(): Map<string, string> {
    this.#left ??= new Map(
      this.#options.newest
        .of('instruments', this.#source)
        .flatMap(({ rows }) => rows)
        .flatMap(({ market, left }) => (left === undefined ? [] : [[market, left] as const])),
    );
    return this.#left;
  }
}

const hasMoved = (before: ReadonlyMap<string, number>, now: ReadonlyMap<string, number>): boolean =>
  [...now].some(
    ([symbol, price]) => Math.abs(price / (before.get(symbol) ?? price) - 1) > leftBehind.movement,
  );

const standsStill = ({ since, seen, busy }: Part): boolean =>
  seen - since >= (busy ? standstill.busy : standstill.quiet);

/** The newest stated time of a reading, held against those before it. */
function ageOf(
  rows: readonly PriceRow[],
  received: number,
  before: Part | undefined,
): Pick<Part, 'newest' | 'ages' | 'old'> {
  const times = rows.flatMap(({ stated }) => stated ?? []);
  // A time in the future counts only where the clock of every market is ahead.
  const past = times.filter((time) => time <= received + longestAge);
  const newest = (past.length > 0 ? past : times).reduce((a, b) => Math.max(a, b), -Infinity);
  const known = before?.ages ?? [];
  if (newest === -Infinity) return { newest: null, ages: known, old: false };
  const age = received - newest;
  const moved = before !== undefined && before.newest !== null && newest > before.newest;
  const young = known.filter(({ at }) => received - at <= learned);
  const ages = moved ? [...young, { at: received, age }] : known;
  const difference = ages.length === 0 ? 0 : Math.min(...ages.map((one) => one.age));
  const old = Math.abs(age) <= plausible && age - difference > longestAge;
  return { newest, ages, old };
}

/** A number that a change of any price, turnover or stated time moves. */
function fingerprint(rows: readonly PriceRow[]): number {
  let print = rows.length;
  for (const { price, volume, stated } of rows)
    print = (print * 31 + price + (volume ?? 0) + (stated ?? 0) / 7) % 1e12;
  return print;
}
