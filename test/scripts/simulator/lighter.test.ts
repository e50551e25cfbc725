/** The simulated Lighter has the keys and types of the recorded one. */
import t from 'tap';
import { lighter } from '../../../scripts/simulator/venues/lighter.ts';
import { absent, recording } from '../../support/recordings.ts';
import { bothBodies, differences } from '../../support/shape.ts';
import { simulated } from '../../support/simulated-venue.ts';

const simulator = await simulated(lighter);
t.teardown(() => simulator.close());

/** Deliberate. */
const known: Readonly<Record<string, readonly string[]>> = {
  // The recordings of the details keep one of the two lists and empty the other.
  'order-book-details': ['$.spot_order_book_details: not empty'],
  'spot-order-book-details': ['$.order_book_details: not empty'],
  // Placeholders of the vendor's schema in the recording, not values.
  candles: ['C', 'H', 'L', 'O'].map((key) => `$.c[].${key}: missing`),
};

for (const name of [
  ...['order-book-details', 'spot-order-book-details', 'funding-rates', 'order-book', 'candles'],
]) {
  t.test(name, { skip: absent }, async (t) => {
    const { real, ours } = await bothBodies(t, simulator.url, [name, recording('lighter', name)]);
    const found = differences(real, ours);
    t.strictSame(found.sort(), known[name] ?? []);
  });
}
