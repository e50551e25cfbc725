/** The thread that encodes tables: each message is a step of one of them, answered by its bytes. */
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { Row, TableColumn, TableEncoder } from './encoder.ts';
import { type TableFormatName, tableFormats } from './formats.ts';

/** A step of a table: it begins, has further rows, ends, or is given up. */
export type Step = { id: number } & (
  | { columns: readonly TableColumn[]; format: TableFormatName }
  | { rows: readonly Row[] }
  | { is: 'end' | 'dropped' }
);

/** The bytes of a step, or why there are none. */
export type Encoded = { id: number } & ({ bytes: Uint8Array } | { error: string });

/** Behind the event loop, where both want a processor: on Linux a priority is that of a thread. */
if (process.platform === 'linux') setPriority(0, 5);

/** A table with the rows that wait for their group. */
interface Table {
  encoder: TableEncoder;
  rows: Row[];
}

/** Rows of a group: what a Parquet file says of its groups stays in memory until its end, a kilobyte a column. */
const group = 8_192;

const open = new Map<number, Table>();
const nothing = new Uint8Array(0);

async function encode(step: Step): Promise<Uint8Array> {
  const { id } = step;
  if ('format' in step) {
    open.set(id, { encoder: (await tableFormats[step.format].load())(step.columns), rows: [] });
    return nothing;
  }
  const table = open.get(id);
  if (table === undefined) return nothing;
  const { encoder, rows } = table;
  if ('rows' in step) {
    rows.push(...step.rows);
    return rows.length < group ? nothing : encoder.rows(rows.splice(0));
  }
  open.delete(id);
  return step.is === 'end' ? Buffer.concat([encoder.rows(rows), encoder.end()]) : nothing;
}

parentPort?.on('message', async (step: Step) => {
  const { id } = step;
  try {
    // Of its own memory, which can be handed over.
    const bytes = Uint8Array.from(await encode(step));
    parentPort?.postMessage({ id, bytes } satisfies Encoded, [bytes.buffer]);
  } catch (error) {
    open.delete(id);
    parentPort?.postMessage({ id, error: String(error) } satisfies Encoded);
  }
});
