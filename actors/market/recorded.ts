/** Series that jobs record in the history: read once after a start, and written as they grow. */

import type { Failure } from '../failure.ts';
import { sleep } from '../kernel/clock.ts';
import type { JobContext } from '../sources/context.ts';
import {
  historySource,
  type Interval,
  type RecordedName,
  type RecordedRows,
  type RecordRow,
} from '../topics/index.ts';

/** How long a source that starts waits for a history process that starts with it, ms. */
const timeoutMs = 10_000;
const pause = 500;
/** Rows of one question. */
const most = 5_000;

export class RecordedStore {
  readonly #context: Pick<JobContext, 'query' | 'clock'>;
  readonly #until: number;

  constructor(context: Pick<JobContext, 'query' | 'clock'>) {
    this.#context = context;
    this.#until = context.clock.monotonic() + timeoutMs;
  }

  /** The newest rows of some keys, in their order; null while no history process answers. */
  async read(
    series: RecordedName,
    keys: readonly string[],
    { step, limit }: { step: Interval; limit: number },
  ): Promise<readonly RecordedRows[] | null> {
    const { query, clock } = this.#context;
    for (;;) {
      const params = { series, keys, step, limit };
      const reply = await query({ source: historySource, name: 'series', params });
      if (reply.ok) return reply.value.value.rows;
      if (clock.monotonic() >= this.#until) return null;
      await sleep(clock, pause);
    }
  }

  /** Null when the rows are committed. A row of a step that has one already is left out. */
  async record(series: RecordedName, rows: readonly RecordRow[]): Promise<Failure | null> {
    for (let at = 0; at < rows.length; at += most) {
      const params = { series, rows: rows.slice(at, at + most) };
      const { query } = this.#context;
      const reply = await query({ source: historySource, name: 'record', params });
      if (!reply.ok) return reply.failure;
    }
    return null;
  }
}
