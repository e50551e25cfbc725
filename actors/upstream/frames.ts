/** The frames of a WebSocket as text. */
import { gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { jsonIn } from './json.ts';

/** How an upstream compresses its binary frames: not at all, with gzip, or with deflate, with or without zlib's header. */
export type Codec = 'text' | 'gzip' | 'deflate';

/** The two bytes of zlib's header: method 8, and a multiple of 31. https://www.rfc-editor.org/rfc/rfc1950#section-2.2 */
const hasHeader = (bytes: Uint8Array): boolean => {
  const [first = 0, second = 0] = bytes;
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
};

/**
 * Room in bytes for what a gzip frame holds, by the length that stands at its end, which is believed up to a bound: zlib takes
 * 16 KB for each frame else, most of which are far smaller. https://www.rfc-editor.org/rfc/rfc1952#section-2.3.1
 */
const roomFor = (bytes: Buffer): number =>
  Math.min(Math.max(64, bytes.readUInt32LE(bytes.length - 4) + 1), 65_536);

function inflated(codec: Codec, bytes: Buffer, maxOutputLength: number): Buffer {
  if (codec === 'text') return bytes;
  if (codec === 'gzip') return gunzipSync(bytes, { maxOutputLength, chunkSize: roomFor(bytes) });
  return (hasHeader(bytes) ? inflateSync : inflateRawSync)(bytes, { maxOutputLength });
}

/**
 * The text of a frame; null for a binary frame that is not of the codec or holds more than `maxBytes`. A text frame
 * is what it is under every codec.
 */
export function textOf(data: string | ArrayBuffer, codec: Codec, maxBytes: number): string | null {
  if (typeof data === 'string') return data;
  try {
    return inflated(codec, Buffer.from(data), maxBytes).toString();
  } catch {
    return null;
  }
}

/** The text of bytes that stand in base 64 in a message, read as those of a binary frame; null as there. */
export const textInBase64 = (base64: string, codec: Codec, maxBytes: number): string | null =>
  textOf(Uint8Array.from(Buffer.from(base64, 'base64')).buffer, codec, maxBytes);

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
