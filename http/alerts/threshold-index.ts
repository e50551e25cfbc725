/** Which of many thresholds a value has reached, at a cost that grows with those alone. */
import type { Quiet } from '../../alerts/rules/condition.ts';

interface Bound<T> {
  at: number;
  item: T;
}

/** The first place in ascending order from which `at` is greater. */
function placeOf<T>(bounds: readonly Bound<T>[], at: number): number {
  let [from, to] = [0, bounds.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((bounds[middle]?.at ?? 0) > at) to = middle;
    else from = middle + 1;
  }
  return from;
}

function insert<T>(bounds: Bound<T>[], at: number, item: T): void {
  bounds.splice(placeOf(bounds, at), 0, { at, item });
}

function remove<T>(bounds: Bound<T>[], at: number, item: T): void {
  for (let place = placeOf(bounds, at) - 1; bounds[place]?.at === at; place--) {
    if (bounds[place]?.item !== item) continue;
    bounds.splice(place, 1);
    return;
  }
}

/** Items with the values between which they are quiet. */
export class ThresholdIndex<T> {
  /** By `up`, the lowest first. */
  readonly #ups: Bound<T>[] = [];
  /** By `down` with its sign turned: the highest first. */
  readonly #downs: Bound<T>[] = [];
  readonly #always = new Set<T>();
  readonly #quiet = new Map<T, Quiet>();

  get size(): number {
    return this.#quiet.size;
  }

  /** Sets between which values an item is quiet. */
  set(item: T, quiet: Quiet): void {
    const known = this.#quiet.get(item);
    if (known?.up === quiet.up && known.down === quiet.down) return;
    this.delete(item);
    this.#quiet.set(item, quiet);
    const { up, down } = quiet;
    if (up === Number.NEGATIVE_INFINITY) this.#always.add(item);
    else {
      if (up !== Number.POSITIVE_INFINITY) insert(this.#ups, up, item);
      if (down !== Number.NEGATIVE_INFINITY) insert(this.#downs, -down, item);
    }
  }

  delete(item: T): void {
    const known = this.#quiet.get(item);
    if (known === undefined) return;
    this.#quiet.delete(item);
    if (this.#always.delete(item)) return;
    remove(this.#ups, known.up, item);
    remove(this.#downs, -known.down, item);
  }

  /** The items that a value must be shown to, as they are now; one may come twice. */
  reached(value: number): T[] {
    const found = [...this.#always];
    for (const { at, item } of this.#ups) {
      if (at > value) break;
      found.push(item);
    }
    for (const { at, item } of this.#downs) {
      if (at > -value) break;
      found.push(item);
    }
    return found;
  }
}
