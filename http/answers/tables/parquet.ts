/** Tables as Apache Parquet (https://parquet.apache.org/docs/file-format/), which DuckDB makes of exact CSV. */
import type { TableColumn } from './file.ts';

/** The memory is that of row groups of 122,880 rows; more is spilled beside the file. */
const settings = {
  threads: '1',
  memory_limit: '128MB',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
};
const types = { ms: 'BIGINT', micros: 'BIGINT', text: 'VARCHAR', number: 'DOUBLE' } as const;

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const nameOf = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The value of a column in SQL; times are stated to be UTC. */
function readAs({ name, type }: TableColumn): string {
  const own = nameOf(name);
  if (type === 'text' || type === 'number') return own;
  return `make_timestamptz(${type === 'ms' ? `${own} * 1000` : own}) AS ${own}`;
}

/**
 * Writes a Parquet file with the rows of a file of exact CSV lines, which may be compressed by gzip, without a head. A
 * bounded part of them is in memory. Rejects with the error of DuckDB.
 */
export async function parquetOf(
  csv: string,
  parquet: string,
  columns: readonly TableColumn[],
): Promise<void> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(':memory:', {
    ...settings,
    temp_directory: `${parquet}.spill`,
  });
  const list = columns.map(({ name, type }) => `${quoted(name)}: '${types[type]}'`).join(', ');
  try {
    const connection = await instance.connect();
    await connection.run(
      `COPY (SELECT ${columns.map(readAs).join(', ')} FROM read_csv(${quoted(csv)}, columns = {${list}},
        auto_detect = false, header = false, delim = ',', quote = '"', escape = '"', allow_quoted_nulls = false))
        TO ${quoted(parquet)} (FORMAT parquet, COMPRESSION zstd)`,
    );
    connection.closeSync();
  } finally {
    instance.closeSync();
  }
}
