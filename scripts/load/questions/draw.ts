import type { Operation, Parameter } from '../fuzz/api.ts';
import type { Random } from '../fuzz/random.ts';

/** The endpoints that ask exchanges when a client asks, and those of polled lists beside them. */
const paths: ReadonlySet<string> = new Set([
  ...['top-traders', 'taker-volume'].map((name) => `/v1/analytics/${name}`),
  ...['long-short', 'taker-volume', 'top-traders', 'funding-history'].map(
    (name) => `/v1/analytics/okx/${name}`,
  ),
  ...['long-short', 'oi-history', 'funding-history'].map((name) => `/v1/analytics/bybit/${name}`),
  ...['elite-account-ratio', 'elite-position-ratio', 'funding-history'].map(
    (name) => `/v1/analytics/htx/${name}`,
  ),
  ...['clearinghouse', 'vault', 'funding-history'].map(
    (name) => `/v1/analytics/hyperliquid/${name}`,
  ),
  ...['open-interest', 'funding-rates', 'mark-prices', 'depth'].map(
    (name) => `/v1/analytics/kraken/${name}`,
  ),
  ...['top-accounts', 'top-positions', 'taker-buysell-ratio', 'net-position'].map(
    (name) => `/v1/long-short-ratio/${name}`,
  ),
  ...['taker-buysell/history', 'cvd/history', 'netflow'].map((name) => `/v1/spot/${name}`),
  ...['taker-buysell', 'cvd/history', 'cvd/aggregated', 'netflow'].map(
    (name) => `/v1/futures/${name}`,
  ),
]);

/** Those of the operations that questions are drawn from. Throws when one of them is missing. */
export function questionOperations(all: readonly Operation[]): [Operation, ...Operation[]] {
  const [first, ...others] = all.filter((one) => one.method === 'GET' && paths.has(one.path));
  if (first === undefined || others.length + 1 < paths.size) {
    throw new Error(`the API description has not all of the ${paths.size} endpoints`);
  }
  return [first, ...others];
}

type Symbols = readonly [string, ...string[]];

/** The value of a parameter in one question; null for its default. */
function chosen(
  random: Random,
  { name, good, listed, required }: Parameter,
  symbols: Symbols,
): string | null {
  if (name === 'symbol') return random.pick(symbols);
  const [first, ...others] = listed;
  if (first !== undefined) return random.pick([first, ...others]);
  // Ranges end now, so that equal questions are equal.
  return required || name === 'address' ? good : null;
}

/** A question: path and query of one of the operations, with any symbol and any of each parameter's listed values. */
export function draw(
  random: Random,
  operations: readonly [Operation, ...Operation[]],
  symbols: Symbols,
): string {
  const { path, parameters } = random.pick(operations);
  const query = new URLSearchParams();
  for (const parameter of parameters) {
    const value = chosen(random, parameter, symbols);
    if (value !== null) query.set(parameter.name, value);
  }
  return `${path}?${query}`;
}
