import type { Responder } from './respond.ts';

/** Reads entries that were delivered to this process and are still pending. */
export const own = '0-0';

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
