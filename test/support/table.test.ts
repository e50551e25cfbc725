/** The text tables that other tests state their rows in. */
import t from 'tap';
import { likeRows, sameRows, table, tableRow } from './table.ts';

t.test('cells: numbers, products and quotients, words, and what is given', async (t) => {
  const at = { some: 'object' };
  const found = table`
    market   price       volume    change  stated // of a day
    // A comment is no row.
    BTC-USDT 104_000.5   2*1_500   -       ${at}
    24h/x    0.0125/1000 1e-9      -0.25   ${'two words'} // none
    0.5.1    .           -2_000    true    false
  `;
  t.strictSame(found, [
    { market: 'BTC-USDT', price: 104_000.5, volume: 3_000, change: null, stated: at },
    { market: '24h/x', price: 0.0000125, volume: 1e-9, change: -0.25, stated: 'two words' },
    { market: '0.5.1', volume: -2_000, change: true, stated: false },
  ]);
});

t.test('further columns of the same rows stand behind an empty line', async (t) => {
  const found = table`
    market price
    A      ${1}
    B      2

    volume
    3
    ${4}
  `;
  t.strictSame(found, [
    { market: 'A', price: 1, volume: 3 },
    { market: 'B', price: 2, volume: 4 },
  ]);
});

t.test('a table of another size is an error', async (t) => {
  t.throws(
    () => table`
    market price
    A
  `,
    RangeError,
  );
  t.throws(
    () => table`
    market
    A

    price
    1
    2
  `,
    RangeError,
  );
  t.throws(() => tableRow`market`, RangeError);
});

t.test('rows of a list, or one row', async (t) => {
  const row = { market: 'A', price: 1 };
  sameRows(t, [row])`
    market price
    A      1
  `;
  likeRows(t, row)`
    price
    1
  `;
});
