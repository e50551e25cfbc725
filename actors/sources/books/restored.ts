/** Books as recordings have them: `npm run replay` sends one where a stream has begun before the recording. */
import { isRecord } from '../../read.ts';
import type { BookLine } from '../recording/format.ts';
import type { MarketUpdate } from '../streams/stream.ts';

/** Whether a message of a gateway is the book of a recording; no exchange sends such. */
export const isRecordedBook = (message: unknown): message is BookLine =>
  isRecord(message) && message.kind === 'book' && Array.isArray(message.edges);

/** The book as the message that replaces what there was. */
export function restoredBook({ last, market, bids, asks, edges, stated }: BookLine): MarketUpdate {
  const number = typeof last === 'string' ? BigInt(last) : (last ?? undefined);
  return { kind: 'snapshot', market, bids, asks, edges, last: number, stated };
}
