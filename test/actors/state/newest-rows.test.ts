import t from 'tap';
import { NewestRows } from '../../../actors/state/newest-rows.ts';
import type { PriceRow } from '../../../actors/topics/index.ts';
import { priceRow, reading } from '../../support/makers.ts';

const prices = (source: string, part: string, price: number) =>
  reading([priceRow({ price })], { source, part });

t.test('one reading a source and part, the newest that was published', async (t) => {
  const newest = new NewestRows();
  for (let at = 1; at <= 50; at++) newest.accept('prices', prices('okx', 'spot', at));
  newest.accept('prices', prices('okx', 'swap', 60));
  newest.accept('prices', prices('gate', 'spot', 70));
  const shown = (readings: readonly { rows: readonly PriceRow[] }[]) =>
    readings.flatMap(({ rows }) => rows.map(({ price }) => price));
  t.strictSame(shown(newest.all('prices')), [50, 60, 70]);
  t.strictSame(shown(newest.of('prices', 'okx')), [50, 60]);
  t.strictSame([...newest.bySource('prices').keys()], ['okx', 'gate']);
  t.equal(newest.part('prices', 'gate', 'spot')?.rows[0]?.price, 70);
  t.equal(newest.part('prices', 'gate', 'swap'), undefined);
  t.strictSame(newest.all('instruments'), [], 'of another topic');
});

t.test('the row of a market is the one that was received last, whole or as a change', async (t) => {
  const newest = new NewestRows();
  const heard: number[] = [];
  newest.listen('prices', ({ rows }) => heard.push(...rows.map(({ price }) => price)));
  const at = (received: number, ...rows: [market: string, price: number][]) =>
    reading(
      rows.map(([market, price]) => priceRow({ market, price })),
      { source: 'okx', part: 'spot', received },
    );
  newest.change('prices', at(5, ['A', 1]));
  t.equal(newest.part('prices', 'okx', 'spot'), undefined, 'no whole reading yet');
  newest.acceptWhole('prices', at(10, ['A', 2], ['B', 3]));
  newest.change('prices', at(20, ['A', 4]));
  newest.change('prices', at(9, ['B', 5]));
  newest.acceptWhole('prices', at(15, ['A', 6], ['B', 7]));
  const shown = newest.part('prices', 'okx', 'spot')?.rows ?? [];
  t.strictSame(
    shown.map(({ market, price }) => [market, price]),
    [
      ['A', 4],
      ['B', 7],
    ],
  );
  t.strictSame(heard, [1, 2, 3, 4, 5, 6, 7]);
});

t.test('who waits for a part is woken by its readings alone, until it has enough', async (t) => {
  const newest = new NewestRows();
  let woken = 0;
  const stop = newest.onChange('prices', { source: 'okx', part: 'spot' }, () => woken++);
  newest.accept('prices', prices('okx', 'swap', 1));
  newest.accept('openInterest', reading([], { source: 'okx', part: 'spot' }));
  t.equal(woken, 0);
  newest.accept('prices', prices('okx', 'spot', 1));
  newest.accept('prices', prices('okx', 'spot', 2));
  t.equal(woken, 2);
  stop();
  newest.accept('prices', prices('okx', 'spot', 3));
  t.equal(woken, 2);
});
