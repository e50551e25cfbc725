/** Places on a long page whose parts begin when the reader comes near. */
import { h } from './dom.ts';
import type { Part } from './part.ts';

/** A place for one part after another. */
export class Slot {
  readonly node: HTMLElement;
  #make: (() => Part) | null = null;
  #part: Part | null = null;
  #isNear = false;
  readonly #watch: IntersectionObserver;

  /** `name` is a class of the node, by which the style keeps its room free. */
  constructor(name: string) {
    this.node = h('div', { class: `slot ${name}` });
    this.#watch = new IntersectionObserver(
      (found) => {
        if (!found.some(({ isIntersecting }) => isIntersecting)) return;
        this.#watch.disconnect();
        this.#isNear = true;
        this.#begin();
      },
      { rootMargin: '300px' },
    );
    this.#watch.observe(this.node);
  }

  /** Another part in the place of the one that is there. */
  show(make: () => Part): void {
    this.#part?.end();
    this.#part = null;
    this.#make = make;
    if (this.#isNear) this.#begin();
  }

  end(): void {
    this.#watch.disconnect();
    this.#part?.end();
    this.#make = null;
  }

  #begin(): void {
    if (this.#make === null) return;
    this.#part = this.#make();
    this.node.replaceChildren(this.#part.node);
  }
}
