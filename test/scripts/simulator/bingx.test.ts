import t from 'tap';
import { bingx } from '../../../scripts/simulator/venues/bingx.ts';
import { absent, recording } from '../../support/recordings.ts';
import { bothBodies, differences, sameShapes } from '../../support/shape.ts';
import { simulated } from '../../support/simulated-venue.ts';

const skip = absent;
const elsewhere = 'its market is not simulated: compared below under another';
const skipped = {
  'funding-history': 'no feed asks for it',
  'perp-candles': elsewhere,
  'perp-tickers': elsewhere,
};

/** The recording is older. */
const newer = { 'funding-current': ['fundingIntervalHours', 'updateTime'] };

t.test('keys and types are those of the recordings', { skip }, async (t) => {
  t.equal(await sameShapes(t, bingx, { skipped, newer }), 13);
});

t.test('the same for another market', { skip }, async (t) => {
  const simulator = await simulated(bingx);
  t.teardown(() => simulator.close());
  for (const name of ['perp-candles', 'perp-tickers']) {
    const recorded = recording('bingx', name);
    const url = recorded?.request.url.replace('SFP', 'BTC');
    const { real, ours } = await bothBodies(t, simulator.url, [name, recorded], url);
    t.strictSame(differences(real, ours), [], name);
  }
});
