import type { Test } from 'tap';
import type { Venue } from '../../../actors/venues/venue.ts';
import type { SimulatedVenue } from '../../../scripts/simulator/venue.ts';
import { walkFeed } from './feed-suite.ts';
import { feedParts } from './fixtures.ts';
import { walkBooks, walkCandles } from './query-suite.ts';
import { enter } from './stage.ts';
import { World } from './world.ts';

/** One venue in a simulated world of its own: every feed, order book and candle is what the model says. */
export async function walkAlone(t: Test, venue: Venue, simulated: SimulatedVenue): Promise<void> {
  const world = await World.start([simulated], Date.UTC(2026, 8, 23, 9, 41, 5));
  t.teardown(() => world.stop());
  const stage = await enter(t, world, venue, simulated);
  for (const part of feedParts(venue)) {
    await t.test(`${part.topic} of ${part.part}`, (t) => walkFeed(t, stage, part));
  }
  for (const part of venue.parts) {
    await t.test(`order books of ${part}`, (t) => walkBooks(t, stage, part));
    await t.test(`candles of ${part}`, (t) => walkCandles(t, stage, part));
  }
}
