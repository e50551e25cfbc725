import type { Exchange, FundingRate, MarketInterface } from 'ccxt';
import type { Test } from 'tap';
import { isRecord } from '../../../actors/read.ts';
import type { Instrument, Level } from '../../../actors/topics.ts';
import type { Bar } from '../../../actors/venues/candles.ts';
import { recording } from '../../support/recordings.ts';

type WireRow = Record<string, unknown>;
const isRow = (value: unknown): value is WireRow => typeof value === 'object' && value !== null;

/** The recorded body; the tests that ask for one are skipped where there are no recordings. */
export function recorded(venue: string, name: string): WireRow {
  const body = recording(venue, name)?.response;
  if (!isRow(body)) throw new Error(`no recording ${venue}/${name}`);
  return body;
}

/** The rows at `key` of a body, or the body itself where that is the list. */
export function listIn(body: unknown, key: string): WireRow[] {
  const found = isRecord(body) ? body[key] : body;
  return Array.isArray(found) ? found.filter(isRow) : [];
}

/** Equal to 1e-9, relative; null only where the other has nothing either. */
export function near(
  t: Test,
  ours: number | null | undefined,
  theirs: unknown,
  what: string,
): void {
  if (typeof theirs !== 'number' || typeof ours !== 'number') {
    t.equal(ours ?? null, theirs ?? null, what);
    return;
  }
  const error = Math.abs(ours - theirs) / Math.max(Math.abs(theirs), Number.MIN_VALUE);
  t.ok(error < 1e-9, `${what}: ${ours} is ${theirs}`);
}

/** A funding rate as the library reads it, of `market` if the row does not say; its types take the row for text. */
export const fundingRate = (
  exchange: Exchange,
  row: unknown,
  market?: MarketInterface,
): FundingRate => Reflect.apply(exchange.parseFundingRate, exchange, [row, market]);

type Sides<T> = Readonly<Record<'bids' | 'asks', readonly T[]>>;

/** Both sides of a book, level by level; `base` turns a quantity of theirs into base units at its price. */
export function sameBook(
  t: Test,
  ours: Sides<Level>,
  theirs: Sides<unknown>,
  base = (quantity: number, _price: number): number => quantity,
): void {
  for (const side of ['bids', 'asks'] as const) {
    t.equal(ours[side].length, theirs[side].length, `every level of the ${side}`);
    for (const [i, { price, quantity }] of ours[side].entries()) {
      const level: unknown = theirs[side][i];
      const [theirPrice, amount] = Array.isArray(level) ? level : [];
      near(t, price, theirPrice, `${side} ${i}`);
      near(t, quantity, base(amount, theirPrice), `${side} ${i} quantity`);
    }
  }
}

/** Candles with those of the library, index by index. */
export function sameBars(t: Test, ours: Bar[], theirs: unknown[][]): void {
  t.equal(ours.length, theirs.length, 'every row');
  for (const [i, bar] of ours.entries()) {
    const { timestamp, open, high, low, close, volume } = bar;
    for (const [j, value] of [timestamp, open, high, low, close, volume].entries()) {
      near(t, value, theirs[i]?.[j], `row ${i}, ${['time', 'o', 'h', 'l', 'c', 'volume'][j]}`);
    }
  }
}

/** A market outside the recorded instrument list, so that its ticker can be compared. */
export const handMade = (market: string, more: Partial<Instrument> = {}): Instrument => ({
  market,
  kind: 'spot',
  symbol: 'X',
  quote: 'USDT',
  scale: 1,
  contract: 1,
  inverse: false,
  funding_hours: null,
  ...more,
});
