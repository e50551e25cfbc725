/**
 * Every market in the lists of an exchange with all that is read of it: `test/fixtures/<venue>/markets.txt`. A line is part,
 * id, kind, symbol, quote, and what is not as with most markets; behind `//` stands why. `test/fixtures/funding-terms.txt` has for
 * how many hours the rates of the fixtures are stated, what they are for 8, and when they are charged: `T` is 16:00 UTC.
 */
import { readFileSync } from 'node:fs';
import type { Test } from 'tap';
import type { Venue } from '../../../../actors/sources/venue.ts';
import type { Instrument } from '../../../../actors/topics/index.ts';
import { tableOf, wordIn } from '../../../support/table.ts';
import { contextOf, derivativesOf } from '../fixtures.ts';
import { rounded } from '../stream-suite.ts';

const usual: Readonly<Record<string, unknown>> = {
  scale: 1,
  contract: 1,
  inverse: false,
  funding_hours: null,
};

function lineOf(part: string, { market, kind, symbol, quote, ...more }: Instrument): string {
  const rest = Object.entries(more)
    .filter(([key, value]) => value !== undefined && value !== usual[key])
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  return [part, market, kind, symbol, quote, ...rest].join(' ');
}

const terms = tableOf('funding-terms');

export function markets(t: Test, venue: Venue): void {
  const file = new URL(`../../../fixtures/${venue.id}/markets.txt`, import.meta.url);
  const stated = readFileSync(file, 'utf8').trim().split('\n');
  const found = venue.parts.flatMap((part) =>
    [...contextOf(venue, part).instruments.values()].map((one) => lineOf(part, one)),
  );
  t.strictSame(
    found,
    stated.map((line) => line.replace(/\s*\/\/.*/, '')),
    'the markets of the lists',
  );
  for (const { venue: id, part, market, ...wanted } of terms) {
    if (id !== venue.id) continue;
    const { rows } = derivativesOf(venue, wordIn(part));
    const row = rows.find((one) => one.market === `${market}`);
    const next = wanted.next_funding === 'T' ? Date.UTC(2025, 5, 15, 16) : wanted.next_funding;
    t.match(rounded(row), rounded({ ...wanted, next_funding: next }), `${part} ${market}`);
  }
}
