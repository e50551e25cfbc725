/** The values that rules see, over the answers of all rows that are in memory. */
import t from 'tap';
import { valuesAt } from '../../../alerts/rules/pointer.ts';
import type { Route } from '../../../http/endpoints/route.ts';
import { allRoutes } from '../../../http/routes/index.ts';
import { isApiError } from '../../../http/wire/errors.ts';
import { rowsOf, usualOf, type Values } from '../../support/route-stage.ts';

/** Every value of an answer, down to the sixth level. */
const allOf = (data: unknown) =>
  Array.from({ length: 6 }, (_, depth) => [...valuesAt(data, Array(depth).fill('*'), null)]);

/** What chooses among the forms of an answer about one asset, several or all. */
const choices = [
  { symbol: undefined },
  { symbol: 'BTC' },
  { symbol: 'btc', explain: '1' },
  { symbols: 'BTC,NOSUCH' },
  { symbols: 'BTC', explain: '1' },
  { symbol: 'NOSUCH' },
  { at: 1_700_000_000_000 },
];

/** What a row is asked: of those about one asset, several or all, each form. */
function askedOf(row: Route): Values[] {
  const usual = { ...usualOf(row), at: undefined };
  const { symbols, explain } = row.params;
  if (symbols === undefined || explain === undefined) return [usual];
  return choices.map((choice) => ({ ...usual, symbols: undefined, explain: undefined, ...choice }));
}

/** Rows that are in memory, with what they are asked. */
function* questions() {
  for (const row of rowsOf([allRoutes])) {
    const { from, path } = row;
    if (!('view' in from) || from.data === undefined) continue;
    const { view, data } = from;
    for (const asked of askedOf(row)) yield { asked, view, data, path };
  }
}

t.test('data without bytes have the values of the answer, its age and errors', async (t) => {
  let values = 0;
  for (const { asked, view, data, path } of questions()) {
    const about = `${path} ${JSON.stringify(asked)}`;
    const [shown, found] = [view(asked), data(asked)];
    if (isApiError(shown) || isApiError(found)) {
      t.strictSame(found, shown, about);
      continue;
    }
    const said = allOf(JSON.parse(shown.dataText));
    t.strictSame(allOf(found.data), said, about);
    t.equal(found.asOf, shown.asOf, about);
    values += said.flat().filter(({ value }) => value !== null).length;
  }
  t.ok(values > 3_000, `${values} values`);
});

t.test('a number has the digits that the answer shows', async (t) => {
  const found = (data: unknown) => [...valuesAt(data, ['price'], null)].map(({ value }) => value);
  t.strictSame(found({ price: 0.1 + 0.2 }), [0.3]);
  t.strictSame(found({ price: Number.NaN }), [null]);
  t.strictSame(found({ price: undefined }), [null]);
});

t.test('rows and names without a value are none', async (t) => {
  const data = { exchanges: { a: { price: 1 }, b: undefined } };
  const names = [...valuesAt(data, ['exchanges', '*', 'price'], null)];
  t.strictSame(
    names.map(({ subject, value }) => [subject, value]),
    [['a', 1]],
  );
});
