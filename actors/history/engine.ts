/** DuckDB in this process, begun at the first question: so many questions at once, and a bound on its memory. */
import { setTimeout } from 'node:timers/promises';
import type { DuckDBConnection, DuckDBInstance, DuckDBValue, DuckDBVector } from '@duckdb/node-api';

/** Questions at once; the others wait in their order. */
const most = 2;
/** A thread for all: two take a processor from live traffic, and twice the memory, for a little less time. */
const settings = {
  threads: '1',
  memory_limit: '256MB',
  // Files are replaced under their names: nothing of them is remembered. Nothing is loaded from elsewhere.
  enable_external_file_cache: 'false',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
};

export class Engine {
  /** Where intermediate results go that exceed the memory. */
  readonly #spill: string;
  #instance: Promise<DuckDBInstance> | null = null;
  #asking = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #connections = new Set<DuckDBConnection>();
  #isEnding = false;

  constructor(spill: string) {
    this.#spill = spill;
  }

  /** Gives the columns of an answer to `take`, some rows at a time, as they come. Rejects with the error of DuckDB. */
  async read(
    sql: string,
    values: DuckDBValue[],
    take: (columns: readonly DuckDBVector[], rows: number) => void,
  ): Promise<void> {
    if (this.#asking < most) this.#asking++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      await this.#read(sql, values, take);
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#asking--;
    }
  }

  async #read(...[sql, values, take]: Parameters<Engine['read']>): Promise<void> {
    this.#instance ??= begin(this.#spill);
    const instance = await this.#instance.catch((error: unknown) => {
      this.#instance = null;
      throw error;
    });
    this.#goesOn();
    const connection = await instance.connect();
    this.#connections.add(connection);
    try {
      this.#goesOn();
      const result = await connection.stream(sql, values);
      for (;;) {
        this.#goesOn();
        const chunk = await result.fetchChunk();
        if (chunk === null || chunk.rowCount === 0) return;
        const { columnCount, rowCount } = chunk;
        const columns = Array.from({ length: columnCount }, (_, at) => chunk.getColumnVector(at));
        take(columns, rowCount);
      }
    } finally {
      this.#connections.delete(connection);
      connection.closeSync();
    }
  }

  #goesOn(): void {
    if (this.#isEnding) throw new Error('the history is being closed');
  }

  /** Has all questions fail: those in progress, those that wait, and later ones. A process cannot exit before its questions have ended. */
  async close(): Promise<void> {
    this.#isEnding = true;
    while (this.#asking > 0) {
      // A question that is just being begun does not hear of it the first time.
      for (const connection of this.#connections) connection.interrupt();
      await setTimeout(10);
    }
    (await this.#instance)?.closeSync();
  }
}

async function begin(spill: string): Promise<DuckDBInstance> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  return DuckDBInstance.create(':memory:', { ...settings, temp_directory: spill });
}
