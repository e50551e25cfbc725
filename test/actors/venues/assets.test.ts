/**
 * What the instrument lists of the exchanges are about: the asset of each market, how many of it are in a unit, and the class by the
 * field that tells. Lists in the documented form, with numbers of our own.
 */
import t from 'tap';
import type { Venue } from '../../../actors/sources/venue.ts';
import type { Instrument } from '../../../actors/topics/index.ts';
import { type VenueId, venues } from '../../../actors/venues/registry.ts';
import { likeRows } from '../../support/table.ts';
import { contractLists } from './asset-lists/contracts.ts';
import { otherLists } from './asset-lists/others.ts';

const received = 1_790_000_000_000;

/** The instruments that a part of an exchange reads in bodies, by market. */
function listed(id: VenueId, part: string, bodies: readonly unknown[]) {
  const venue: Venue = venues[id];
  const poll = venue.feeds.instruments.parts[part];
  if (!poll) throw new Error(`${id} has no part ${part}`);
  const context = { received, instruments: new Map() };
  const rows = poll.parse(bodies, context).instruments?.rows ?? [];
  return new Map<string, Instrument>(rows.map((row) => [row.market, row]));
}

for (const [id, part, bodies, table] of [...contractLists, ...otherLists])
  t.test(`${id}, ${part}: the assets and the classes of a list`, async (t) => {
    const rows = [...listed(id, part, bodies).values()];
    likeRows(
      t,
      rows.map((row) => ({ asset_class: null, ...row })),
    )(Object.assign([table], { raw: [table] }));
  });
