/** The form of a setting, and the readers of its text. */

/** One environment variable: its reader, its default, and its documentation. */
export interface Row<T> {
  env: string;
  /** Turns the text into a value or throws an Error whose message names the allowed values. */
  read(text: string): T;
  fallback: T;
  /** The default as the documentation shows it, where the value itself would be unclear. */
  shown?: string;
  doc: string;
  /** Never logged or printed. */
  secret?: true;
  /** Takes the path of a file itself, for its text may change. */
  byPath?: true;
}

/** Declares a row. */
export const row = <T>(definition: Row<T>): Row<T> => definition;

/** A whole number within bounds. */
export const whole = (min: number, max: number) => (text: string) => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max) {
    throw new Error(`a whole number from ${min} to ${max}`);
  }
  return value;
};

/** One of the words. */
export const oneOf =
  <const T extends string>(...values: T[]) =>
  (text: string): T => {
    const found = values.find((value) => value === text);
    if (found === undefined) throw new Error(`one of ${values.join(', ')}`);
    return found;
  };

/** A URL of one of the protocols, without a slash at its end. */
export const url =
  (...protocols: string[]) =>
  (text: string): string => {
    const allowed = protocols.map((p) => `${p}//`).join(' or ');
    if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) {
      throw new Error(`a URL that begins with ${allowed}`);
    }
    return text.replace(/\/$/, '');
  };

/** Yes or no. */
export const flag = (text: string): boolean => {
  if (text === '1' || text === 'true') return true;
  if (text === '0' || text === 'false') return false;
  throw new Error('1, 0, true or false');
};

/** An RFC 9116 contact. */
export const contact = (text: string): string => {
  const address = URL.canParse(text) ? new URL(text) : null;
  if (address === null || !/^(mailto|https):$/.test(address.protocol) || /\s/.test(text)) {
    throw new Error('an address that begins with mailto: or https://');
  }
  return text;
};

/** Any text but blanks. */
export const nonEmpty = (text: string): string => {
  if (text.trim() === '') throw new Error('text that is not empty');
  return text;
};

const token = (text: string): string => {
  if (!/^[!-~]+$/.test(text)) throw new Error('visible ASCII characters without blanks');
  return text;
};

/** A key of another service, which goes into a header. */
export const key = (env: string, doc: string): Row<string | null> =>
  row<string | null>({ env, read: token, fallback: null, shown: 'none', doc, secret: true });

/** The name of something, as a part of keys in Redis. */
export const name = (text: string): string => {
  if (!/^[\w.:-]{1,64}$/.test(text))
    throw new Error('up to 64 letters, digits, ".", ":", "_" or "-"');
  return text;
};

/** A comma-separated list. */
export const words = (text: string): string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
