/** The bodies of a venue, our own and recorded ones, beside what ccxt reads of them. */
import type { Test } from 'tap';
import type { Venue } from '../../../../actors/sources/venue.ts';
import { absent } from '../../../support/recordings.ts';
import { type Found, probeFixtures, probeRecordings, unmet } from '../probes/check.ts';
import { lost, reader } from '../probes/recorded.ts';
import { type Subjects, subjectsOf } from '../subjects/index.ts';

const counts = ({ compared, explained }: Found): string =>
  `${compared.size} columns compared, ${explained.size} explained`;

async function recordings(t: Test, venue: Venue, { probed, recorded }: Subjects): Promise<Found> {
  const read = reader(venue.id);
  const exchange = await recorded.load(read);
  const stage = { venue, row: recorded, read, exchange };
  for (const check of recorded.checks) t.strictSame(await check.run(stage), [], check.name);
  t.strictSame(
    recorded.bodies.flatMap((about) => lost(stage, about)),
    [],
    'no recorded row is lost',
  );
  const found = await probeRecordings(venue, probed, recorded);
  t.strictSame(found.faults, [], 'recordings: the same leaf and factor, or a known reason');
  t.not(found.compared.size, 0, 'columns are compared');
  const skipped = Object.entries(probed.skipped ?? {}).map(([what, why]) => `${what}: ${why}`);
  t.comment([`recorded: ${counts(found)}`, ...found.empty, ...skipped].join('; '));
  return found;
}

export async function subjects(t: Test, venue: Venue): Promise<void> {
  const own = await subjectsOf(venue.id);
  const found = await probeFixtures(venue, own.probed);
  t.strictSame(found.faults, [], 'fixtures: the same leaf and factor, or a known reason');
  t.strictSame(found.empty, [], 'each topic has rows that both read');
  t.not(found.compared.size, 0, 'columns are compared');
  t.comment(`fixtures: ${counts(found)}`);
  await t.test('recordings', { skip: absent }, async (t) => {
    const all = [found, await recordings(t, venue, own)];
    t.strictSame(unmet(venue, ...all), [], 'all that is stated is read');
  });
}
