import type { Exchange, FundingRate } from 'ccxt';
import type { Test } from 'tap';
import { isRecord } from '../../../actors/read.ts';
import type { Instrument } from '../../../actors/topics.ts';
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

/** The library with markets read from a recorded instrument list; it never touches the network. */
export async function oracle(venue: 'binance' | 'okx', ...lists: WireRow[][]): Promise<Exchange> {
  const { default: ccxt } = await import('ccxt');
  const exchange: Exchange = new ccxt[venue]();
  // Binance alone looks this up while it reads a market; loading it is what the network would be
  // for.
  Object.assign(exchange.options, { crossMarginPairsData: [], isolatedMarginPairsData: [] });
  exchange.setMarkets(lists.flat().map((row) => exchange.parseMarket(row)));
  return exchange;
}

/** A funding rate as the library reads it; its types take the row for text. */
export const fundingRate = (exchange: Exchange, row: unknown): FundingRate =>
  Reflect.apply(exchange.parseFundingRate, exchange, [row]);

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
