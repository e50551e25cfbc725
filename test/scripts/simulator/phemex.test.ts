/** The simulated Phemex has the keys and types of the recorded one. */
import t from 'tap';
import { phemex } from '../../../scripts/simulator/venues/phemex.ts';
import { absent, recording } from '../../support/recordings.ts';
import { bothBodies, differences } from '../../support/shape.ts';
import { simulated } from '../../support/simulated-venue.ts';

const simulator = await simulated(phemex);
t.teardown(() => simulator.close());

/** The old contract settled in dollars is gone; one settled in its coin has the same ticker. */
const today: Readonly<Record<string, string>> = { 'ticker-inverse': '?symbol=cETHUSD' };

/** Deliberate: keys that the captured row or product lacks. */
const known: Readonly<Record<string, readonly string[]>> = {
  'tickers-linear-v3-row': ['$.result[].openRp: added', '$.result[].turnoverRv: added'],
  products: ['$.data.perpProductsV2[].perpProductSubType: added'],
};

for (const name of [
  ...['products', 'ticker-spot', 'ticker-inverse', 'ticker-linear-v2', 'tickers-linear-v3-row'],
  ...['order-book-spot', 'order-book-linear', 'candles-spot'],
  ...['error-missing-parameter'],
]) {
  t.test(name, { skip: absent }, async (t) => {
    const recorded = recording('phemex', name);
    if (!recorded) throw new Error(`no recording ${name}`);
    const url = new URL(recorded.request.url);
    url.search = today[name] ?? url.search;
    const { real, ours } = await bothBodies(t, simulator.url, [name, recorded], url.href);
    const found = differences(real, ours);
    t.strictSame(found.sort(), known[name] ?? []);
  });
}

t.test('what /md says of an unknown market', { skip: absent }, async (t) => {
  const recorded = recording('phemex', 'error-md-invalid');
  const url = `${simulator.url}/api.phemex.com/md/v2/orderbook?symbol=NOPEUSDT`;
  const response = await fetch(url);
  t.equal(response.status, recorded?.status);
  t.strictSame(await response.json(), recorded?.response);
});
