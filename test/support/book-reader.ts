/** Reads the messages of a stream of books as its actor does. */
import type { BookSet } from '../../actors/sources/books/book-set.ts';
import type { InstrumentMap } from '../../actors/sources/define.ts';
import type { Counter } from '../../actors/sources/status/status.ts';
import type { Connection } from '../../actors/sources/streams/connection.ts';
import type { BookStream } from '../../actors/sources/streams/stream.ts';

interface Read {
  set: BookSet;
  stream: BookStream;
  counter: Counter;
  markets?: InstrumentMap;
}

/** Gives a message to the books; one that cannot be read is counted. */
export const bookReader =
  ({ set, stream, counter, markets = new Map() }: Read) =>
  (message: unknown, by: Pick<Connection, 'send'>, now: number): void => {
    try {
      const found = stream.parse(message, { received: now, instruments: markets, connection: by });
      if (found) set.take(found, by, now);
    } catch {
      counter.add('bad_message');
    }
  };
