/** Which markets a rotating part asks in one poll: the most traded ones every time, the others in turn. */
import { dollarQuotes } from '../../../config/quotes.ts';
import { pricesByMarket } from '../../state/other-prices.ts';
import type { Instrument, PriceRow, Reading } from '../../topics/index.ts';
import type { InstrumentMap } from '../define.ts';

/** Markets asked on every poll, and the time within which every other one is asked once, ms. */
export const rotation = { top: 100, within: 300_000 };

const followedOf = (instruments: InstrumentMap): Instrument[] =>
  [...instruments.values()].filter((row) => row.kind !== 'other' && dollarQuotes.has(row.quote));

/** Markets of a part, those with the largest turnover first. */
function byTurnover(rows: readonly Instrument[], prices: Reading<PriceRow> | undefined): string[] {
  const known = prices && pricesByMarket(prices);
  const volumeOf = (market: string) => known?.get(market)?.volume ?? 0;
  return rows.map((row) => row.market).sort((a, b) => volumeOf(b) - volumeOf(a));
}

/**
 * Followed markets of a part, the most traded first: its perpetuals, or its spot markets where it has no other
 * (only perpetuals have funding and open interest; a part of both has its prices in bulk).
 */
export function rankedMarkets(
  instruments: InstrumentMap,
  prices: Reading<PriceRow> | undefined,
): string[] {
  const followed = followedOf(instruments);
  const perpetuals = followed.filter((row) => row.kind === 'perpetual');
  return byTurnover(perpetuals.length > 0 ? perpetuals : followed, prices);
}

/** The `max` followed markets with the largest turnovers; none before a reading of the part's prices. */
export function topMarkets(
  instruments: InstrumentMap,
  prices: Reading<PriceRow> | undefined,
  max: number,
): InstrumentMap {
  if (prices === undefined) return new Map();
  const markets = new Set(byTurnover(followedOf(instruments), prices).slice(0, max));
  return new Map([...instruments].filter(([market]) => markets.has(market)));
}

/**
 * The markets of one poll out of `ranked`, and where the next poll goes on. With a poll every `every` ms each
 * market beyond the top ones is asked once within `rotation.within`; where only `most` may be asked in a poll,
 * half of them are the top ones, and the others take as long as they take.
 */
export function nextMarkets(
  ranked: readonly string[],
  cursor: number,
  { every, most = Infinity }: { every: number; most?: number | undefined },
): { markets: string[]; cursor: number } {
  const polls = Math.max(1, Math.floor(rotation.within / every));
  const wanted = Math.ceil(Math.max(0, ranked.length - rotation.top) / polls);
  const tight = rotation.top + wanted > most;
  const top = ranked.slice(0, tight ? Math.ceil(most / 2) : rotation.top);
  const rest = ranked.slice(top.length);
  const share = tight ? most - top.length : wanted;
  const from = cursor < rest.length ? cursor : 0;
  return { markets: [...top, ...rest.slice(from, from + share)], cursor: from + share };
}
