/** Candles of the past: what is asked for with an end are the candles up to it, as the simulator answers. */
import t from 'tap';
import type { Venue } from '../../../actors/sources/venue.ts';
import { venues } from '../../../actors/venues/registry.ts';
import { simulation, sortsIn, upstream, worldOf } from './readings.ts';

const hour = 3_600_000;
const limit = 7;
/** Older candles exist for the linear markets of Phemex only. */
const newestOnly: ReadonlySet<string> = new Set(['phemex spot', 'phemex inverse']);

for (const venue of Object.values<Venue>(venues)) {
  const { candles } = venue.queries;
  const interval = candles?.intervals['1h'];
  if (!candles || interval === undefined) continue;
  t.test(venue.id, async (t) => {
    const answer = upstream(venue);
    const { now } = simulation(venue);
    const before = Math.floor(now / hour) * hour - 24 * hour;
    for (const part of venue.parts) {
      if (newestOnly.has(`${venue.id} ${part}`)) continue;
      for (const instrument of sortsIn(worldOf(venue, part, answer))) {
        const ask = { market: instrument.market, part, instrument, now };
        const request = candles.request({ ...ask, interval, limit, before });
        const opens = candles
          .parse(answer(request), ask)
          .map(({ timestamp }) => timestamp)
          // Kraken and Phemex give all newer ones as well; whoever asks cuts them off.
          .filter((open) => open < before)
          .sort((a, b) => a - b);
        const wanted = Array.from({ length: limit }, (_, i) => before - (limit - i) * hour);
        t.strictSame(opens.slice(-limit), wanted, `${part} ${instrument.market}`);
      }
    }
  });
}
