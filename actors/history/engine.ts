/** DuckDB in this process, begun at the first question: so many questions at once, and a bound on its memory. */
import type { DuckDBConnection, DuckDBInstance, DuckDBValue } from '@duckdb/node-api';

/** Questions at once, each on a connection of its own; the others wait in their order. */
const connections = 2;
const settings = {
  threads: '2',
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
  readonly #waiting: ((connection: DuckDBConnection) => void)[] = [];
  #opened = 0;

  constructor(spill: string) {
    this.#spill = spill;
  }

  /** The rows of a question. Rejects with the error of DuckDB. */
  async rows(sql: string, values: DuckDBValue[]): Promise<DuckDBValue[][]> {
    const connection = await this.#take();
    try {
      return await (await connection.runAndReadAll(sql, values)).getRows();
    } finally {
      const next = this.#waiting.shift();
      if (next) next(connection);
      else this.#free.push(connection);
    }
  }

  async #take(): Promise<DuckDBConnection> {
    const free = this.#free.pop();
    if (free) return free;
    if (this.#opened >= connections) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#opened++;
    this.#instance ??= begin(this.#spill);
    return (await this.#instance).connect();
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
