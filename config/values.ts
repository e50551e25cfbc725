/** What values from outside are: of JSON, and names that people give. */

/** Whether a value of JSON is an object. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Control and line-breaking characters, lone surrogates, and characters that reverse the direction of text. */
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_C}]/u;

/** A name without the blanks around it; null where it is empty then, longer than so many characters, or cannot be shown. */
export function nameIn(text: string, longest: number): string | null {
  const name = text.trim();
  const isGood = name !== '' && [...name].length <= longest && !unprintable.test(name);
  return isGood ? name : null;
}
