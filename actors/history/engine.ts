/** DuckDB in this process, begun at the first question: so many questions at once, and a bound on its memory. */
import type { DuckDBConnection, DuckDBInstance, DuckDBValue, DuckDBVector } from '@duckdb/node-api';

/** Questions at once, each on a connection of its own; the others wait in their order. */
const connections = 2;
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
  readonly #free: DuckDBConnection[] = [];
  readonly #waiting: PromiseWithResolvers<DuckDBConnection>[] = [];
  #opened = 0;

  readonly #begin: typeof begin;

  constructor(spill: string, start = begin) {
    this.#spill = spill;
    this.#begin = start;
  }

  /** Gives the columns of an answer to `take`, some rows at a time, as they come. Rejects with the error of DuckDB. */
  async read(
    sql: string,
    values: DuckDBValue[],
    take: (columns: readonly DuckDBVector[], rows: number) => void,
  ): Promise<void> {
    const connection = await this.#take();
    try {
      const result = await connection.stream(sql, values);
      for (;;) {
        const chunk = await result.fetchChunk();
        if (chunk === null || chunk.rowCount === 0) return;
        const { columnCount, rowCount } = chunk;
        const columns = Array.from({ length: columnCount }, (_, at) => chunk.getColumnVector(at));
        take(columns, rowCount);
      }
    } finally {
      const next = this.#waiting.shift();
      if (next) next.resolve(connection);
      else this.#free.push(connection);
    }
  }

  async #take(): Promise<DuckDBConnection> {
    const free = this.#free.pop();
    if (free) return free;
    if (this.#opened >= connections) {
      const waiting = Promise.withResolvers<DuckDBConnection>();
      this.#waiting.push(waiting);
      return waiting.promise;
    }
    this.#opened++;
    try {
      this.#instance ??= this.#begin(this.#spill);
      return await (await this.#instance).connect();
    } catch (error) {
      this.#opened--;
      this.#instance = null;
      // Those who wait for one of the others have it; without any they would wait for ever.
      if (this.#opened === 0) for (const one of this.#waiting.splice(0)) one.reject(error);
      throw error;
    }
  }

  async close(): Promise<void> {
    for (const connection of this.#free.splice(0)) connection.closeSync();
    (await this.#instance)?.closeSync();
  }
}

async function begin(spill: string): Promise<DuckDBInstance> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  return DuckDBInstance.create(':memory:', { ...settings, temp_directory: spill });
}
