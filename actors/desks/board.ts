/** How the sources of a desk are doing, as `/v1/status` shows it. */
import type { Failure } from '../failure.ts';
import type { Clock } from '../kernel/clock.ts';
import { crash, failing, waiting } from '../sources/status.ts';
import type { FeedStatus } from '../topics.ts';

/** What a good answer was like. */
export interface Success {
  asked: number;
  received: number;
  rows: number;
  /** Rows that were not used, by reason. */
  dropped?: Readonly<Record<string, number>>;
  breaker?: FeedStatus['breaker'];
}

export interface BoardOptions {
  /** Id of the desk. */
  desk: string;
  clock: Clock;
  publish(status: FeedStatus): void;
}

/** One row per duty and source; a row is there from the first time that the source is asked. */
export class Board {
  readonly #options: BoardOptions;
  readonly #rows = new Map<string, FeedStatus>();
  /** Duties that have told of a source. */
  readonly #asking = new Set<string>();

  constructor(options: BoardOptions) {
    this.#options = options;
  }

  /** What an earlier life of the desk told last: those of its rows that this one has not told of yet. */
  adopt(rows: Iterable<FeedStatus>): void {
    for (const row of rows) {
      const name = key(row.topic, row.part);
      if (row.source === this.#options.desk && !this.#rows.has(name)) this.#rows.set(name, row);
    }
  }

  /** The source answered, and its answer is used. */
  success(duty: string, source: string, found: Success): void {
    this.#asking.add(duty);
    this.#success(duty, source, found);
  }

  /** The source did not answer, or what it said cannot be used. */
  failure(duty: string, source: string, failure: Failure): void {
    this.#asking.add(duty);
    this.#failure(duty, source, failure);
  }

  #success(duty: string, source: string, found: Success): void {
    const { asked, received, rows, dropped = {}, breaker = 'closed' } = found;
    this.#set(duty, source, {
      state: 'up',
      last_success: received,
      last_attempt: asked,
      latency_ms: received - asked,
      rows,
      dropped: { ...dropped },
      breaker,
      failures: 0,
    });
  }

  #failure(duty: string, source: string, failure: Failure): void {
    const at = this.#options.clock.now();
    const changes = failing(this.#row(duty, source), failure, at);
    this.#set(duty, source, { last_attempt: at, ...changes });
  }

  /** A source before it answered: those of the duty that were asked once are not needed now. */
  standby(duty: string, sources: readonly string[]): void {
    for (const source of sources) {
      const row = this.#rows.get(key(duty, source));
      if (row && row.state !== 'standby')
        this.#set(duty, source, { state: 'standby', next_poll: null });
    }
  }

  /** A round has ended. Told for a duty that asks no source itself: the others have their rows from their sources. */
  done(duty: string, failure: Failure | null, times: { asked: number; received: number }): void {
    if (this.#asking.has(duty)) return;
    const { desk } = this.#options;
    const rows = [...this.#rows.values()].filter(({ topic }) => topic === duty);
    if (failure) this.#failure(duty, desk, failure);
    // What was resumed says enough, until a failure has said more.
    else if (rows.length === 0 || rows.some(({ part }) => part === desk))
      this.#success(duty, desk, { ...times, rows: 0 });
  }

  /** When the duty is due again, Unix ms; `figures` are what it asks for under other names. */
  plan(duty: string, next: number, figures: readonly string[] = []): void {
    for (const row of this.#rows.values()) {
      const isOwn = row.topic === duty || figures.includes(row.topic);
      if (isOwn && row.state !== 'standby') this.#set(row.topic, row.part, { next_poll: next });
    }
  }

  /** The duty was done once and what it learned still holds: `source` told it at `received`. */
  resume(duty: string, source: string, { received, rows }: Pick<Success, 'received' | 'rows'>) {
    this.#set(duty, source, { state: 'up', last_success: received, rows });
  }

  /** The duty crashed: a bug, whose stack is in the log. */
  crashed(duty: string): void {
    const last_error = crash(this.#options.clock.now());
    const rows = [...this.#rows.values()].filter(({ topic }) => topic === duty);
    const sources = rows.length === 0 ? [this.#options.desk] : rows.map(({ part }) => part);
    for (const source of sources) this.#set(duty, source, { state: 'down', last_error });
  }

  #row(duty: string, source: string): FeedStatus {
    const name = { source: this.#options.desk, topic: duty, part: source };
    return this.#rows.get(key(duty, source)) ?? waiting(name);
  }

  #set(duty: string, source: string, changes: Partial<FeedStatus>): void {
    const row = { ...this.#row(duty, source), ...changes };
    this.#rows.set(key(duty, source), row);
    this.#options.publish(row);
  }
}

const key = (duty: string, source: string) => `${duty}/${source}`;
