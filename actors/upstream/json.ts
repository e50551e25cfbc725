/** JSON of others: refused where its values take far more memory than its text, or are nested more deeply than any answer. */

/** Deepest nesting: the deepest answers that upstreams document have about ten levels. */
export const deepest = 64;
/** Most values: an empty object is two characters and takes about 56 bytes. */
export const maxValues = 2_000_000;

/** Why a text was not taken; `too_large` for too many values. */
export type JsonFault = { code: 'shape' | 'too_large'; message: string };

/** An object or array. */
type Nested = Readonly<Record<string, unknown>>;
const isNested = (value: unknown): value is Nested => typeof value === 'object' && value !== null;

const tooDeep: JsonFault = {
  code: 'shape',
  message: `JSON with values nested deeper than ${deepest}`,
};
const notJson: JsonFault = { code: 'shape', message: 'not JSON' };

const quote = 34;
const comma = 44;
const backslash = 92;
/** `[` and `{`; `]` and `}`. */
const isOpening = (code: number): boolean => code === 91 || code === 123;
const isClosing = (code: number): boolean => code === 93 || code === 125;

/**
 * Index of the quote that ends the string which begins at `from`; the length of the text where none does. Few strings
 * have escapes, and the engine finds the end of the others much faster than a loop does.
 */
function endOfString(text: string, from: number): number {
  const end = text.indexOf('"', from + 1);
  if (end < 0) return text.length;
  if (text.charCodeAt(end - 1) !== backslash) return end;
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return at;
    if (code === backslash) at++;
  }
  return text.length;
}

/**
 * Whether the values of a text are too many or nested too deeply; null when they are not. Does not judge the syntax. A
 * comma and an opening bracket each stand for a value.
 */
export function jsonFault(text: string): JsonFault | null {
  let depth = 0;
  let reached = 0;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (isClosing(code)) depth--;
    else if (isOpening(code)) reached = Math.max(reached, ++depth);
    if (code === comma || isOpening(code)) values++;
  }
  if (reached > deepest) return tooDeep;
  if (values <= maxValues) return null;
  return { code: 'too_large', message: `JSON with more than ${maxValues} values` };
}

/**
 * Whether an object or array of JSON.parse is nested in more than `levels` levels. Rows hold few objects and many plain
 * values, so that this takes a fraction of reading their text.
 */
export function isDeeper(row: Nested, levels: number): boolean {
  if (levels === 0) return true;
  if (Array.isArray(row)) {
    for (const inner of row) if (isNested(inner) && isDeeper(inner, levels - 1)) return true;
    return false;
  }
  for (const key in row) {
    const inner = row[key];
    if (isNested(inner) && isDeeper(inner, levels - 1)) return true;
  }
  return false;
}

/** The value of a text. A text of no more characters than `mostValues` cannot hold more values, and is parsed first. */
export function jsonIn(text: string): { value: unknown } | JsonFault {
  const fault = text.length > maxValues ? jsonFault(text) : null;
  if (fault) return fault;
  try {
    const value: unknown = JSON.parse(text);
    return isNested(value) && isDeeper(value, deepest) ? tooDeep : { value };
  } catch {
    return notJson;
  }
}
