/**
 * The readers of what upstreams send: JSON, and the values in it. Venues send numbers as numbers or as strings, and nothing as
 * null, as an absent key or as an empty string; `Number('')` is 0, so nothing else may read a number. JSON is refused where it is
 * nested more deeply, or holds more values, than any answer of an upstream.
 */
import { day } from '../config/time.ts';
import { ShapeError } from './failure.ts';

/** Whether a character may begin or end a decimal number: a digit, a sign or a point. */
const isDecimal = (code: number): boolean => code >= 43 && code <= 57;

/**
 * Whether a text is written as a decimal number, as far as `Number` does not see to that: it also reads space around a
 * number, the empty text, and hexadecimal, octal and binary text, which no upstream means.
 */
function isWritten(value: string): boolean {
  const second = value.charCodeAt(1) | 32;
  const isOtherBase = second === 120 || second === 111 || second === 98;
  return (
    isDecimal(value.charCodeAt(0)) && isDecimal(value.charCodeAt(value.length - 1)) && !isOtherBase
  );
}

const finite = (value: unknown): number => {
  const number = typeof value === 'string' && isWritten(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : Number.NaN;
};

/** A number that must be there and be positive (a price, a contract size); NaN when it is not: drop the row. */
export const positive = (value: unknown): number => {
  const number = finite(value);
  return number > 0 ? number : Number.NaN;
};

/** A number that must be there, with a real zero and a real sign; NaN when it is not: drop the row. */
export const required = finite;

/** A number that may be absent, with a real zero; null when absent or unreadable. */
export const optional = (value: unknown): number | null => {
  const number = finite(value);
  return Number.isNaN(number) ? null : number;
};

/** A number that may be absent and that the venue writes as 0 when it is; null then. */
export const optionalNonZero = (value: unknown): number | null => {
  const number = finite(value);
  return Number.isNaN(number) || number === 0 ? null : number;
};

/** Whether a number of these readers could be read; what is made of the largest ones may be infinite. */
export const isNumber = (number: number): boolean => Number.isFinite(number);

/** Whether a number is whole and as it was sent: above 2^53 it may have been rounded. */
export const isExact = (value: unknown): value is number => Number.isSafeInteger(value);

/** 2009-01-01, the year of the first Bitcoin block, Unix ms: no upstream has market data from before it. */
export const firstTime = 1_230_768_000_000;

/**
 * A time that may be absent, as Unix ms: a whole number between 2009-01-01 and a day after `now`; null when absent or
 * unreadable. `unit` is the wire's unit in ms: 1000 for seconds, 1e-3 for microseconds, 1e-6 for nanoseconds; a
 * fraction of a millisecond that such a unit brings is cut off.
 */
export const time = (value: unknown, unit = 1, now = Number.POSITIVE_INFINITY): number | null => {
  // The product may be less than the whole number that is meant, by 2^-12 at most.
  const at = unit === 1 ? finite(value) : Math.floor(finite(value) * unit + 0.001);
  return Number.isInteger(at) && at >= firstTime && at <= now + day ? at : null;
};

/** A non-empty string, or ''. */
export const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** True for a JSON object; arrays are not. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A row of a body, object or array; nothing is known of its values. */
export type WireRow = Readonly<Record<string | number, unknown>>;
type Key = string | number;

/** Whether a value is an object or an array. */
export const isRow = (value: unknown): value is WireRow =>
  typeof value === 'object' && value !== null;
const noRow: WireRow = {};
/** The value as a row; one without anything where it is none. */
export const asRow = (value: unknown): WireRow => (isRow(value) ? value : noRow);

/** The value as a list, which may be empty, or ShapeError. */
export function list(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new ShapeError(`${what}: not a list`);
  return value;
}

/**
 * The value as the list of everything that a venue has. A venue always has something, so an empty list is a ShapeError
 * too.
 */
export function bulk(value: unknown, what: string): readonly unknown[] {
  const rows = list(value, what);
  if (rows.length === 0) throw new ShapeError(`${what}: an empty list`);
  return rows;
}

/** The value at `key` of a body that must be an object or array, or ShapeError. */
export function field(body: unknown, key: Key): unknown {
  if (!isRow(body)) throw new ShapeError(`${key}: no object to hold it`);
  return body[key];
}

/** The value at a path of keys joined by points, the body itself at ''; ShapeError where an object on the way is missing. */
export const at = (body: unknown, path: string): unknown =>
  path === '' ? body : path.split('.').reduce(field, body);

/** Deepest nesting: V8 takes seconds for millions of arrays in each other. Texts hold no thousand brackets that are never closed. */
export const deepest = 1_000;
/** Most values: an empty object is two characters and takes about 56 bytes. */
export const maxValues = 2_000_000;
/** A text of no more characters is harmless, whatever it contains: arrays in each other take 0.15 s. */
const harmless = 2 ** 20;

const comma = 44;
/** `[` and `{`; `]` and `}`. */
const isOpening = (code: number): boolean => code === 91 || code === 123;
const isClosing = (code: number): boolean => code === 93 || code === 125;

/** Why a text takes more time or memory than it may, before it is parsed; null for one that does not. Does not judge the syntax. */
function excessOf(text: string): string | null {
  let [depth, reached, values] = [0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isClosing(code)) depth--;
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
