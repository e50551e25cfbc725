/** Events of the time in which a stream was not received, where its upstream still has them: each gap is requested once. */
import { day, minute } from '../../../config/time.ts';
import type { Failure, Result } from '../../failure.ts';
import type { Cancel, Clock } from '../../kernel/clock.ts';
import type { UpstreamAnswer, UpstreamRequest } from '../../upstream/request.ts';
import type { InstrumentMap } from '../define.ts';
import { validRows } from '../quality/rows.ts';
import type { AnyEvent, PastEvents } from './stream.ts';

/** Unix ms, both inclusive. */
export interface Gap {
  from: number;
  to: number;
}

/** An upstream's list may come after its stream: how long after the end of a gap it is asked, ms. */
const settling = 10_000;
/** Pause before a failed request is repeated. */
const retryDelayMs = minute;
/** How often a failed request is repeated. */
const maxRetries = 5;
/** Older events of a longer gap are not asked for, ms. */
const maxGap = day;
/** Answers that are read of one list, page by page. */
const maxPages = 20;

export interface PastAskerOptions<Event extends AnyEvent> {
  past: PastEvents<Event>;
  clock: Clock;
  /** Aborts when the actor ends. */
  signal: AbortSignal;
  /** The markets as they are now. */
  instruments(): InstrumentMap;
  send(request: UpstreamRequest): Promise<Result<UpstreamAnswer>>;
  /** Events of the gap, of which some may be known. */
  onEvents(events: readonly Event[]): void;
  onFailure(failure: Failure): void;
  onError(error: unknown): void;
}

/** Remembers since when a stream is not received, and requests the missed events once it is received again. */
export class PastAsker<Event extends AnyEvent> {
  readonly #options: PastAskerOptions<Event>;
  readonly #cancels = new Set<Cancel>();
  #lostAt: number | null = null;
  #working: Promise<void> = Promise.resolve();

  constructor(options: PastAskerOptions<Event>) {
    this.#options = options;
  }

  /** The stream was received until then, Unix ms. */
  lost(at: number): void {
    this.#lostAt ??= at;
  }

  /** The stream is received from now on, Unix ms. */
  back(at: number): void {
    const from = this.#lostAt;
    this.#lostAt = null;
    if (from !== null && from < at) this.#plan({ from: Math.max(from, at - maxGap), to: at }, 0);
  }

  stop(): void {
    for (const cancel of this.#cancels) cancel();
  }

  #plan(gap: Gap, failures: number): void {
    const { clock, onError } = this.#options;
    const delay = failures === 0 ? settling : retryDelayMs;
    const cancel = clock.after(delay, () => {
      this.#cancels.delete(cancel);
      // One request after another, because the lists share a budget.
      this.#working = this.#working.then(() => this.#ask(gap, failures)).catch(onError);
    });
    this.#cancels.add(cancel);
  }

  async #ask(gap: Gap, failures: number): Promise<void> {
    const { past, signal, instruments, onFailure } = this.#options;
    for (const request of past.requests(instruments(), gap)) {
      if (signal.aborted) return;
      const failure = await this.#read(request, gap);
      if (!failure) continue;
      onFailure(failure);
      if (failures < maxRetries) this.#plan(gap, failures + 1);
      return;
    }
  }

  /** Reads a list back to the beginning of the gap. */
  async #read(first: UpstreamRequest, gap: Gap): Promise<Failure | null> {
    const { past, signal, send, instruments } = this.#options;
    let request: UpstreamRequest | null = first;
    for (let page = 0; request !== null && page < maxPages && !signal.aborted; page++) {
      const asked: UpstreamRequest = request;
      const answer = await send(asked);
      if (!answer.ok) return answer.failure;
      const { body, received } = answer.value;
      const parsed = validRows(() =>
        past.parse(body, { received, instruments: instruments() }, asked),
      );
      if (!parsed.ok) return parsed.failure;
      this.#take(parsed.value.rows, gap);
      request = past.before?.(asked, body, gap) ?? null;
    }
    return null;
  }

  #take(rows: readonly Event[], { from, to }: Gap): void {
    const { past, signal, onEvents } = this.#options;
    const { resolution = 1 } = past;
    const missed = rows.filter(
      ({ timestamp }) => timestamp >= from && timestamp + resolution - 1 <= to,
    );
    if (!signal.aborted && missed.length > 0) onEvents(missed);
  }
}
