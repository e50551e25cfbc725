/**
 * Every market in the lists of an exchange with all that is read of it: `test/fixtures/<venue>/markets.txt`. A line is part,
 * id, kind, symbol, quote, and what is not as with most markets; behind `//` stands why.
 */
import { readFileSync } from 'node:fs';
import type { Test } from 'tap';
import type { Venue } from '../../../../actors/sources/venue.ts';
import type { Instrument } from '../../../../actors/topics/index.ts';
import { contextOf } from '../fixtures.ts';

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
}
