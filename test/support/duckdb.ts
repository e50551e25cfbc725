/** `duckdb -c SQL`: prints the rows, each as JSON. */
import { DuckDBInstance } from '@duckdb/node-api';

const database = await DuckDBInstance.create(':memory:');
const connection = await database.connect();
const result = await connection.runAndReadAll(process.argv.at(-1) ?? '');
const lines = result.getRowObjectsJson().map((row) => `${JSON.stringify(row)}\n`);
process.stdout.write(lines.join(''));
