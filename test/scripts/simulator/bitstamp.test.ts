/** The simulated Bitstamp has the keys and types of the recorded one. */
import t from 'tap';
import { isRecord } from '../../../actors/read.ts';
import { bitstamp } from '../../../scripts/simulator/venues/bitstamp.ts';
import { absent, recording } from '../../support/recordings.ts';
import { bothBodies, differences } from '../../support/shape.ts';
import { simulated } from '../../support/simulated-venue.ts';

const simulator = await simulated(bitstamp);
t.teardown(() => simulator.close());

/** Of a list one row of each type; the whole of anything else. */
const samples = (body: unknown): unknown =>
  Array.isArray(body)
    ? ['SPOT', 'PERPETUAL'].map((type) =>
        body.find((row) => isRecord(row) && row.market_type === type),
      )
    : [body, body];

/** Deliberate: the list was recorded before it had the class. */
const known: Readonly<Record<string, readonly string[]>> = {
  markets: ['$[].asset_class: added'],
};

const both = (value: unknown): [unknown, unknown] =>
  Array.isArray(value) ? [value[0], value[1]] : [value, value];

for (const name of ['markets', 'tickers', 'funding-current', 'order-book', 'candles']) {
  t.test(name, { skip: absent }, async (t) => {
    const { real, ours } = await bothBodies(t, simulator.url, [name, recording('bitstamp', name)]);
    const found = both(samples(ours));
    for (const [i, sample] of both(samples(real)).entries()) {
      t.strictSame(differences([sample], [found[i]]), known[name] ?? []);
    }
  });
}

t.test('error-not-found', { skip: absent }, async (t) => {
  const recorded = recording('bitstamp', 'error-not-found');
  const response = await fetch(`${simulator.url}/www.bitstamp.net/api/v2/funding_rate/`);
  t.equal(response.status, recorded?.status);
  t.strictSame(await response.json(), recorded?.response);
});
