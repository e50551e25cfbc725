/** A text as one word of a POSIX shell, which evaluates nothing in it. */
export const shell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
