/** JSON of others, of bodies and messages: refused where it is nested more deeply, or holds more values, than any answer of an upstream. */

/** Deepest nesting: the deepest answers that upstreams document have about ten levels. */
export const deepest = 64;
/** Most values: an empty object is two characters and takes about 56 bytes. */
export const maxValues = 2_000_000;
/** A text of no more characters is harmless, whatever it contains. */
const harmless = 4_096;

const [quote, comma, backslash] = [34, 44, 92];
/** `[` and `{`; `]` and `}`. */
const isOpening = (code: number): boolean => code === 91 || code === 123;
const isClosing = (code: number): boolean => code === 93 || code === 125;

/** Index of the quote that ends the string which begins at `from`; the length of the text where none does. */
function endOfString(text: string, from: number): number {
  let end = text.indexOf('"', from + 1);
  for (; end > 0 && text.charCodeAt(end - 1) === backslash; end = text.indexOf('"', end + 1)) {
    let first = end - 1;
    while (text.charCodeAt(first - 1) === backslash) first--;
    if ((end - first) % 2 === 0) break;
  }
  return end < 0 ? text.length : end;
}

/** Why the text takes more memory than it may, before it is parsed; null for one that does not. Does not judge the syntax. */
export function excessOf(text: string): string | null {
  let [depth, reached, values] = [0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (isClosing(code)) depth--;
    else if (isOpening(code)) reached = Math.max(reached, ++depth);
    if (code === comma || isOpening(code)) values++;
  }
  if (reached > deepest) return `JSON with values nested deeper than ${deepest}`;
  return values > maxValues ? `JSON with more than ${maxValues} values` : null;
}

/** The value of a text, or why there is none. */
export function jsonIn(
  text: string,
  reader?: Parameters<typeof JSON.parse>[1],
): { value: unknown } | { fault: string } {
  const fault = text.length > harmless ? excessOf(text) : null;
  if (fault !== null) return { fault };
  try {
    return { value: JSON.parse(text, reader) };
  } catch {
    return { fault: 'not JSON' };
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
