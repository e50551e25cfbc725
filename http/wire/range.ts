/** Ranges of bytes (RFC 9110, 14). */

/** The bytes from one to another, both included. */
export interface ByteRange {
  from: number;
  to: number;
}

/**
 * The range that a `Range` header asks for of so many bytes; null where it is none that is understood (several ranges, other
 * units), so that the whole is sent; `outside` where it has none of the bytes.
 */
export function rangeOf(header: string, size: number): ByteRange | null | 'outside' {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/i.exec(header.replaceAll(' ', '')) ?? [];
  if (first === undefined || last === undefined || first + last === '') return null;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'outside' : { from: size - length, to: size - 1 };
  }
  const from = Number(first);
  if (last !== '' && Number(last) < from) return null;
  if (from >= size) return 'outside';
  return { from, to: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}
