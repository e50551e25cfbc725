/** x^8 modulo the polynomial of CRC-32: the factor of a checksum per appended byte. Bits are reflected. */
const oneByte = 0x00800000;
const one = 0x80000000;
const polynomial = 0xedb88320;

/** a(x) · b(x) modulo the polynomial, as `multmodp` in zlib's crc32.c. */
function multiply(a: number, b: number): number {
  let product = 0;
  let factor = b;
  for (let bit = one; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= factor;
    factor = (factor & 1) === 0 ? factor >>> 1 : (factor >>> 1) ^ polynomial;
  }
  return product >>> 0;
}

/**
 * The checksum of two parts from theirs: `crc32Joiner(b.length)(crc32(a), crc32(b))` is `crc32(a + b)`, without reading
 * the parts again (`crc32_combine` of zlib, which Node.js does not offer).
 */
export function crc32Joiner(length: number): (first: number, second: number) => number {
  let shift = one;
  let power = oneByte;
  for (let left = length; left > 0; left >>>= 1) {
    if ((left & 1) === 1) shift = multiply(shift, power);
    power = multiply(power, power);
  }
  return (first, second) => (multiply(shift, first) ^ second) >>> 0;
}
