/** How long answers are given again, and how large they may be. */
import type { Test } from 'tap';
import type { Venue } from '../../../../actors/sources/venue.ts';

const second = 1_000;
const mib = 2 ** 20;

/**
 * Cached for a minute, settled fundings for five, vaults for a minute, accounts for half of one, whole books and quotes for two seconds
 * (upstreams/analytics.md 1.7 and its blocks of each).
 */
const lives: Readonly<Record<string, number>> = {
  ...{ longShort: 60, takerVolume: 60, takerCandles: 60, openInterestHistory: 60 },
  ...{
    basisHistory: 60,
    marginHistory: 60,
    fundingHistory: 300,
    vault: 60,
    clearinghouse: 30,
    depth: 2,
    recentTrades: 1,
    bestQuotes: 2,
    priceCandles: 60,
  },
};

export function lifetimes(t: Test, { queries, apis }: Venue): void {
  for (const [name, query] of Object.entries<object>(queries)) {
    if (name === 'orderBook' || name === 'candles') continue;
    const ttl = 'ttl' in query ? query.ttl : null;
    t.equal(ttl, (lives[name] ?? 0) * second, `${name}: its lifetime`);
  }
  // Lists of all instruments: some MiB (5 MB at Deribit, upstreams/venues-b.md 3).
  for (const [name, { maxBody = 16 * mib }] of Object.entries(apis))
    t.ok(maxBody >= 16 * mib && maxBody <= 64 * mib, `${name}: the size of a list`);
}
