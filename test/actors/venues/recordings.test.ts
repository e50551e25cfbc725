/**
 * Recorded answers of every venue, read by us and by ccxt. Rows are recorded of few markets, so that lists, tickers and
 * books are often of different ones: the tables say which markets are added to the lists.
 */
import t from 'tap';
import { venues } from '../../../actors/venues/registry.ts';
import { absent } from '../../support/recordings.ts';
import { reader } from './recorded/check.ts';
import { recordedVenues } from './recorded/index.ts';
import { liveFrames } from './recorded/live.ts';
import { isVenueId } from './terms.ts';

for (const id of Object.keys(venues).filter(isVenueId)) {
  t.test(id, { skip: absent }, async (t) => {
    const row = recordedVenues[id];
    const read = reader(id);
    const exchange = await row.load(read);
    for (const check of row.checks) {
      t.strictSame(await check.run({ venue: venues[id], row, read, exchange }), [], check.name);
    }
  });
}

t.test('frames of streams', { skip: absent }, async (t) => {
  for (const [name, read] of Object.entries(liveFrames)) {
    const { ours, theirs } = await read();
    t.strictSame(ours, theirs, name);
  }
});
