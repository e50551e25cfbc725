/** How the bytes of an answer leave: whole, at the pace of the client, or without a body. */
import type { HttpResponse } from 'uWebSockets.js';
import type { Held } from './held.ts';

/**
 * Which bytes of a body are those of other answers too: all but the time and checksum at its start, all but those and some at its
 * end, or none.
 */
export type Sharing = 'most' | 'ends change' | 'none';

/** Bytes of a body that fit, with the largest head, into the 16 KiB that uWebSockets.js buffers before it writes. */
export const corkable = 8 * 1024;
/** More than the bytes that an answer changes at the start of a body, in any content coding. */
const longestOpening = 128;

/** How a large body is sent. */
interface LargeEnd {
  closing: boolean;
  sharing: Sharing;
  /** What waits for slow readers and is of this answer alone. */
  unsent: Held;
  /** The client that it is counted for; asked where it waits. */
  clientOf(res: HttpResponse): string;
}

/**
 * Sends a large body at the pace of the client, without a copy. `end` would copy the part that the socket does not
 * take, for every pipelined request again; and without an abort handler, uWebSockets.js ends the process when the
 * client has reset the connection before such an answer.
 */
export function endLarge(
  res: HttpResponse,
  body: Buffer,
  { closing, sharing, unsent, clientOf }: LargeEnd,
): void {
  if (closing) res.writeHeader('connection', 'close');
  let client: string | null = null;
  const release = () => {
    if (client !== null) unsent.release(client, body.length);
  };
  res.onAborted(release);
  const [, done] = res.tryEnd(body, body.length);
  if (done) return;
  // The bytes still to be sent must not change with the time and checksum of another answer.
  const changes = sharing === 'ends change' || res.getWriteOffset() < longestOpening;
  if (changes || sharing === 'none') {
    const holder = clientOf(res);
    if (!unsent.hold(holder, body.length)) {
      res.close();
      return;
    }
    // Once the answer has ended, no handler is called any more.
    client = holder;
  }
  const rest = changes && sharing !== 'none' ? Buffer.from(body) : body;
  res.onWritable((offset) => {
    const [ok, ended] = res.tryEnd(rest.subarray(offset), rest.length);
    if (ended) release();
    return ok;
  });
}

/**
 * Ends an answer that has no body. With any argument, endWithoutBody of this version waits for a body of that length.
 * So the answer only carries `connection: close`, and `stop` closes the connections of clients that ignore it.
 */
export function endBare(res: HttpResponse, closing: boolean): void {
  if (closing) res.writeHeader('connection', 'close');
  res.endWithoutBody();
}
