/** The forms of a table. */
import { csvLines } from '../csv-lines.ts';
import type { EncoderOf } from './encoder.ts';

const csv: EncoderOf = (columns) => {
  let head: readonly string[][] = [columns.map(({ name }) => name)];
  const linesWith = (rows: readonly (readonly unknown[])[]) => {
    const text = csvLines([...head, ...rows]);
    head = [];
    return Buffer.from(text);
  };
  return { rows: linesWith, end: () => linesWith([]) };
};

/** A form of a table: its media type, the end of a file's name, and its encoder, which is loaded when it is first used. */
export interface TableFormat {
  mediaType: string;
  extension: string;
  load(): Promise<EncoderOf>;
}

export const tableFormats = {
  csv: { mediaType: 'text/csv', extension: 'csv', load: async () => csv },
  parquet: {
    mediaType: 'application/vnd.apache.parquet',
    extension: 'parquet',
    load: async () => (await import('./parquet.ts')).parquet,
  },
  arrow: {
    mediaType: 'application/vnd.apache.arrow.stream',
    extension: 'arrows',
    load: async () => (await import('./arrow.ts')).arrow,
  },
} as const satisfies Readonly<Record<string, TableFormat>>;

export type TableFormatName = keyof typeof tableFormats;
