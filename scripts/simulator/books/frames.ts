/** What the book streams share in reading frames and writing levels. */
import type { WireLevel } from '../book.ts';
import type { Asked, BookUpdate } from './wire.ts';

/** Levels a side of streams that bring their snapshot. */
export const depth = 50;

/** True for the word that subscribes, false for the one that ends that, null for any other. */
export const order = (on: unknown, off: unknown) => (word: unknown) =>
  word === on ? true : word === off ? false : null;
export const subscribing = order('subscribe', 'unsubscribe');

/** Texts that match: the first group is the id of a market. */
export const idsIn = (texts: readonly string[], pattern: RegExp): string[] =>
  texts.flatMap((one) => pattern.exec(one)?.[1] ?? []);

export const inGroup = (group: string, ids: readonly string[]): Asked[] =>
  ids.map((id) => ({ group, id }));

/** Levels with the names of Kraken. */
export const numbers = (levels: readonly WireLevel[]) =>
  levels.map(([price, quantity]) => ({ price: Number(price), qty: Number(quantity) }));

/** Levels as pairs of JSON numbers, with the number of orders where `more` has it. */
export const bare = (levels: readonly WireLevel[], ...more: readonly number[]) =>
  levels.map((level) => [...level.map(Number), ...more]);

/** The changes of a book one by one, in an order in which no side is empty and no book crossed in between. */
export function stepsOf({ bids, asks, rising }: BookUpdate): [side: 'bids' | 'asks', WireLevel][] {
  const of = (side: 'bids' | 'asks', levels: readonly WireLevel[]) => {
    const [gone, fresh] = [false, true].map((there) =>
      levels.filter(([, quantity]) => (quantity !== '0') === there),
    );
    return [...(fresh ?? []), ...(gone ?? [])].map((one): ['bids' | 'asks', WireLevel] => [
      side,
      one,
    ]);
  };
  const [below, above] = [of('bids', bids), of('asks', asks)];
  return rising ? [...above, ...below] : [...below, ...above];
}
