/** Declarations as plain values, held against tables in `test/fixtures/declared`. `WRITE_DECLARED=1` writes them. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Test } from 'tap';
import type { UpstreamRequest } from '../../actors/upstream/request.ts';

const folder = new URL('../fixtures/declared/', import.meta.url);

/** Without functions, patterns as text. */
export const plain = (value: unknown): Record<string, unknown> =>
  JSON.parse(
    JSON.stringify(value, (_, inner) => {
      if (inner instanceof RegExp) return String(inner);
      if (typeof inner === 'number' && !Number.isFinite(inner)) return String(inner);
      return inner instanceof Map || inner instanceof Set ? [...inner] : inner;
    }),
  );

/** `GET spot/books x5 /api/v3/depth?limit=50 {body} optional`. */
export function line({
  method = 'GET',
  api,
  budget = 'default',
  weight = 1,
  ...more
}: UpstreamRequest) {
  const { path, query = {}, body, optional, market } = more;
  const words = Object.entries(query).map(([key, value]) => `${key}=${value}`);
  return [
    method,
    `${api}/${budget}`,
    `x${weight}`,
    [path, words.join('&')].filter(Boolean).join('?'),
    ...(body === undefined ? [] : [JSON.stringify(body)]),
    ...[market === undefined ? '' : `of ${market}`, optional ? 'optional' : ''].filter(Boolean),
  ].join(' ');
}

/** A value in one line, its numbers to ten digits. */
export const inLine = (value: unknown): string =>
  JSON.stringify(value, (_, v) => (typeof v === 'number' ? Number(v.toPrecision(10)) : v));

/** One line for each property. */
const asLines = (found: object): string =>
  `{\n${Object.entries(found)
    .map(([key, inner]) => `  ${JSON.stringify(key)}: ${JSON.stringify(inner)}`)
    .join(',\n')}\n}`;

/** `form` is how the table is written: each value on a line, or each property of the table. */
export function sameAsDeclared(
  t: Test,
  name: string,
  value: unknown,
  form: 'values' | 'properties' = 'values',
): void {
  const file = new URL(`${name}.json`, folder);
  const found = plain(value);
  if (process.env.WRITE_DECLARED) {
    mkdirSync(new URL('.', file), { recursive: true });
    const text = form === 'values' ? JSON.stringify(found, null, 2) : asLines(found);
    writeFileSync(file, `${text}\n`);
  }
  t.strictSame(found, JSON.parse(readFileSync(file, 'utf8')));
}
