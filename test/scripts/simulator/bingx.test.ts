import t from 'tap';
import { bingx } from '../../../scripts/simulator/venues/bingx.ts';
import { recording } from '../../support/recordings.ts';
import { differences, sameShapes, withoutRecordings } from '../../support/shape.ts';
import { simulated } from '../../support/simulated-venue.ts';

const skip = withoutRecordings;
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
    const real = recording('bingx', name);
    if (!real) throw new Error(name);
    const { host, pathname, search } = new URL(real.request.url.replace('SFP', 'BTC'));
    const response = await fetch(`${simulator.url}/${host}${pathname}${search}`);
    t.equal(response.status, real.status);
    t.strictSame(differences(real.response, await response.json()), [], name);
  }
});
