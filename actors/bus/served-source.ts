import type { Responder } from './respond.ts';

/** Reads entries that were delivered to this process and are still pending. */
export const own = '0-0';

export interface ServeCounts {
  /** Replies sent, failures among them. */
  answered: number;
  /** Queries dropped because their deadline passed, before or while they were worked on. */
  expired: number;
  /** Queries claimed from a process that died. */
  claimed: number;
  /** Calls of a handler that threw. */
  thrown: number;
}

/** A source that this process serves. */
export interface Serving {
  /** Resolves when its queries are read for the first time; when stopped before, then too. */
  readonly ready: Promise<void>;
  counts(): Readonly<ServeCounts>;
  /** Reads no more, finishes what is in progress within `deadline` ms (5,000 when absent) and leaves the rest to others. */
  stop(deadline?: number): Promise<void>;
}

/** The state of one served source. */
export class Source {
  readonly name: string;
  readonly responder: Responder;
  readonly ready = Promise.withResolvers<void>();
  readonly counts = { answered: 0, expired: 0, claimed: 0 };
  /** Where the next read begins. */
  cursor = own;
  /** Whether its group is known to exist. */
  joined = false;
  /** A query that this process read could not be finished: it is pending without a worker. */
  dropped = false;
  inProgress = 0;
  /** A read that may deliver queries is under way. */
  inRead = false;
  readonly #concurrency: number;

  constructor(name: string, responder: Responder, concurrency: number) {
    this.name = name;
    this.responder = responder;
    this.#concurrency = concurrency;
  }

  /** How many more queries may be read. */
  get room(): number {
    return this.#concurrency - this.inProgress;
  }
}
