/**
 * What we and ccxt read into the columns of an exchange where that is not the same leaf with the same factor:
 * `test/fixtures/<venue>/columns.txt`, by hand from the documents of the exchange. A line is topic, part, column, what we read,
 * what ccxt reads (`-` for nothing, `?` where its product has too few digits to tell), and why where that is not plain; of a
 * product of leaves `a*b^-1`, of a change the leaves that it follows from, `computed` for a time that stands nowhere, `many`
 * for what is added up. Of several lines of a column, any may be found in a row.
 */
import { existsSync, readFileSync } from 'node:fs';
import type { Probe } from './pairs.ts';

export interface Line extends Pick<Probe, 'topic' | 'part'> {
  column: string;
  ours: string;
  theirs: string | undefined;
}

const files = new Map<string, readonly Line[]>();

export function linesOf(venue: string): readonly Line[] {
  const known = files.get(venue);
  if (known) return known;
  const file = new URL(`../../../fixtures/${venue}/columns.txt`, import.meta.url);
  const text = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  const found = text.split('\n').map((line) => {
    const [topic = '', part = '', column = '', ...rest] = line.split(' ');
    const leaves = (text = '') => (text.includes('(') ? text : text.replaceAll(',', ', '));
    const [ours, theirs] = rest;
    return {
      topic: topic as Line['topic'],
      part,
      column,
      ours: leaves(ours),
      theirs: theirs === '?' ? undefined : leaves(theirs),
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
