/** ccxt as the second reader of recorded answers; it never touches the network. */
import type { Exchange, exchanges } from 'ccxt';

/** What ccxt calls an exchange. */
export type Library = keyof typeof exchanges;

/**
 * The body of the answer to a request: `path` as ccxt writes it, with `{…}` where it puts one of `params`. It throws
 * where nothing is recorded.
 */
export type Answer = (path: string, params: Readonly<Record<string, unknown>>) => unknown;

/** The library without markets, every request answered by `answer`. */
export async function offline(library: Library, answer = byPath({})): Promise<Exchange> {
  const { default: ccxt } = await import('ccxt');
  const exchange: Exchange = new ccxt[library]();
  const request = async (path: string, _api: string, _method: string, params = {}) =>
    structuredClone(answer(path, params));
  return Object.assign(exchange, { request });
}

/** The same with the markets that it reads from its own list requests. */
export async function replayed(library: Library, answer: Answer): Promise<Exchange> {
  const exchange = await offline(library, answer);
  exchange.setMarkets(await exchange.fetchMarkets());
  return exchange;
}

/** The library with the markets of rows, without requests; `options` are what it would have loaded before. */
export async function listing(
  library: Library,
  rows: readonly Record<string, unknown>[],
  options: Readonly<Record<string, unknown>> = {},
): Promise<Exchange> {
  const exchange = await offline(library);
  Object.assign(exchange.options, options);
  exchange.setMarkets(rows.map((row) => exchange.parseMarket(row)));
  return exchange;
}

/** What the library makes of a body that answers the only request of `call`. */
export async function answered<T>(
  exchange: Pick<Exchange, 'request'>,
  body: unknown,
  call: () => Promise<T>,
): Promise<T> {
  const { request } = exchange;
  Object.assign(exchange, { request: async () => structuredClone(body) });
  try {
    return await call();
  } finally {
    Object.assign(exchange, { request });
  }
}

/** Answers by the end of the path; of two ends that fit, by the longer one. */
export function byPath(bodies: Readonly<Record<string, unknown>>): Answer {
  const ends = Object.entries(bodies).sort(([a], [b]) => b.length - a.length);
  return (path) => {
    const found = ends.find(([end]) => path.endsWith(end));
    if (!found) throw new Error(`nothing recorded for ${path}`);
    return found[1];
  };
}
