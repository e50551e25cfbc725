/**
 * Every venue of the registry and every capability it has, asked over HTTP as in production and held against the
 * simulated world: on a good day the right values; on a bad one a failure by its name or a lost row, but never a
 * wrong value. A venue that the simulator does not know fails here.
 */
import t from 'tap';
import { venues } from '../../../actors/venues/registry.ts';
import type { Venue } from '../../../actors/venues/venue.ts';
import { venues as simulatedVenues } from '../../../scripts/simulator/main.ts';
import type { SimulatedVenue } from '../../../scripts/simulator/venue.ts';
import { walkFeed } from './feed-suite.ts';
import { feedParts } from './fixtures.ts';
import { walkBooks, walkCandles } from './query-suite.ts';
import { enter } from './stage.ts';
import { World } from './world.ts';

const simulated: readonly SimulatedVenue[] = simulatedVenues;
const world = await World.start(simulated, Date.UTC(2026, 7, 14, 13, 37, 21));
t.teardown(() => world.stop());

for (const venue of Object.values<Venue>(venues)) {
  t.test(venue.id, async (t) => {
    const counterpart = simulated.find(({ id }) => id === venue.id);
    if (!counterpart) throw new Error(`scripts/simulator/main.ts has no ${venue.id}`);
    const stage = await enter(t, world, venue, counterpart);
    for (const part of feedParts(venue)) {
      t.test(`${part.topic} of ${part.part}`, (t) => walkFeed(t, stage, part));
    }
    for (const part of venue.parts) {
      t.test(`order books of ${part}`, (t) => walkBooks(t, stage, part));
      t.test(`candles of ${part}`, (t) => walkCandles(t, stage, part));
    }
  });
}
