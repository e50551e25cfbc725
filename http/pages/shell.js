/**
 * A text as one word of a POSIX shell, which evaluates nothing in it.
 * @param {string} text
 */
export const shell = (text) => `'${text.replaceAll("'", `'\\''`)}'`;
