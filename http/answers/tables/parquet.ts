/** Tables as Apache Parquet (https://parquet.apache.org/docs/file-format/): a row group for each call, compressed by Snappy. */
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import {
  type Cell,
  cellsAt,
  type EncoderOf,
  type TableColumn,
  type TableEncoder,
} from './encoder.ts';

/** A column of Unix microseconds beside those of all forms. */
interface Column {
  name: string;
  type: TableColumn['type'] | 'micros';
}

/** Times are stated to be UTC; the converted type is for readers of before 2018. */
const elementOf = {
  time: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
  micros: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MICROS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
  },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  number: { type: 'DOUBLE' },
} as const;

/** A time is an INT64, which the library makes of a Date where it counts milliseconds. */
function stored(type: Column['type'], cell: Cell) {
  if (typeof cell !== 'number') return cell;
  if (type === 'micros') return BigInt(cell);
  return type === 'time' ? new Date(cell) : cell;
}

export const parquetOf = (columns: readonly Column[]): TableEncoder => {
  const bytes = new ByteWriter();
  const elements = columns.map(({ name, type }) => ({
    name,
    repetition_type: 'OPTIONAL' as const,
    ...elementOf[type],
  }));
  const file = new ParquetWriter({
    writer: bytes,
    schema: [{ name: 'root', num_children: columns.length }, ...elements],
    createdBy: 'Tidemark',
  });
  /** Takes what was written. Places in the file are counted by `bytes.offset`, which goes on. */
  const taken = () => {
    const own = bytes.getBytes().slice();
    bytes.index = 0;
    return own;
  };
  return {
    rows(rows) {
      const columnData = columns.map(({ name, type }, at) => ({
        name,
        data: cellsAt(rows, at).map((cell) => stored(type, cell)),
      }));
      // Without `flush` in the writer nothing of this waits.
      if (rows.length > 0) void file.write({ columnData, rowGroupSize: rows.length });
      return taken();
    },
    end() {
      void file.finish();
      return taken();
    },
  };
};

export const parquet: EncoderOf = (columns) => parquetOf(columns);
