/** Which markets a rotating part asks in one poll: the most traded ones every time, the others in turn. */
import { dollarQuotes } from '../../config/quotes.ts';
import type { Instrument, PriceRow, Reading } from '../topics/index.ts';
import type { InstrumentMap } from './define.ts';

/** Markets asked on every poll, and the time within which every other one is asked once, ms. */
export const rotation = { top: 100, within: 300_000 };

const followedOf = (instruments: InstrumentMap): Instrument[] =>
  [...instruments.values()].filter((row) => row.kind !== 'other' && dollarQuotes.has(row.quote));

/** Turnover of every market as its venue last stated it. */
export class Turnovers {
  readonly #parts = new Map<string, ReadonlyMap<string, number>>();

  accept({ source, part, rows }: Reading<PriceRow>): void {
    const volumes = new Map(rows.map((row) => [row.market, row.volume ?? 0]));
    this.#parts.set(`${source}/${part}`, volumes);
  }

  /**
   * Followed markets of a part, the most traded first: its perpetuals, or its spot markets where it has no other
   * (only perpetuals have funding and open interest; a part of both has its prices in bulk).
   */
  ranked(source: string, part: string, instruments: InstrumentMap): string[] {
    const followed = followedOf(instruments);
    const perpetuals = followed.filter((row) => row.kind === 'perpetual');
    return this.#sorted(`${source}/${part}`, perpetuals.length > 0 ? perpetuals : followed);
  }

  /** The followed markets with the largest turnovers; none before a turnover of the part is known. */
  top(source: string, part: string, instruments: InstrumentMap, most: number): InstrumentMap {
    const key = `${source}/${part}`;
    if (!this.#parts.has(key)) return new Map();
    const markets = new Set(this.#sorted(key, followedOf(instruments)).slice(0, most));
    return new Map([...instruments].filter(([market]) => markets.has(market)));
  }

  #sorted(key: string, rows: readonly Instrument[]): string[] {
    const volumes = this.#parts.get(key);
    return rows
      .map((row) => row.market)
      .sort((a, b) => (volumes?.get(b) ?? 0) - (volumes?.get(a) ?? 0));
  }
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
