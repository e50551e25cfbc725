/** JSON of others: refused before it is parsed where its values would take far more memory than its text. */

/** Deepest nesting: the deepest answers that upstreams document have about ten levels. */
export const deepest = 64;
/** Most values: an empty object is two characters and takes about 56 bytes. */
export const mostValues = 2_000_000;

/** Why a text was not parsed; `too_large` for too many values. */
export type JsonFault = { code: 'shape' | 'too_large'; message: string };

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
  if (reached > deepest) return { code: 'shape', message: `values nested deeper than ${deepest}` };
  if (values <= mostValues) return null;
  return { code: 'too_large', message: `more than ${mostValues} values` };
}
