/**
 * Columns that ccxt does not read of an exchange, or that we do not: `test/fixtures/<venue>/columns.txt`, by hand from the
 * documents of the exchange. A line is topic, part, column, what we read, what ccxt reads (`-` for nothing), and why where
 * that is not plain; of a product of leaves `a*b^-1`, of a change the leaves that it follows from, `computed` for a time that
 * stands nowhere, `many` for what is added up.
 */
import { existsSync, readFileSync } from 'node:fs';
import type { Difference, Probe } from './pairs.ts';

type Line = Difference & Pick<Probe, 'topic' | 'part'> & { column: string };

const files = new Map<string, readonly Line[]>();

export function linesOf(venue: string): readonly Line[] {
  const known = files.get(venue);
  if (known) return known;
  const file = new URL(`../../../fixtures/${venue}/columns.txt`, import.meta.url);
  const text = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  const found = text.split('\n').map((line) => {
    const [topic = '', part = '', column = '', ...rest] = line.split(' ');
    const leaves = (text = '') => (text.includes('(') ? text : text.replaceAll(',', ', '));
    const [ours, theirs, ...why] = rest;
    return {
      topic: topic as Line['topic'],
      part,
      column,
      ours: leaves(ours),
      theirs: leaves(theirs),
      why: why.join(' '),
    };
  });
  files.set(venue, found);
  return found;
}

/** What is stated of a column of a topic. */
export const columnsOf = (venue: string, { topic, part }: Probe, column: string) =>
  linesOf(venue).filter(
    (line) => line.topic === topic && line.part === part && line.column === column,
  );
