/**
 * Public trades by stream in our own numbers, as the exchange documents its messages: `test/fixtures/<venue>/streamed-trades.txt`. The
 * first line is part and markets; then come the messages of one connection: such with trades, and behind the words `other`, `refused`
 * and `bad` those that are about none, that are refusals, and whose only row cannot be read. The table has all trades. An empty line
 * stands before the next part.
 */
import { existsSync, readFileSync } from 'node:fs';
import type { Test } from 'tap';
import { ShapeError } from '../../../../actors/failure.ts';
import type { Venue } from '../../../../actors/sources/venue.ts';
import { rowsIn } from '../../../support/table.ts';
import { instrumentOf, received, unlessRefused } from '../fixtures.ts';
import type { Reading } from '../readings.ts';
import { rounded } from '../stream-suite.ts';
import { partOf, withBehind } from './addresses.ts';

interface Message {
  kind: string;
  message: unknown;
}

/** The streams with their messages; none where the exchange has no trades by stream. */
function casesOf(venue: Venue) {
  const file = new URL(`../../../fixtures/${venue.id}/streamed-trades.txt`, import.meta.url);
  if (!venue.trades && !existsSync(file)) return [];
  const text = readFileSync(file, 'utf8').replaceAll(/\n +/g, '');
  return text.split('\n\n').map((one) => caseOf(venue, one));
}

function caseOf(venue: Venue, text: string) {
  const [head = '', ...lines] = text.split('\n').filter((line) => !line.startsWith('//'));
  const [part = '', ...markets] = head.split(' ');
  const stream = withBehind(venue.trades)[part];
  if (!stream) throw new Error(`${venue.id} has no trades of ${part}`);
  const end = lines.findIndex((line) => line.startsWith('market '));
  const messages = lines.slice(0, end).map((line): Message => {
    const [, kind = 'trades', json = ''] = /^(?:(other|refused|bad) )?(.*)$/.exec(line) ?? [];
    return { kind, message: JSON.parse(json) };
  });
  const instruments = new Map(markets.map((id) => [id, instrumentOf(venue, partOf(part), id)]));
  const read = (message: unknown, connection: object) =>
    stream.parse(message, { received, instruments, connection });
  return { messages, read, trades: rowsIn(lines.slice(end).join('\n')) };
}

/** The messages for the walk of damage. */
export const streamedTrades = (venue: Venue): Reading[] =>
  casesOf(venue).map(({ messages, read }) => {
    const bodies = messages.map(({ message }) => message);
    const parse = (all: readonly unknown[]) => {
      const connection = {};
      return all.map((one) => unlessRefused(() => read(one, connection) ?? 'nothing'));
    };
    return { name: 'stream of trades', bodies, parse };
  });

/** Ids that are texts of digits are numbers in a table. */
const named = ({ name, ...row }: Readonly<Record<string, unknown>>) =>
  name === undefined ? row : { ...row, name: `${name}` };

export function tradeStreams(t: Test, venue: Venue): void {
  for (const one of casesOf(venue)) tradeStreamOf(t, one);
}

function tradeStreamOf(t: Test, { messages, read, trades }: ReturnType<typeof caseOf>): void {
  const connection = {};
  const found: object[] = [];
  for (const { kind, message } of messages) {
    const text = JSON.stringify(message);
    if (kind === 'other') t.equal(read(message, connection), null, text);
    else if (kind === 'refused') t.throws(() => read(message, connection), ShapeError, text);
    else if (kind === 'bad')
      t.match(read(message, connection), { rows: [], dropped: [{ code: 'bad_row' }] }, text);
    else {
      const parsed = read(message, connection);
      t.strictSame(parsed?.dropped, [], text);
      found.push(...(parsed?.rows ?? []));
    }
  }
  t.strictSame(rounded(found), rounded(trades.map(named)));
}
