/**
 * Every column of every exchange out of the leaf, and with the factor, that ccxt takes: in bodies of which no two numbers are
 * equal the two read the same values, or they differ as the tables state, with the reason.
 */
import t from 'tap';
import type { Venue } from '../../../../actors/sources/venue.ts';
import type { PriceRow } from '../../../../actors/topics/index.ts';
import { aster } from '../../../../actors/venues/aster/index.ts';
import { venues } from '../../../../actors/venues/registry.ts';
import { absent } from '../../../support/recordings.ts';
import { recordedVenues } from '../recorded/index.ts';
import { isVenueId } from '../terms.ts';
import { type Found, probeFixtures, probeRecordings } from './check.ts';
import { probedVenues } from './index.ts';

const counts = ({ compared, explained }: Found): string =>
  `${compared.size} columns compared, ${explained.size} explained`;

for (const id of Object.keys(venues).filter(isVenueId)) {
  t.test(`${id}: fixtures`, async (t) => {
    const found = await probeFixtures(venues[id], probedVenues[id]);
    t.strictSame(found.faults, [], 'the same leaf and factor, or a known reason');
    t.strictSame(found.empty, [], 'each probe has rows that both read');
    t.not(found.compared.size, 0, 'columns are compared');
    t.comment(`${id}: ${counts(found)}`);
  });

  t.test(`${id}: recordings`, { skip: absent }, async (t) => {
    const probed = probedVenues[id];
    const found = await probeRecordings(venues[id], probed, recordedVenues[id]);
    t.strictSame(found.faults, [], 'the same leaf and factor, or a known reason');
    t.not(found.compared.size, 0, 'columns are compared');
    const skipped = Object.entries(probed.skipped ?? {}).map(([what, why]) => `${what}: ${why}`);
    t.comment([`${id} as recorded: ${counts(found)}`, ...found.empty, ...skipped].join('; '));
  });
}

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

t.test('a parser that mixes up two columns, or one unit, is found', async (t) => {
  const columns = ['price', 'bid', 'ask', 'high', 'low', 'base', 'volume'] as const;
  for (const [i, one] of columns.entries()) {
    for (const other of columns.slice(0, i)) {
      const swapped = changed((row) => ({ ...row, [one]: row[other], [other]: row[one] }));
      const { faults } = await probeFixtures(swapped, probedVenues.aster);
      t.ok(
        [one, other].every((name) => faults.some((fault) => fault.includes(`: ${name} of`))),
        `${one} and ${other}`,
      );
    }
    const larger = changed((row) => ({ ...row, [one]: (row[one] ?? 0) * 1.000_000_1 }));
    t.not((await probeFixtures(larger, probedVenues.aster)).faults.length, 0, `${one} by a factor`);
  }
});
