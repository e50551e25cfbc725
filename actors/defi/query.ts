/** Validation of search texts and token addresses. */

/** Most characters of a search. */
export const searchLimit = 100;
/** The form that `searchText` allows, for the error that names `q`. */
export const searchRule = `1 to ${searchLimit} characters, none of them a control character`;

/**
 * The text to search for: trimmed, with single spaces. Null where it is empty, longer than `searchLimit` characters
 * or holds control characters. Case is kept: addresses of solana depend on it.
 */
export function searchText(q: string): string | null {
  if (q.length > 4 * searchLimit || !q.isWellFormed()) return null;
  const found = q.trim().replaceAll(/ +/g, ' ');
  const { length } = [...found];
  return length >= 1 && length <= searchLimit && !/\p{Cc}/u.test(found) ? found : null;
}

/** The form that `tokenAddress` allows, for the error that names `address`. */
export const addressRule =
  '0x and 1 to 64 hexadecimal digits, where a chain has them followed by ::module::Name, or 3 to 128 letters, digits and . _ : -';

const hexadecimal = /^0x[0-9a-f]{1,64}(::\w{1,64}::\w{1,64})?$/i;
const other = /^[a-z0-9][\w.:-]{2,127}$/i;

/**
 * A token's address on any chain, or null where it can be none. Addresses of EVM chains (40 digits) are given back in
 * lower case, so that all of their spellings share one answer; all others as they are.
 */
export function tokenAddress(address: string): string | null {
  if (/^0x/i.test(address)) {
    if (!hexadecimal.test(address)) return null;
    return address.length === 42 ? address.toLowerCase() : address;
  }
  return other.test(address) ? address : null;
}
