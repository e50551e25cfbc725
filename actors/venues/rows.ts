/**
 * Shared by the parsers of the venues: the loops over wire rows and the step from native to
 * canonical units.
 */

import type { AssetClass } from '../../config/assets/classes.ts';
import { assetOf, currencyOf } from '../../config/assets/resolve.ts';
import { dollarQuotes } from '../../config/quotes.ts';
import { rateOf8Hours } from '../../indicators/derivatives/funding.ts';
import { rounded } from '../../indicators/digits.ts';
import { contradiction } from '../../indicators/market/checks.ts';
import { isFollowedKind } from '../../indicators/market/market-names.ts';
import { optional, required } from '../read.ts';
import type {
  DerivativeRow,
  FutureRow,
  Instrument,
  OpenInterestRow,
  PriceRow,
} from '../topics/index.ts';

/** The amount, or null where it is not finite or negative, or was never there (NaN). */
const amount = (value: number | null): number | null =>
  value !== null && value >= 0 && value < Infinity ? value : null;

/** What a list says of an instrument, in native terms: linear and counted in its base unit unless it says otherwise. */
export interface Facts
  extends Omit<
    Instrument,
    'symbol' | 'scale' | 'funding_hours' | 'contract' | 'inverse' | 'expiry' | 'tick'
  > {
  /** The base and the quote as the exchange calls them. */
  base: string;
  contract?: number;
  inverse?: boolean;
  fundingHours?: number | null;
  /** The smallest step of a price; NaN where it is not known. */
  tick?: number;
  /** Unix ms, of a dated future; ignored of other kinds, some of which state a far day. */
  expiry?: number | null;
}

const unknown = required(undefined);

/** Expiries that are taken, Unix ms: 2010 to 2100. Any other is in another unit than the list says. */
const expiries = { from: 1_262_304_000_000, to: 4_102_444_800_000 } as const;

/** The assets of a market by their usual tickers; `base` and `quote` are the words of the exchange. */
const namesOf = (venue: string, { kind, base, quote }: Pick<Facts, 'kind' | 'base' | 'quote'>) => ({
  ...assetOf(base, { venue, kind }),
  quote: currencyOf(quote, venue),
});

/**
 * An instrument from its native facts, and the class of its symbol; null, which drops the row, without base, quote or contract size.
 * What is about no coin is not followed, nor is a dated one whose list states no expiry, or an impossible one.
 */
export function instrument(
  venue: string,
  facts: Facts,
  classIn: (symbol: string) => AssetClass,
): Instrument | null {
  const {
    base,
    contract = 1,
    inverse = false,
    fundingHours = null,
    expiry = null,
    tick = unknown,
    settle,
    ...others
  } = facts;
  if (base === '' || others.quote === '' || !(contract > 0)) return null;
  const named = namesOf(venue, facts);
  const made = {
    ...others,
    ...named,
    contract,
    inverse,
    funding_hours: fundingHours,
    ...(settle !== undefined && { settle: currencyOf(settle, venue) }),
    ...(tick > 0 && { tick: rounded(tick / named.scale) }),
  };
  const asset_class = classIn(named.symbol);
  if (asset_class !== 'crypto') return { ...made, kind: 'other', asset_class };
  if (others.kind !== 'future') return made;
  const isDated = expiry !== null && expiry >= expiries.from && expiry < expiries.to;
  return isDated ? { ...made, expiry } : { ...made, kind: 'other' };
}

/** The facts about its market that a price row needs. */
export type Named = Pick<Instrument, 'market' | 'kind' | 'symbol' | 'quote' | 'scale'>;

/** A native ticker; NaN where a number is unknown. */
export interface Ticker {
  last: number;
  /** 24 h turnover in quote. */
  volume: number;
  /** 24 h change, percent. */
  change: number;
  stated: number | null;
  /** Best bid and best ask, where the row has them: the last price is checked against them. */
  bid?: number;
  ask?: number;
  /** Highest and lowest price of 24 h, where the row has them. */
  high?: number;
  low?: number;
  /** 24 h volume in native base units, where the row has it: the turnover is checked against it. */
  base?: number;
}

/**
 * Change from `open`, the price 24 h ago, to `last` in percent. Where one of them is unknown: `rounded`, the change as
 * the venue rounds it, or NaN without it.
 */
export const changeOf = (last: number, open: number, rounded = NaN): number =>
  last > 0 && open > 0 ? (last / open - 1) * 100 : rounded;

/** How far a change of three decimals as a fraction may be from the exact one, percentage points. */
const rounding = 0.05;

/**
 * `changeOf` where the opening price agrees with the stated change; else the stated one: what some venues call the price of
 * 24 h ago is another one. Example: 119,818.83 after 118,919.38 is 0.756 %, a stated 2.002 % stands.
 */
export function agreedChange(last: number, open: number, stated: number): number {
  const exact = changeOf(last, open, stated);
  return Math.abs(exact - stated) > rounding ? stated : exact;
}

