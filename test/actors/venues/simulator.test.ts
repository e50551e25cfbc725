/**
 * Every venue of the registry and every capability it has, asked over HTTP as in production and held against the
 * simulated world: on a good day the right values; on a bad one a failure by its name or a lost row, but never a
 * wrong value.
 */
import t from 'tap';
import type { Venue } from '../../../actors/sources/venue.ts';
import { venues } from '../../../actors/venues/registry.ts';
import { venues as simulated } from '../../../scripts/simulator/registry.ts';
import { walkFeed } from './feed-suite.ts';
import { feedParts } from './fixtures.ts';
import { walkHistories } from './history-suite.ts';
import { walkBooks, walkCandles, walkTrades } from './query-suite.ts';
import { enter } from './stage.ts';
import { isVenueId } from './terms.ts';
import { World } from './world.ts';

/** The parts whose trades the simulator answers. */
const simulatedTrades: ReadonlySet<string> = new Set([
  ...['binance spot', 'binance linear', 'binance inverse', 'okx spot', 'okx swap'],
  ...['bybit spot', 'bybit linear', 'bybit inverse'],
  ...['coinbase spot', 'bitstamp markets', 'kraken spot', 'bitfinex all'],
]);

const world = await World.start(Object.values(simulated), Date.UTC(2026, 7, 14, 13, 37, 21));
t.teardown(() => world.stop());

for (const id of Object.keys(venues).filter(isVenueId)) {
  t.test(id, async (t) => {
    const venue: Venue = venues[id];
    const counterpart = simulated[id];
    t.equal(counterpart.id, id);
    const stage = await enter(t, world, venue, counterpart);
    for (const part of feedParts(venue)) {
      t.test(`${part.topic} of ${part.part}`, (t) => walkFeed(t, stage, part));
    }
    for (const part of venue.parts) {
      t.test(`order books of ${part}`, (t) => walkBooks(t, stage, part));
      if (simulatedTrades.has(`${id} ${part}`))
        t.test(`trades of ${part}`, (t) => walkTrades(t, stage, part));
      t.test(`candles of ${part}`, (t) => walkCandles(t, stage, part));
      t.test(`histories of ${part}`, (t) => walkHistories(t, stage, part));
    }
  });
}
