/**
 * Compressed forms of bodies whose opening changes with every answer. In each form the opening is an uncompressed block
 * of its own, so that it can be overwritten; the rest is compressed once. Each form is one gzip member or one zstd frame:
 * clients that stop after the first one (curl, browsers) read all of it.
 */
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { crc32Joiner } from './crc32.ts';

/** Content codings, the preferred first. Their sizes are about equal here; the order is that of their cost. */
export const encodings = ['zstd', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

export interface Packed {
  bytes: Buffer;
  /** Offset of the opening in `bytes`. */
  place: number;
  /** Call it when the opening in `bytes` has changed; null when no other byte depends on it. */
  seal: (() => void) | null;
}

const { constants } = zlib;
const deflateRaw = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.deflateRaw);
const zstdCompress = promisify<Buffer, zlib.ZstdOptions, Buffer>(zlib.zstdCompress);

/** RFC 1952: a header that states deflate and an unknown system, nothing else. */
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);

/** A stored block (RFC 1951, 3.2.4), then blocks that were deflated without it; the checksums of both are combined. */
async function gzip(opening: Buffer, rest: Buffer): Promise<Packed> {
  const stored = Buffer.alloc(5);
  stored.writeUInt16LE(opening.length, 1);
  stored.writeUInt16LE(0xffff - opening.length, 3);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(opening.length + rest.length, 4);
  const deflated = await deflateRaw(rest, { level: 6 });
  const bytes = Buffer.concat([gzipHeader, stored, opening, deflated, trailer]);
  const place = gzipHeader.length + stored.length;
  const changing = bytes.subarray(place, place + opening.length);
  const sum = zlib.crc32(rest);
  const join = crc32Joiner(rest.length);
  const seal = () => {
    bytes.writeUInt32LE(join(zlib.crc32(changing), sum), bytes.length - trailer.length);
  };
  seal();
  return { bytes, place, seal };
}

/** Of 2 MB: browsers refuse windows above 8 MB (RFC 9659), as that of one segment would be. */
const windowLog = 21;
/** Magic number, a descriptor (four bytes of content size, no checksum), and the window (RFC 8878, 3.1.1.1). */
const zstdHeader = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x80, (windowLog - 10) << 3]);

/** Bytes of a frame's header, by its descriptor. */
function zstdHeaderLength(frame: Buffer): number {
  const descriptor = frame.readUInt8(4);
  const single = (descriptor >> 5) & 1;
  const sizeFlag = descriptor >> 6;
  return 5 + (1 - single) + (sizeFlag === 0 ? single : 1 << sizeFlag);
}

/** A raw block (RFC 8878, 3.1.1.2) in front of the blocks of the rest's own frame, under a header for both. */
async function zstd(opening: Buffer, rest: Buffer): Promise<Packed> {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(opening.length + rest.length);
  const raw = Buffer.alloc(3);
  raw.writeUIntLE(opening.length << 3, 0, 3);
  const frame = await zstdCompress(rest, {
    params: {
      [constants.ZSTD_c_compressionLevel]: 3,
      [constants.ZSTD_c_checksumFlag]: 0,
      [constants.ZSTD_c_windowLog]: windowLog,
    },
  });
  const blocks = frame.subarray(zstdHeaderLength(frame));
  const bytes = Buffer.concat([zstdHeader, size, raw, opening, blocks]);
  return { bytes, place: zstdHeader.length + size.length + raw.length, seal: null };
}

const forms = { zstd, gzip };

/** Most compressions at once in this process; each is a job of libuv's thread pool. */
const mostOpen = 32;
let open = 0;

/**
 * Compresses in the background. `opening` is not compressed: it may be overwritten in the result. `rest` is not copied. Null when
 * too many compressions are under way.
 */
export function compress(
  encoding: Encoding,
  opening: Buffer,
  rest: Buffer,
): Promise<Packed> | null {
  if (open >= mostOpen) return null;
  open += 1;
  return forms[encoding](opening, rest).finally(() => {
    open -= 1;
  });
}
