/** The frames of a WebSocket as text. */
import { gunzipSync } from 'node:zlib';
import { jsonIn } from './json.ts';

/** The first two bytes of gzip, which no text begins with. https://www.rfc-editor.org/rfc/rfc1952#section-2.3.1 */
const isGzip = ([first, second]: Uint8Array): boolean => first === 0x1f && second === 0x8b;

/**
 * Room in bytes for what a gzip frame holds, by the length that stands at its end, which is believed up to a bound: zlib takes
 * 16 KB for each frame else, most of which are far smaller.
 */
const roomFor = (bytes: Buffer): number =>
  Math.min(Math.max(64, bytes.readUInt32LE(bytes.length - 4) + 1), 65_536);

/** The text of a frame, which is text or gzip; null for gzip that is damaged or holds more than `maxOutputLength` bytes. */
export function textOf(bytes: Buffer, maxOutputLength: number): string | null {
  if (!isGzip(bytes)) return bytes.toString();
  try {
    return gunzipSync(bytes, { maxOutputLength, chunkSize: roomFor(bytes) }).toString();
  } catch {
    return null;
  }
}

/** Digits of the least number that a double may not hold. */
const wideNumber = /[:,[]\s*-?\d{16}/;

/** A whole number that a double does not hold, as the digits that were sent. */
const exact = (_: string, value: unknown, { source }: { source?: string } = {}): unknown =>
  typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
    ? (source ?? value)
    : value;

function parsed(text: string, reader?: typeof exact): unknown {
  const found = jsonIn(text, reader);
  return 'value' in found ? found.value : text;
}

/** A message as JSON, or as the text that it is; JSON that would take too much memory stays a text. */
export const messageOf = (text: string): unknown => parsed(text);

/** As `messageOf`, but whole numbers above 2^53 are texts: `JSON.parse` would round them. */
export const wideMessageOf = (text: string): unknown =>
  parsed(text, wideNumber.test(text) ? exact : undefined);
