import type { Exchange } from 'ccxt';
import type { Test } from 'tap';
import type { Level } from '../../../actors/topics.ts';
import { near, recorded } from './oracle.ts';

type Library =
  | 'kraken'
  | 'krakenfutures'
  | 'coinbase'
  | 'coinbaseexchange'
  | 'coinbaseinternational'
  | 'bingx';

/**
 * The library with every request answered out of the recordings of `venue`: `answers` names the recording for
 * each path as the library writes it. A path that is not named gets an empty list.
 */
export async function offline(
  library: Library,
  venue: string,
  answers: Readonly<Record<string, string>>,
): Promise<Exchange> {
  const { default: ccxt } = await import('ccxt');
  const exchange: Exchange = new ccxt[library]();
  const request = async (path: string) => {
    const name = answers[path];
    return name === undefined ? [] : structuredClone(recorded(venue, name));
  };
  return Object.assign(exchange, { request });
}

interface Sides {
  bids: readonly unknown[];
  asks: readonly unknown[];
}

const keys = ['bids', 'asks'] as const;

/** Both sides level by level; `base` turns a quantity of theirs into base units at its price. */
export function sameBook(
  t: Test,
  ours: Record<'bids' | 'asks', Level[]>,
  theirs: Sides,
  base = (quantity: number, _price: number): number => quantity,
): void {
  for (const side of keys) {
    t.equal(ours[side].length, theirs[side].length, `every level of the ${side}`);
    for (const [i, { price, quantity }] of ours[side].entries()) {
      const level: unknown = theirs[side][i];
      const [theirPrice, amount] = Array.isArray(level) ? level : [];
      near(t, price, theirPrice, `${side} ${i}`);
      near(t, quantity, base(amount, theirPrice), `${side} ${i} quantity`);
    }
  }
}
