/** Which markets a stream subscribes to: those of a list, or those of tracked assets. */
import type { Cancel } from '../../kernel/clock.ts';
import type { InstrumentMap } from '../define.ts';
import type { InstrumentBook } from '../instruments.ts';

/** The markets of a stream, for one life of its actor. */
export interface StreamMarkets {
  /** The markets that a message may be about. */
  readonly known: InstrumentMap;
  /** The markets to subscribe to at `now`, Unix ms; null where they stay as they are. */
  next(now: number): InstrumentMap | null;
  /** Calls `wake` when `next` should be asked again. */
  onChange?(wake: () => void): Cancel;
}

/** The markets of the newest list of a part, or some of them. */
export class ListedMarkets implements StreamMarkets {
  readonly #list: () => InstrumentMap;
  readonly #select: (all: InstrumentMap) => InstrumentMap;
  readonly onChange: (wake: () => void) => Cancel;
  #used: InstrumentMap | null = null;

  constructor(
    { book, source, part }: { book: InstrumentBook; source: string; part: string },
    select: (all: InstrumentMap) => InstrumentMap = (all) => all,
  ) {
    this.#list = () => book.part(source, part);
    this.#select = select;
    this.onChange = (wake) => book.onChange(source, part, wake);
  }

  get known(): InstrumentMap {
    return this.#list();
  }

  /** Null as well while there are none: the most traded ones are known only after a poll. */
  next(): InstrumentMap | null {
    const list = this.#list();
    if (list === this.#used) return null;
    const selected = this.#select(list);
    if (selected.size === 0) return null;
    this.#used = list;
    return selected;
  }
}

/** Between two questions for tracked markets: before there are any, and afterwards; ms. */
const pauses = { before: 3_000, after: 60_000 };

/** The markets of tracked assets, which change with turnovers. */
export class TrackedMarkets implements StreamMarkets {
  readonly #tracked: (now: number) => InstrumentMap;
  known: InstrumentMap = new Map();
  #due = Number.NEGATIVE_INFINITY;
  #pause = pauses.before;

  /** `tracked` gives the markets at a time, Unix ms; none while they are not known. */
  constructor(tracked: (now: number) => InstrumentMap) {
    this.#tracked = tracked;
  }

  /** Where none are tracked any more, the last ones stay: prices may be absent for a moment. */
  next(now: number): InstrumentMap | null {
    if (now < this.#due) return null;
    const markets = this.#tracked(now);
    if (markets.size > 0) this.#pause = pauses.after;
    this.#due = now + this.#pause;
    if (markets.size === 0) return null;
    this.known = markets;
    return markets;
  }
}
