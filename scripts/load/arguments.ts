/** Arguments that cannot be used; the message names the option and what is allowed. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** Reads a whole number from `min` to `max`, both included. */
export function whole(option: string, text: string, [min, max]: readonly [number, number]): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max) {
    throw new UsageError(`--${option}: ${text} is not a whole number from ${min} to ${max}`);
  }
  return value;
}

/** Reads the address of a server: a scheme of `protocols`, a host, maybe a port, and nothing after them. */
export function origin(option: string, text: string, protocols: readonly string[]): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const bare = url !== null && url.pathname === '/' && url.search === '' && url.username === '';
  if (url === null || !bare || !protocols.includes(url.protocol)) {
    const allowed = protocols.map((protocol) => `${protocol}//HOST[:PORT]`).join(' or ');
    throw new UsageError(`--${option}: ${text} is not ${allowed}`);
  }
  return url;
}

/** What `parseArgs` throws for options that do not exist or lack their value. */
export const isUsage = (error: unknown): error is Error =>
  error instanceof UsageError ||
  (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_'));
