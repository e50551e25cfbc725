import { mix, sequence } from '../../simulator/noise.ts';

/** Seeded choices: the same seed gives the same ones in the same order. */
export class Random {
  readonly #next: () => number;

  /** `stream` tells apart the sequences of one seed. */
  constructor(seed: number, stream: number) {
    this.#next = sequence(mix(seed, stream));
  }

  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number {
    return Math.floor(this.#next() * limit);
  }

  chance(share: number): boolean {
    return this.#next() < share;
  }

  pick<T>(list: readonly [T, ...T[]]): T {
    return list[this.below(list.length)] ?? list[0];
  }

  /** `count` results of `make`. */
  times<T>(count: number, make: () => T): T[] {
    return Array.from({ length: count }, make);
  }

  bytes(count: number): Buffer {
    return Buffer.from(this.times(count, () => this.below(256)));
  }
}
