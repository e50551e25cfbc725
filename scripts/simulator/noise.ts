/** Seeded hashing and noise: the only source of chance in the simulator, so that a seed gives the same bytes. */

/** Mixes two integers into an unsigned 32-bit one (the finaliser of MurmurHash3 over a product). */
export function mix(seed: number, value: number): number {
  let h = (Math.imul(seed, 0x9e3779b1) + Math.imul(value | 0, 0x85ebca77)) | 0;
  h ^= h >>> 16;
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  h ^= h >>> 16;
  return h >>> 0;
}

/** A number in [0, 1) for a seed and an integer. */
export const unit = (seed: number, value: number): number => mix(seed, value) / 2 ** 32;

/** A 32-bit seed for a name under a seed (FNV-1a over the name). */
export function seedOf(seed: number, name: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) h = Math.imul(h ^ name.charCodeAt(i), 0x01000193);
  return mix(seed, h);
}

/** A stream of numbers in [0, 1) from one seed (mulberry32). */
export function sequence(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let z = Math.imul(state ^ (state >>> 15), 1 | state);
    z = (z + Math.imul(z ^ (z >>> 7), 61 | z)) ^ z;
    return ((z ^ (z >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Value noise in [-1, 1]: smooth in x, one random value per integer. */
export function valueNoise(seed: number, x: number): number {
  const cell = Math.floor(x);
  const u = x - cell;
  const a = unit(seed, cell);
  const b = unit(seed, cell + 1);
  return 2 * (a + (b - a) * u * u * (3 - 2 * u)) - 1;
}
