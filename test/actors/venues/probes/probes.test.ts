/** The probe finds what is mixed up; `suite/subjects.ts` has what is compared of each exchange. */
import t from 'tap';
import type { Venue } from '../../../../actors/sources/venue.ts';
import type { PriceRow } from '../../../../actors/topics/index.ts';
import { aster } from '../../../../actors/venues/aster/index.ts';
import { probed } from '../subjects/aster.ts';
import { probeFixtures } from './check.ts';

/** Aster with spot prices that go through `change`. */
function changed(change: (row: PriceRow) => PriceRow): Venue {
  const { spot, ...others } = aster.feeds.prices.parts;
  const parse: typeof spot.parse = (bodies, context) => {
    const { rows, dropped } = spot.parse(bodies, context).prices;
    return { prices: { rows: rows.map(change), dropped } };
  };
  const prices = { ...aster.feeds.prices, parts: { ...others, spot: { ...spot, parse } } };
  return { ...aster, feeds: { ...aster.feeds, prices } };
}

/** What is changed below. */
const spot = [{ topic: 'prices', part: 'spot' }] as const;

t.test('a parser that mixes up two columns, or one unit, is found', async (t) => {
  const columns = ['price', 'bid', 'ask', 'high', 'low', 'base', 'volume'] as const;
  for (const [i, one] of columns.entries()) {
    for (const other of columns.slice(0, i)) {
      const swapped = changed((row) => ({ ...row, [one]: row[other], [other]: row[one] }));
      const { faults } = await probeFixtures(swapped, probed, spot);
      t.ok(
        [one, other].every((name) => faults.some((fault) => fault.includes(`: ${name} of`))),
        `${one} and ${other}`,
      );
    }
    const larger = changed((row) => ({ ...row, [one]: (row[one] ?? 0) * 1.000_000_1 }));
    t.not((await probeFixtures(larger, probed, spot)).faults.length, 0, `${one} by a factor`);
  }
});
