import type { Route } from './route.ts';
import { pathNames } from './validate.ts';

/** The fault of a row, or null. `gated`: the server checks credentials. */
function faultOf({ path, params, access, body, from }: Route, gated: boolean): string | null {
  const loose = pathNames(path).find((parameter) => params[parameter]?.required !== true);
  if (loose !== undefined) return `declare ${loose} as a required parameter`;
  // Without a gate all data is open, but the data of an account cannot be.
  if (access === 'bearer' && !gated) return 'nothing checks bearer access';
  return body !== undefined && !('act' in from) ? 'only an act takes a body' : null;
}

/**
 * Throws when the table cannot be served: two rows for one method and path, a path parameter that is not declared as
 * required, a row with bearer access without a gate, or a body on a row that is not an act.
 */
export function assertServable(routes: readonly Route[], { gated }: { gated: boolean }): void {
  const seen = new Set<string>();
  for (const row of routes) {
    const name = `${row.method} ${row.path}`;
    if (seen.has(name)) throw new Error(`${name} is in the table twice`);
    seen.add(name);
    const fault = faultOf(row, gated);
    if (fault !== null) throw new Error(`${name}: ${fault}`);
  }
}

/** Rows by path. */
export function rowsByPath(routes: readonly Route[]): Map<string, Route[]> {
  const paths = new Map<string, Route[]>();
  for (const row of routes) paths.set(row.path, [...(paths.get(row.path) ?? []), row]);
  return paths;
}

/** The value of `Allow` for the rows of one path: HEAD with GET, and always OPTIONS. */
export const allowOf = (rows: readonly Pick<Route, 'method'>[]): string =>
  [...methodsOf(rows), 'OPTIONS'].join(', ');

/** Methods that a preflight allows: all methods of the path to a listed origin, only reading to any origin. */
export const grantOf = (rows: readonly Pick<Route, 'method'>[], anyOrigin: boolean): string =>
  methodsOf(anyOrigin ? rows.filter(({ method }) => method === 'GET') : rows).join(', ');

const methodsOf = (rows: readonly Pick<Route, 'method'>[]): string[] =>
  rows.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
