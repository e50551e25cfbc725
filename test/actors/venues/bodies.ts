/** ccxt as the second reader of recorded answers, fed through its own endpoints; it never touches the network. */
import type { Exchange } from 'ccxt';
import type { Test } from 'tap';
import type { Level } from '../../../actors/topics.ts';
import { near } from './oracle.ts';

/** The end of an endpoint's path, and the body that it gives. */
export type Bodies = Readonly<Record<string, unknown>>;

/** The library with every request answered from `bodies`, which must hold its instrument lists. */
export async function fromBodies(
  venue: 'htx' | 'kucoin' | 'mexc',
  bodies: Bodies,
): Promise<Exchange> {
  const { default: ccxt } = await import('ccxt');
  const exchange: Exchange = new ccxt[venue]();
  const ends = Object.entries(bodies).sort(([a], [b]) => b.length - a.length);
  const request = async (path: string) => {
    const [, body] = ends.find(([end]) => path.endsWith(end)) ?? [];
    if (body === undefined) throw new Error(`nothing recorded for ${path}`);
    return structuredClone(body);
  };
  Object.assign(exchange, { request });
  exchange.setMarkets(await exchange.fetchMarkets());
  return exchange;
}

/** Both sides of a book, best first, with those of the library, whose quantities count lots of `contract`. */
export function sameBook(
  t: Test,
  ours: Readonly<Record<'bids' | 'asks', Level[]>>,
  theirs: Readonly<Record<'bids' | 'asks', readonly (readonly unknown[])[]>>,
  contract: number,
): void {
  for (const side of ['bids', 'asks'] as const) {
    t.equal(ours[side].length, theirs[side].length, side);
    const best = side === 'bids' ? -1 : 1;
    const sorted = ours[side].sort((a, b) => best * (a.price - b.price));
    for (const [i, { price, quantity }] of sorted.entries()) {
      const [theirPrice, amount] = theirs[side][i] ?? [];
      near(t, price, theirPrice, `${side} ${i}`);
      near(t, quantity, Number(amount) * contract, `${side} ${i} quantity`);
    }
  }
}
