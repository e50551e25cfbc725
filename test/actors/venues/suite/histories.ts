/**
 * Points of histories that an exchange states in units or in ways of its own: `test/fixtures/<venue>/histories.txt`, bodies of the
 * documented form in our own numbers. The first line of a block is the history, part and market, where it has them the interval and
 * whose ratio it is; then comes a line for each body (`-` for one that is absent), and the table of points, or `refused`. A line
 * that begins with spaces goes on with the one before; `moments.ts` has the words for times.
 */
import { existsSync, readFileSync } from 'node:fs';
import type { Test } from 'tap';
import { ShapeError } from '../../../../actors/failure.ts';
import type { Venue } from '../../../../actors/sources/venue.ts';
import { type Interval, intervals, type LongShortOf } from '../../../../actors/topics/index.ts';
import { rowsIn } from '../../../support/table.ts';
import { instrumentOf } from '../fixtures.ts';
import type { Reading } from '../readings.ts';
import { rounded } from '../stream-suite.ts';
import { now, sent, timeOf } from './moments.ts';
import { isHistory } from './ranges.ts';

interface Case extends Reading {
  wanted: string[];
}

const isInterval = (name: string): name is Interval => Object.hasOwn(intervals, name);

function caseOf(venue: Venue, block: string): Case {
  const [head = '', ...lines] = block.split('\n');
  const [name, part = '', market = '', interval = '1h', of = 'accounts'] = head.split(' ');
  const query = Object.entries<object>(venue.queries)
    .filter(isHistory)
    .find(([own]) => own === name)?.[1];
  if (!query || !isInterval(interval)) throw new Error(`no question: ${head}`);
  const instrument = instrumentOf(venue, part, market);
  const asked = { market, part, instrument, now, limit: 100, interval, of: of as LongShortOf };
  const end = lines.findIndex((line) => /^(timestamp|refused)/.test(line));
  return {
    name: head,
    bodies: lines.slice(0, end).map((line) => (line === '-' ? undefined : JSON.parse(sent(line)))),
    parse: (bodies) => query.parse(bodies, asked, now).points,
    wanted: lines.slice(end),
  };
}

function casesOf(venue: Venue): Case[] {
  const file = new URL(`../../../fixtures/${venue.id}/histories.txt`, import.meta.url);
  if (!existsSync(file)) return [];
  const text = readFileSync(file, 'utf8')
    .replaceAll(/\n +/g, '')
    .replaceAll(/^#.*\n/gm, '');
  return text
    .trim()
    .split('\n\n')
    .map((block) => caseOf(venue, block));
}

/** The bodies for the walk of damage. */
export const ownHistories = (venue: Venue): Reading[] => casesOf(venue);

export function histories(t: Test, venue: Venue): void {
  for (const { name, bodies, parse, wanted } of casesOf(venue)) {
    if (wanted[0] === 'refused') {
      t.throws(() => parse(bodies), ShapeError, name);
      continue;
    }
    const points = rowsIn(wanted.join('\n')).map(({ timestamp, ...point }) => ({
      timestamp: timeOf(`${timestamp}`),
      ...point,
    }));
    t.strictSame(rounded(parse(bodies)), rounded(points), name);
  }
}
