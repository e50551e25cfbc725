/** Tables that are encoded in a thread, which is there while any is open. */
import { Worker } from 'node:worker_threads';
import type { Row, TableColumn } from './encoder.ts';
import type { TableFormatName } from './formats.ts';
import type { Encoded, Step } from './thread.ts';

/** Memory of the thread, MB: its tables are a row group each. */
const memory = 128;

interface Waiting {
  resolve(bytes: Uint8Array): void;
  reject(error: Error): void;
}

/** A table that is being encoded; a step at a time. All reject when the thread dies. */
export interface OpenTable {
  rows(rows: readonly Row[]): Promise<Uint8Array>;
  end(): Promise<Uint8Array>;
  /** Frees it, at any time; call it once. */
  close(): void;
}

type StepOf<T = Step> = T extends { id: number } ? Omit<T, 'id'> : never;

const ended = 'the thread of tables has ended';

/** A thread with the steps that it has not answered, by the id of their table. */
class Thread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #isOver = false;

  constructor(over: () => void) {
    const worker = new Worker(new URL('./thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: memory },
    });
    worker.on('message', (encoded: Encoded) => {
      const waiting = this.#waiting.get(encoded.id);
      this.#waiting.delete(encoded.id);
      if ('bytes' in encoded) waiting?.resolve(encoded.bytes);
      else waiting?.reject(new Error(encoded.error));
    });
    let cause = new Error(ended);
    worker.on('error', (error) => {
      cause = error;
    });
    worker.on('exit', () => {
      this.#isOver = true;
      over();
      for (const { reject } of this.#waiting.values()) reject(cause);
      this.#waiting.clear();
    });
    worker.unref();
    this.#worker = worker;
  }

  /** Sends a step of a table that has no other one under way. */
  step(step: Step): Promise<Uint8Array> {
    if (this.#isOver) return Promise.reject(new Error(ended));
    return new Promise((resolve, reject) => {
      this.#waiting.set(step.id, { resolve, reject });
      this.#worker.postMessage(step);
    });
  }

  stop(): void {
    void this.#worker.terminate();
  }
}

export class TableThread {
  readonly #most: number;
  #thread: Thread | null = null;
  #open = 0;
  #last = 0;

  /** `most`: tables at once. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Begins a table; null where too many are open. */
  open(format: TableFormatName, columns: readonly TableColumn[]): OpenTable | null {
    if (this.#open === this.#most) return null;
    this.#open += 1;
    this.#last += 1;
    const id = this.#last;
    const thread = this.#running();
    const step = (one: StepOf) => thread.step({ id, ...one });
    const begun = step({ columns, format });
    begun.catch(() => {});
    return {
      rows: (rows) => begun.then(() => step({ rows })),
      end: () => begun.then(() => step({ is: 'end' })),
      close: () => {
        this.#open -= 1;
        if (this.#open === 0) this.stop();
        else step({ is: 'dropped' }).catch(() => {});
      },
    };
  }

  /** Ends the thread; what is open fails. */
  stop(): void {
    this.#thread?.stop();
    this.#thread = null;
  }

  #running(): Thread {
    if (this.#thread) return this.#thread;
    const thread: Thread = new Thread(() => {
      if (this.#thread === thread) this.#thread = null;
    });
    this.#thread = thread;
    return thread;
  }
}
