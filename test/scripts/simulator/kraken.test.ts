import t from 'tap';
import { kraken } from '../../../scripts/simulator/venues/kraken.ts';
import { absent, recording } from '../../support/recordings.ts';
import { differences } from '../../support/shape.ts';
import { simulated } from '../../support/simulated-venue.ts';

/** Keys that linear contracts have and inverse ones do not, or the other way round. */
const either = [
  'volumeQuote',
  'high24h',
  'low24h',
  'underlying',
  'contracts',
  'numNonContractUnits',
];
/** Left out where the recording was shortened. */
const sent = ['serverTime', ...either];

/** Recordings and the keys that may differ; `pairs` have ids for keys and are compared at their first. */
const table: Readonly<Record<string, readonly string[]>> = {
  'spot-pairs': [],
  'spot-tickers': [],
  'spot-orderbook': [],
  'spot-candles': [],
  'error-spot': [],
  'futures-instruments': sent,
  'futures-tickers': either,
  'futures-ticker-funding': sent,
  'analytics-futures-tickers': sent,
  // An answer that left the funding out.
  'futures-ticker-one': [
    ...either,
    'fundingRate',
    'fundingRatePrediction',
    'postOnly',
    'change24h',
  ],
  'futures-orderbook': [],
  'analytics-futures-orderbook': [],
  'futures-candles': [],
};

/** Keys of the recorded contract, an inverse one, that the first of ours lacks. */
const older: Readonly<Record<string, readonly string[]>> = {
  'futures-instruments': ['underlying', 'contracts'],
};

/** The first pair of an answer in the place of all, under the same name in both. */
function firstPair(body: unknown): unknown {
  const { result, ...rest } = Object(body);
  if (typeof result !== 'object') return body;
  const { last, ...pairs } = result;
  return { ...rest, last: typeof last, result: Object.values(pairs)[0] };
}

t.test('keys and types are those of the recordings', { skip: absent }, async (t) => {
  const simulator = await simulated(kraken);
  t.teardown(() => simulator.close());
  for (const [name, keys] of Object.entries(table)) {
    const real = recording('kraken', name);
    if (!real) throw new Error(name);
    const { host, pathname, search } = new URL(real.request.url);
    const response = await fetch(`${simulator.url}/${host}${pathname}${search}`);
    const body: unknown = await response.json();
    t.equal(response.status, real.status, `${name}: status`);
    t.strictSame(
      differences(firstPair(real.response), firstPair(body), {
        newer: keys,
        older: older[name] ?? [],
      }),
      [],
      name,
    );
  }
});
