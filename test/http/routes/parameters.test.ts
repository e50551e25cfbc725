/** Every row takes what docs/endpoints.md says of its parameters: read as a client reads it, and asked of the check. */
import { readFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import { venues } from '../../../actors/venues/registry.ts';
import type { Param, Route } from '../../../http/endpoints/route.ts';
import { createCheck, pathNames } from '../../../http/endpoints/validate.ts';
import { allRoutes } from '../../../http/routes/index.ts';
import { isApiError } from '../../../http/wire/errors.ts';
import { rowsOf, usualOf } from '../../support/route-stage.ts';

/** A line of the table of an endpoint. */
interface Stated {
  name: string;
  value: string;
  allowed: string;
}

const page = readFileSync(new URL('../../../docs/endpoints.md', import.meta.url), 'utf8');
const sections = page.split('\n### ').slice(1);
const stated = new Map<string, Stated[]>(
  sections.map((section) => {
    const [head = '', ...lines] = section.split('\n');
    const cells = lines.filter((line) => line.startsWith('| `')).map((line) => line.split(' |'));
    const bare = (text = '') => text.replaceAll('`', '').replace('|', '').trim();
    return [
      head,
      cells.map(([name, , value, allowed]) => ({
        name: bare(name),
        value: bare(value),
        allowed: bare(allowed),
      })),
    ];
  }),
);

const routes = rowsOf([allRoutes]).filter(({ params }) => Object.keys(params).length > 0);

const checks = new Map(routes.map((row) => [row, createCheck(row)]));

/** What the check of a row makes of some parameters, those that it needs beside them: the values, or the error. */
function checked(row: Route, given: Readonly<Record<string, string | undefined>>) {
  const usual = usualOf(row);
  const needed = Object.entries(row.params).filter(([, { required }]) => required);
  const all = { ...Object.fromEntries(needed.map(([name]) => [name, `${usual[name]}`])), ...given };
  const inPath = pathNames(row.path);
  const query = Object.entries(all).flatMap(([name, value]) =>
    inPath.includes(name) || value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  const check = checks.get(row);
  if (check === undefined) throw new Error(`${row.path} is none of the rows`);
  return check(
    query.join('&'),
    inPath.map((name) => encodeURIComponent(all[name] ?? '')),
  );
}

const takes = (row: Route, given: Readonly<Record<string, string | undefined>>) =>
  !isApiError(checked(row, given));

function allWords(t: Test, row: Route, { name, allowed }: Omit<Stated, 'value'>): void {
  const words = allowed.split(' ');
  t.strictSame(words, [...new Set(words)], `${row.path} ${name}: each word once`);
  for (const word of words) t.ok(takes(row, { [name]: word.toUpperCase() }), `${row.path} ${word}`);
}

/** A range such as `1 to 500` or `from 1`: its ends are taken, what lies beyond them is not. */
function bounds(t: Test, row: Route, { name, allowed }: Omit<Stated, 'value'>): void {
  const [, least = '', most] = /^(?:from )?(-?\d+)(?: to (\d+))?$/.exec(allowed) ?? [];
  const about = `${row.path} ${name} ${allowed}`;
  t.ok(takes(row, { [name]: least }) && !takes(row, { [name]: `${Number(least) - 1}` }), about);
  if (most === undefined) return;
  t.ok(takes(row, { [name]: most }) && !takes(row, { [name]: `${Number(most) + 1}` }), about);
}

function asStated(t: Test, row: Route, { name, value, allowed }: Stated, param: Param): void {
  const about = `${row.method} ${row.path} ${name}`;
  const isNeeded = value === 'required';
  if (!pathNames(row.path).includes(name)) {
    t.equal(takes(row, { [name]: undefined }), !isNeeded, `${about} ${value}`);
  }
  if (!isNeeded) {
    const plain = checked(row, {});
    const found = isApiError(plain) || !('values' in plain) ? null : plain.values[name];
    t.equal(String(found ?? ''), value, `${about}: when absent`);
  }
  if (param.enum) allWords(t, row, { name, allowed });
  else if (param.type === 'integer') bounds(t, row, { name, allowed });
}

t.test('parameters: what is required, the default and what is allowed', async (t) => {
  let found = 0;
  for (const row of routes) {
    const lines = stated.get(`${row.method} ${row.path}`) ?? [];
    t.strictSame(
      lines.map(({ name }) => name),
      Object.keys(row.params),
      row.path,
    );
    for (const line of lines) {
      const param = row.params[line.name];
      if (param === undefined || param.lenient) continue;
      found += 1;
      asStated(t, row, line, param);
    }
  }
  t.ok(found > 300, `${found} parameters`);
});

/** Most characters of a text: of the name of a market, of a list of exchanges, of a hundred symbols, of all columns. */
const longest: Readonly<Record<string, number>> = {
  ...{ exchange: 400, exchanges: 400, symbols: 3_300, columns: 1_000 },
  // Of a screen: twenty indicators with parameters, ten conditions.
  ...{ indicators: 600, filter: 400 },
};
const everyExchange = Object.keys(venues).join(',');

const texts = routes.flatMap((row) =>
  Object.entries(row.params).flatMap(([name, { type, lenient, maxLength, pattern, example }]) =>
    type === 'string' && !lenient && maxLength !== undefined
      ? [
          {
            row,
            name,
            maxLength,
            samples: [example, name === 'exchange' && pattern && everyExchange],
          },
        ]
      : [],
  ),
);

t.test('parameters: texts are bounded, and have room for what they name', async (t) => {
  t.ok(texts.length > 80, `${texts.length} texts`);
  for (const { row, name, maxLength, samples } of texts) {
    t.ok(maxLength <= (longest[name] ?? 64), `${row.path} ${name} ${maxLength}`);
    for (const sample of samples.filter(Boolean))
      t.ok(takes(row, { [name]: `${sample}` }), `${row.path} ${name}=${sample}`);
  }
});

/** The lists of words anywhere in a schema. */
function* wordsOf(schema: unknown): Generator<unknown[]> {
  if (typeof schema !== 'object' || schema === null) return;
  if ('enum' in schema && Array.isArray(schema.enum)) yield schema.enum;
  for (const part of Object.values(schema)) yield* wordsOf(part);
}

t.test('answers: a list of words has each of them once', async (t) => {
  const lists = routes.flatMap(({ path, answer }) =>
    [...wordsOf(answer)].map((words) => ({ path, words })),
  );
  t.ok(lists.length > 50, `${lists.length} lists`);
  for (const { path, words } of lists) t.strictSame(words, [...new Set(words)], path);
});

t.test('a coin is named in the letters of any script', async (t) => {
  const rows = routes.filter(({ params: { symbol } }) => symbol && !symbol.enum);
  t.ok(rows.length > 80, `${rows.length} rows have a symbol`);
  for (const row of rows)
    for (const symbol of ['币安人生', 'ΩMEGA', 'BTC'])
      t.ok(takes(row, { symbol }), `${row.path} ${symbol}`);
});
