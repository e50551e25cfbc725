/** Tables as an Arrow IPC stream (https://arrow.apache.org/docs/format/Columnar.html#ipc-streaming-format): a batch for each call. */
import {
  AsyncByteQueue,
  Field,
  Float64,
  RecordBatchStreamWriter,
  Schema,
  Table,
  TimestampMillisecond,
  Utf8,
  type Vector,
  vectorFromArray,
} from 'apache-arrow';
import { type ColumnType, cellsAt, type EncoderOf } from './encoder.ts';

const typeOf = (type: ColumnType) => {
  if (type === 'time') return new TimestampMillisecond('UTC');
  return type === 'text' ? new Utf8() : new Float64();
};

/** Collects what is written until it is taken. */
class Bytes extends AsyncByteQueue {
  #chunks: Uint8Array[] = [];

  override write(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
  }

  take(): Uint8Array {
    const all = Buffer.concat(this.#chunks);
    this.#chunks = [];
    return all;
  }
}

export const arrow: EncoderOf = (columns) => {
  const fields = columns.map(({ name, type }) => new Field(name, typeOf(type), true));
  const schema = new Schema(fields);
  const bytes = new Bytes();
  const writer = new RecordBatchStreamWriter({ autoDestroy: false });
  writer.reset(bytes, schema);
  return {
    rows(rows) {
      const vectors = fields.map(({ name, type }, at): [string, Vector] => [
        name,
        vectorFromArray(cellsAt(rows, at), type),
      ]);
      const table = new Table(schema, Object.fromEntries(vectors));
      // Given the table itself the writer ends its stream after it.
      for (const batch of rows.length > 0 ? table.batches : []) writer.write(batch);
      return bytes.take();
    },
    end() {
      writer.finish();
      return bytes.take();
    },
  };
};
