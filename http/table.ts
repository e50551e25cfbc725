import type { Route } from './routes/route.ts';
import { pathNames } from './validate.ts';

/**
 * Throws when the table cannot be served: two rows for one method and path, a path parameter that is not
 * declared as required, or a row behind a credential, which nothing here checks.
 */
export function assertServable(routes: readonly Route[]): void {
  const seen = new Set<string>();
  for (const { method, path, params, access } of routes) {
    const name = `${method} ${path}`;
    if (seen.has(name)) throw new Error(`${name} is in the table twice`);
    seen.add(name);
    const loose = pathNames(path).find((parameter) => params[parameter]?.required !== true);
    if (loose !== undefined) throw new Error(`${name}: declare ${loose} as a required parameter`);
    if (access !== 'open') throw new Error(`${name}: nothing checks ${access} access`);
  }
}

/** Rows by path. */
export function rowsByPath(routes: readonly Route[]): Map<string, Route[]> {
  const paths = new Map<string, Route[]>();
  for (const row of routes) paths.set(row.path, [...(paths.get(row.path) ?? []), row]);
  return paths;
}

/** The value of `Allow` for the rows of one path: HEAD comes with GET, OPTIONS is always there. */
export const allowOf = (rows: readonly Pick<Route, 'method'>[]): string =>
  [...methodsOf(rows), 'OPTIONS'].join(', ');

/** What a preflight grants: every method of the path to a listed origin, reading only where any origin may come. */
export const grantOf = (rows: readonly Pick<Route, 'method'>[], anyOrigin: boolean): string =>
  methodsOf(anyOrigin ? rows.filter(({ method }) => method === 'GET') : rows).join(', ');

const methodsOf = (rows: readonly Pick<Route, 'method'>[]): string[] =>
  rows.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