/** A price row in canonical units. Null without a positive finite price. */
export function priceOf(
  { market, kind, symbol, quote, scale }: Named,
  ticker: Ticker,
): PriceRow | null {
  const { last, bid = NaN, ask = NaN, high = NaN, low = NaN, base = NaN } = ticker;
  const price = last / scale;
  if (!isFollowedKind(kind) || !(price > 0)) return null;
  const row: PriceRow = {
    market,
    kind,
    symbol,
    quote,
    price,
    bid: optional(bid / scale),
    ask: optional(ask / scale),
    high: optional(high / scale),
    low: optional(low / scale),
    base: amount(base * scale),
    volume: amount(ticker.volume),
    // A price falls by 100 % at most.
    change: ticker.change >= -100 ? optional(ticker.change) : null,
    stated: ticker.stated,
  };
  const doubt = bid > 0 && ask > 0 ? contradiction(last, [bid, ask]) : null;
  if (doubt !== null) row.doubt = doubt;
  return row;
}

/** Mark, index and funding of a perpetual in native units; NaN where a number is unknown. */
export interface Derivative {
  mark: number;
  index: number;
  /** Fraction per `hours`. */
  rate: number;
  hours: number;
  /** When the rate is charged, Unix ms; null when unknown or when it accrues continuously. */
  next: number | null;
  stated: number | null;
  /** Rate expected for the next interval, a fraction per `hours`, where the venue states one. */
  predicted?: number;
  /** Fraction, where the venue states one. */
  premium?: number;
}

/** A derivative row in canonical units. Null when neither mark, index nor rate is known. */
export function derivativeOf(
  { market, symbol, quote, scale }: Named,
  { mark, index, rate, hours, next, stated, predicted, premium }: Derivative,
): DerivativeRow | null {
  const [expected, impact] = [optional(predicted), optional(premium)];
  const row: DerivativeRow = {
    market,
    symbol,
    quote,
    mark: optional(mark / scale),
    index: optional(index / scale),
    funding_rate: optional(rate),
    funding_hours: optional(hours),
    funding_rate_8h: optional(rateOf8Hours(rate, hours)),
    next_funding: next,
    stated,
    ...(expected !== null && { predicted_rate: expected }),
    ...(impact !== null && { premium: impact }),
  };
  return row.mark === null && row.index === null && row.funding_rate === null ? null : row;
}

/** One side's open interest in native terms; NaN where a number is unknown. */
export interface Interest {
  /** Native base units (contracts already multiplied by their size), one side. */
  base: number;
  /** Value in quote, one side. */
  value: number;
  /** Native price that turns one into the other where one is unknown. */
  mark: number;
  stated: number | null;
  /** `base` again, out of other fields of the row, where it has them: the two are checked. */
  again?: number;
}

/**
 * An open interest row in canonical units; a missing base or value follows from the mark price. Null
 * without a value; nothing has the value 0 at any price.
 */
export function openInterestOf(
  { market, symbol, quote, scale }: Named,
  { base, value, mark, stated, again = NaN }: Interest,
): OpenInterestRow | null {
  const units = amount((base >= 0 ? base : value / mark) * scale);
  const worth = amount(value >= 0 ? value : base === 0 ? 0 : base * mark);
  if (worth === null) return null;
  const price = mark > 0 ? optional(mark / scale) : null;
  const row: OpenInterestRow = { market, symbol, quote, units, value: worth, mark: price, stated };
  const doubt = contradiction(base, [again]) ?? contradiction(value, [base * mark]);
  if (doubt !== null) row.doubt = doubt;
  return row;
}

/** A dated future in native units; NaN where a number is unknown. */
interface Future extends Pick<Derivative, 'mark' | 'index' | 'stated'> {
  interest: OpenInterestRow | null;
  /** 24 h turnover in quote. */
  volume: number;
}

/** Times by which a mark and its index may differ; in April 2021 futures of nine months were 30 % above it. */
const mostApart = 2;
const isOfMark = (index: number, mark: number): boolean =>
  index > mark / mostApart && index < mark * mostApart;

/** A row of a dated future in canonical units. Null without a mark price or an expiry. */
export function futureOf(
  { market, symbol, quote, scale, inverse, expiry }: Instrument,
  { mark, index, interest, volume, stated }: Future,
): FutureRow | null {
  if (!(mark > 0) || expiry === undefined) return null;
  return {
    market,
    symbol,
    quote,
    inverse,
    expiry,
    mark: mark / scale,
    index: isOfMark(index, mark) ? index / scale : null,
    // Values that contradict each other are both left out.
    units: interest?.doubt === undefined ? (interest?.units ?? null) : null,
    value: interest?.doubt === undefined ? (interest?.value ?? null) : null,
    volume: amount(volume),
    stated,
  };
}

/** Whether a market is followed: not those of other kinds, nor in quotes that are no dollars. */
export const isFollowed = (market: Named) =>
  isFollowedKind(market.kind) && dollarQuotes.has(market.quote);

/** Whether a market is a dated future in a quote of dollars: it has rows of a topic of its own. */
export const isDated = ({ kind, quote }: Named) => kind === 'future' && dollarQuotes.has(quote);

/** The ids of the markets that are followed. */
export const followedOf = (instruments: ReadonlyMap<string, Named>): string[] =>
  [...instruments.values()].filter(isFollowed).map(({ market }) => market);
