/** Instruments out of the facts in a list, and which of them are followed. Pure. */

import { assetOf, currencyOf, tickerOf } from '../../config/assets/resolve.ts';
import { type AssetClass, symbolOf } from '../../config/assets/symbols.ts';
import { rounded } from '../../indicators/digits.ts';
import { isFollowed } from '../../indicators/market/market-names.ts';
import { required } from '../read.ts';
import type { InstrumentMap } from '../sources/define.ts';
import type { Instrument } from '../topics/index.ts';

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
 * Leveraged tokens are not followed, nor is a dated one whose list states no expiry, or an impossible one.
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
  const asset_class = classIn(named.symbol);
  const made = {
    ...others,
    ...named,
    symbol: symbolOf(tickerOf(venue, named.symbol, asset_class), asset_class),
    ...(asset_class === 'leveraged' && { kind: 'other' as const }),
    contract,
    inverse,
    funding_hours: fundingHours,
    ...(settle !== undefined && { settle: currencyOf(settle, venue) }),
    ...(tick > 0 && { tick: rounded(tick / named.scale) }),
    ...(asset_class !== 'crypto' && { asset_class }),
  };
  if (made.kind !== 'future') return made;
  const isDated = expiry !== null && expiry >= expiries.from && expiry < expiries.to;
  return isDated ? { ...made, expiry } : { ...made, kind: 'other' };
}

/** The ids of the markets that are followed. */
export const followedOf = (instruments: InstrumentMap): string[] =>
  [...instruments.values()].filter(isFollowed).map(({ market }) => market);
