/** Every row takes what it declares of its parameters and refuses the rest. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { venues } from '../../../actors/venues/registry.ts';
import type { Param, Route } from '../../../http/endpoints/route.ts';
import { createCheck, pathNames } from '../../../http/endpoints/validate.ts';
import { allRoutes } from '../../../http/routes/index.ts';
import { isApiError } from '../../../http/wire/errors.ts';
import { namePattern } from '../../../indicators/market/market-names.ts';
import { property } from '../../support/property.ts';
import { rowsOf, usualOf } from '../../support/route-stage.ts';

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

/** A row and one of its parameters. */
type Declared = readonly [row: Route, name: string, param: Param];
const declared: readonly Declared[] = routes.flatMap((row) =>
  Object.entries(row.params).flatMap(([name, param]): Declared[] =>
    param.lenient ? [] : [[row, name, param]],
  ),
);
/** Any of the parameters that are kept; a counterexample shows its path and name. */
const parameters = (kept: (param: Param) => boolean) => {
  const byName = new Map(
    declared
      .filter(([, , param]) => kept(param))
      .map((one) => [`${one[0].method} ${one[0].path} ${one[1]}`, one]),
  );
  const of = (name: string): Declared => {
    const found = byName.get(name);
    if (found === undefined) throw new Error(name);
    return found;
  };
  return { any: fc.constantFrom(...byName.keys()), of };
};

/** A value is refused by an error that names the parameter, or is that of an unknown word. */
function refuses([row, name, { unlisted }]: Declared, value: string): void {
  const answer = checked(row, { [name]: value });
  const about = `${row.path} ${name}=${value}`;
  assert.ok(isApiError(answer), `${about} is taken`);
  if (unlisted !== undefined) return;
  assert.ok(answer.message?.includes(name), `${about}: ${answer.message}`);
}

t.test('parameters: a whole number is taken within its bounds and nowhere else', (t) => {
  // Moments have rules beside their bounds: the end of a range lies after its start.
  const chosen = parameters(({ type, time }) => type === 'integer' && !time);
  return property(
    t,
    fc.tuple(chosen.any, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(1_000)),
    (given) => {
      const [about, part, beyond] = given;
      const declared = chosen.of(about);
      const [row, name, { minimum = 0, maximum = 2 ** 40 }] = declared;
      const value = Math.round(minimum + part * (maximum - minimum));
      const answer = checked(row, { [name]: `${value}` });
      assert.ok(!isApiError(answer), `${row.path} ${name}=${value}`);
      if ('values' in answer) assert.equal(answer.values[name], value);
      if (declared[2].minimum !== undefined) refuses(declared, `${minimum - 1 - beyond}`);
      if (declared[2].maximum !== undefined) refuses(declared, `${maximum + 1 + beyond}`);
      for (const text of ['', `${value}.5`, `${value}e1`, `0x${value}`, 'NaN', `${value} `])
        refuses(declared, text);
    },
  );
});

t.test('parameters: each word of a list is taken in any case, and no other', (t) => {
  const chosen = parameters(({ enum: words }) => words !== undefined);
  const letters = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom(...'abz-_ 09é') });
  return property(t, fc.tuple(chosen.any, fc.nat(), fc.nat(), letters), (given) => {
    const [about, at, upper, other] = given;
    const declared = chosen.of(about);
    const [row, name, { enum: words = [] }] = declared;
    const word = String(words[at % words.length]);
    const cased = [...word].map((c, i) => ((upper >> (i % 31)) & 1 ? c.toUpperCase() : c)).join('');
    // Minutes and months of a year are the exception: 5M is not 5m.
    if (/^(\d|1[0-2])?m$/i.test(cased) && !words.includes(cased)) return refuses(declared, cased);
    const answer = checked(row, { [name]: cased });
    assert.ok(!isApiError(answer), `${row.path} ${name}=${cased}`);
    if ('values' in answer) assert.equal(answer.values[name], words.includes(cased) ? cased : word);
    if (!words.some((one) => String(one).toLowerCase() === other.toLowerCase()))
      refuses(declared, other);
  });
});

t.test('parameters: a text is taken up to its length', (t) => {
  const chosen = parameters(
    ({ type, maxLength, enum: words }) => type === 'string' && !words && maxLength !== undefined,
  );
  return property(t, fc.tuple(chosen.any, fc.integer({ min: 1, max: 50 })), (given) => {
    const [about, beyond] = given;
    const declared = chosen.of(about);
    refuses(declared, 'A'.repeat((declared[2].maxLength ?? 0) + beyond));
  });
});

t.test(
  'parameters: what is required is missed by its name, what is not may be absent',
  async (t) => {
    for (const [row, name, { required, unlisted }] of declared) {
      if (pathNames(row.path).includes(name)) continue;
      const answer = checked(row, { [name]: undefined });
      t.equal(isApiError(answer), required === true, `${row.method} ${row.path} ${name}`);
      if (isApiError(answer) && !unlisted) t.match(answer.message, name, `${row.path} ${name}`);
    }
  },
);

/** Most characters of a text: of the name of a market, of a list of exchanges, of a hundred symbols, of all columns. */
const longest: Readonly<Record<string, number>> = {
  exchange: 400,
  exchanges: 400,
  symbols: 3_300,
  columns: 1_000,
  // Of a screen: twenty indicators with parameters, ten conditions.
  indicators: 600,
  filter: 400,
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

t.test('a coin is named in the letters and signs of any script', async (t) => {
  const rows = routes.filter(({ params: { symbol } }) => symbol && !symbol.enum);
  t.ok(rows.length > 80, `${rows.length} rows have a symbol`);
  for (const row of rows)
    for (const symbol of ['币安人生', 'ΩMEGA', '$U', '@142', 'BTC'])
      t.ok(takes(row, { symbol }), `${row.path} ${symbol}`);
  const byName = rows.filter(
    ({ params: { symbol } }) => symbol?.type === 'string' && symbol.pattern === namePattern,
  );
  t.ok(byName.length > 40);
  for (const row of byName) t.notOk(takes(row, { symbol: '$$' }), `${row.path} $$`);
});
