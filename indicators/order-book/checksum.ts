/** Checksums that exchanges send of the top of their books. */
import { crc32 } from 'node:zlib';
import type { LiveBook } from './live-book.ts';

/** Digits after the point in which a market states its prices and quantities. */
export interface Decimals {
  price: number;
  quantity: number;
}

/** Numbers that are exact. */
const exact = 2 ** 53;

/**
 * A number without its point and leading zeros. Example: 0.0050 with four decimals is 50. Of more than 15 digits the
 * shortest text of the number is that of the exchange as a rule.
 */
function digits(value: number, decimals: number): string {
  const scaled = value * 10 ** decimals;
  if (scaled < exact) return String(Math.round(scaled));
  const [whole = '', fraction = ''] = String(value).split('.');
  return whole + fraction.padEnd(decimals, '0');
}

const digitsOf = (side: readonly number[], { price, quantity }: Decimals): string => {
  let text = '';
  for (let i = 0; i + 1 < side.length; i += 2) {
    text += digits(side[i] ?? 0, price) + digits(side[i + 1] ?? 0, quantity);
  }
  return text;
};

/**
 * Kraken spot: CRC-32 of the ten best asks, then of the ten best bids. Example: an ask of 0.005 at 4.5 and a bid of 2 at
 * 4.4 with one and three decimals is that of `455442000`.
 * https://docs.kraken.com/api/docs/guides/spot-ws-book-v2
 */
export function krakenChecksum(book: Pick<LiveBook, 'native'>, decimals: Decimals): number {
  const { bids, asks } = book.native(10);
  return crc32(digitsOf(asks, decimals) + digitsOf(bids, decimals));
}

/** Levels a side that Bitfinex's checksum is of. */
const bitfinexLevels = 25;

/**
 * Bitfinex: signed CRC-32 of the 25 best levels of both sides by turns, amounts of asks negative, numbers as they are
 * printed. Example: a bid of 2 at 4.4 and an ask of 0.5 at 4.5 is that of `4.4:2:4.5:-0.5`.
 * https://docs.bitfinex.com/docs/ws-websocket-checksum
 */
export function bitfinexChecksum(book: Pick<LiveBook, 'native'>): number {
  const { bids, asks } = book.native(bitfinexLevels);
  const parts: number[] = [];
  for (let i = 0; i < 2 * bitfinexLevels; i += 2) {
    const [bid, ask] = [bids[i], asks[i]];
    if (bid !== undefined) parts.push(bid, bids[i + 1] ?? 0);
    if (ask !== undefined) parts.push(ask, -(asks[i + 1] ?? 0));
  }
  return crc32(parts.join(':')) | 0;
}
