/** A name and three numbers, which together are one key: to compare them costs a tenth of what it takes to write them as a text. */
export type NumberKey = readonly [name: string, first: number, second: number, third: number];

const numbers = 3;
const scratch = new Float64Array(numbers);
const bits = new Uint32Array(scratch.buffer);

/** Of the bits of the numbers; the name is compared only. The factor is 2^32 over the golden ratio (Knuth 6.4). */
function hashOf(first: number, second: number, third: number): number {
  scratch[0] = first;
  scratch[1] = second;
  scratch[2] = third;
  let hash = 0;
  for (let at = 0; at < bits.length; at++) {
    hash = Math.imul(hash ^ (bits[at] ?? 0), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash;
}

/** Places of the first table: most streams have few events. */
const minCapacity = 64;
/** A full table makes one with this many times the places, and adds all of its keys to it. */
const growth = 4;

/** Share of the places that may be taken: 50,000 keys fit in 65,536. */
const mostFull = 0.8;

/** A set of such keys: an open table in flat memory, 32 bytes a place. NaN is never found. */
export class KeyTable {
  #names: (string | null)[] = new Array(minCapacity).fill(null);
  #numbers = new Float64Array(numbers * minCapacity);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(key: NumberKey): boolean {
    return this.#names[this.#placeOf(key)] !== null;
  }

  /** Adds a key; false when it is there already. */
  add(key: NumberKey): boolean {
    const place = this.#placeOf(key);
    if (this.#names[place] !== null) return false;
    this.#names[place] = key[0];
    this.#numbers[numbers * place] = key[1];
    this.#numbers[numbers * place + 1] = key[2];
    this.#numbers[numbers * place + 2] = key[3];
    if (++this.#size > mostFull * this.#names.length) this.#grow();
    return true;
  }

  /** Where a key is, or where it would be. */
  #placeOf(key: NumberKey): number {
    const names = this.#names;
    const values = this.#numbers;
    const mask = names.length - 1;
    for (let place = hashOf(key[1], key[2], key[3]) & mask; ; place = (place + 1) & mask) {
      const at = numbers * place;
      const isSame =
        values[at] === key[1] &&
        values[at + 1] === key[2] &&
        values[at + 2] === key[3] &&
        names[place] === key[0];
      if (isSame || names[place] === null) return place;
    }
  }

  /** More places. */
  #grow(): void {
    const names = this.#names;
    const values = this.#numbers;
    this.#names = new Array(growth * names.length).fill(null);
    this.#numbers = new Float64Array(growth * values.length);
    this.#size = 0;
    for (let place = 0; place < names.length; place++) {
      const name = names[place] ?? null;
      const at = numbers * place;
      if (name !== null)
        this.add([name, values[at] ?? 0, values[at + 1] ?? 0, values[at + 2] ?? 0]);
    }
  }
}
