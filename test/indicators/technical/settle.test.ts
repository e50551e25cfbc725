/** How soon the start of a series is forgotten: as soon as each entry states. */
import t from 'tap';
import { catalogue } from '../../../indicators/catalogue.ts';
import { chosenFor, mapColumns, walk } from '../candles.ts';

const columns = walk(700, 3, 100);

t.test('after the candles that an entry states its start is forgotten', async (t) => {
  const other = walk(700, 11, 130);
  const price = columns.close.at(-1) ?? 0;
  for (const entry of catalogue.values()) {
    const chosen = chosenFor(entry);
    const count = entry.settle?.(chosen) ?? Number.POSITIVE_INFINITY;
    if (!Number.isFinite(count)) continue;
    const mixed = mapColumns(columns, (column, name) =>
      column.map((value, i) =>
        i < 700 - count && name !== 'time' ? (other[name][i] ?? 0) : value,
      ),
    );
    const [a, b] = [entry.compute(columns, chosen), entry.compute(mixed, chosen)];
    for (const [k, field] of entry.outputs.entries()) {
      const [x = Number.NaN, y = Number.NaN] = [a[k]?.at(-1), b[k]?.at(-1)];
      // Differences of prices are held against the price; the jump into the other walk weighs more than a usual seed.
      const within = 1e-5 * Math.max(price, Math.abs(x));
      t.ok(Math.abs(x - y) <= within, `${entry.name} ${field}: ${x} ${y}`);
    }
  }
});
