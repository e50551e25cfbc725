/** The client of a source whose bodies are of many megabytes: it answers with their rows. */
import { Piscina } from 'piscina';
import { failed, type Result, ShapeError, success } from '../failure.ts';
import { type Clock, late, within } from '../kernel/clock.ts';
import type { Parsed, Poll } from '../sources/define.ts';
import type { DefiFigure, DefiRows } from '../topics/defi.ts';
import type { HttpClient, SendOptions } from '../upstream/client.ts';
import type { UpstreamAnswer, UpstreamRequest } from '../upstream/request.ts';
import { type BulkJob, type BulkName, type BulkRows, bulkSources } from './bulk-sources.ts';

/** Parses bodies elsewhere than in the event loop. Rejects when the thread dies, and when `signal` aborts. */
export interface BulkThread {
  read(job: BulkJob, signal: AbortSignal): Promise<Result<BulkRows>>;
}

/** Time that the thread waits for another body, ms: it ends between two polls, which frees its memory. */
const idleTimeout = 10_000;
/** Memory for a body of the largest accepted size (64 MB) and its parsed form, MB. */
const memory = 1_024;

/** One thread, which exists while there is something to parse. */
export function createBulkThread(): BulkThread {
  const pool = new Piscina<BulkJob, Result<BulkRows>>({
    filename: new URL('./bulk-worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    maxQueue: Object.keys(bulkSources).length,
    idleTimeout,
    resourceLimits: { maxOldGenerationSizeMb: memory },
  });
  return { read: (job, signal) => pool.run(job, { signal }) };
}

/** The body of such an answer. */
class BulkAnswer {
  readonly rows: BulkRows;

  constructor(rows: BulkRows) {
    this.rows = rows;
  }
}

/** A figure out of the answers of a `BulkClient`. */
export const bulkPoll = <F extends DefiFigure>(name: F): Poll<DefiRows[F]> => ({
  requests: () => [{ api: 'bulk', path: '/' }],
  parse([body]) {
    const found: Result<Parsed<DefiRows[F]>> | undefined =
      body instanceof BulkAnswer ? body.rows[name] : undefined;
    if (!found?.ok) throw new ShapeError(found?.failure.message ?? `no ${name} in this source`);
    return found.value;
  },
});

export interface BulkClientOptions {
  source: BulkName;
  client: Pick<HttpClient, 'send'>;
  thread: BulkThread;
  clock: Clock;
  /** Time for which an answer is reused, ms: figures of one body then share one request. */
  keep: number;
}

/** Takes the place of an HTTP client for `bulkPoll`: the answer to any request is all that the source has. */
export class BulkClient implements Pick<HttpClient, 'send'> {
  readonly #options: BulkClientOptions;
  #last: UpstreamAnswer | null = null;
  /** Until when that is given again, monotonic ms. */
  #until = Number.NEGATIVE_INFINITY;
  #open: Promise<Result<UpstreamAnswer>> | null = null;

  constructor(options: BulkClientOptions) {
    this.#options = options;
  }

  async send(_: UpstreamRequest, options: SendOptions): Promise<Result<UpstreamAnswer>> {
    if (this.#last && this.#options.clock.monotonic() < this.#until) return success(this.#last);
    this.#open ??= this.#read(options).finally(() => {
      this.#open = null;
    });
    return this.#open;
  }

  async #read(options: SendOptions): Promise<Result<UpstreamAnswer>> {
    const { source, client, clock, keep } = this.#options;
    const until = clock.monotonic() + options.deadline;
    const answers: UpstreamAnswer[] = [];
    // One after the other: a breaker that is open lets a single request through to see whether the host is back.
    for (const request of bulkSources[source].requests) {
      const left = { ...options, deadline: until - clock.monotonic() };
      const result = await client.send({ ...request, text: true }, left);
      if (!result.ok) return result;
      answers.push(result.value);
    }
    const received = Math.max(...answers.map((answer) => answer.received));
    const texts = answers.map(({ body }) => String(body));
    const left = { ...options, deadline: until - clock.monotonic() };
    const rows = await this.#parse({ source, texts, received }, left);
    if (!rows.ok) return rows;
    const asked = Math.min(...answers.map((answer) => answer.asked));
    const answer = { body: new BulkAnswer(rows.value), asked, received };
    const whole = Object.values(rows.value).every((found) => found?.ok !== false);
    this.#last = whole ? answer : null;
    this.#until = clock.monotonic() + keep - (clock.now() - asked);
    return success(answer);
  }

  /** A body that ends its thread is like one that cannot be read. */
  async #parse(job: BulkJob, { deadline, signal }: SendOptions): Promise<Result<BulkRows>> {
    const { thread, clock } = this.#options;
    const stop = new AbortController();
    const ended = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
    const reading = thread
      .read(job, ended)
      .catch(() =>
        ended.aborted
          ? failed('stopped', `${job.source}: abandoned`)
          : failed('shape', `${job.source}: the body ended the thread that parsed it`),
      );
    const rows = await within(clock, deadline, reading);
    if (rows !== late) return rows;
    stop.abort();
    return failed('timeout', `${job.source}: not parsed before the deadline`);
  }
}
