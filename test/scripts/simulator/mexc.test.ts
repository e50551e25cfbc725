import t from 'tap';
import { isRecord } from '../../../actors/read.ts';
import { mexc } from '../../../scripts/simulator/venues/mexc.ts';
import { absent } from '../../support/recordings.ts';
import { sameShapes } from '../../support/shape.ts';
import { simulated } from '../../support/simulated-venue.ts';

const unused = 'no feed asks for it';
const skipped = {
  'error-contract': 'the answer to an order',
  'funding-current': unused,
  'funding-history': unused,
  'perp-candles': 'of a time before the simulated world began; its columns are compared below',
};

t.test('keys and types are those of the recordings', { skip: absent }, async (t) => {
  t.equal(await sameShapes(t, mexc, { skipped, newer: {} }), 9);
});

t.test('candles of contracts are columns', async (t) => {
  const { url, close } = await simulated(mexc);
  t.teardown(close);
  const path = 'api/v1/contract/kline/ETH_USDT?interval=Min1';
  const body: unknown = await (await fetch(`${url}/api.mexc.com/${path}`)).json();
  const data = isRecord(body) && isRecord(body.data) ? body.data : {};
  const names = ['time', 'open', 'close', 'high', 'low', 'vol', 'amount'];
  t.strictSame(Object.keys(data), names);
  for (const column of Object.values(data)) {
    t.ok(Array.isArray(column) && column.length === 2000 && typeof column[0] === 'number');
  }
});
