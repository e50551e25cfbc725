import t from 'tap';
import { isRecord } from '../../../actors/read.ts';
import { kucoin } from '../../../scripts/simulator/venues/kucoin.ts';
import { absent } from '../../support/recordings.ts';
import { sameShapes } from '../../support/shape.ts';
import { simulated } from '../../support/simulated-venue.ts';

const unused = 'no feed asks for it';
const skipped = {
  error: 'the refusal of an order',
  'funding-current': unused,
  'funding-current-bulk': unused,
  'funding-history': unused,
  'open-interest-bulk': unused,
  'open-interest-history': unused,
  'perp-all-tickers': unused,
  'perp-candles': 'of a time before the simulated world began; today’s rows are compared below',
};

/** The recorded list is older than this key. */
const newer = { 'perp-contracts': ['fundingRateGranularity'] };

t.test('keys and types are those of the recordings', { skip: absent }, async (t) => {
  t.equal(await sameShapes(t, kucoin, { skipped, newer }), 6);
});

t.test('candles of contracts are rows of six numbers', async (t) => {
  const { url, close } = await simulated(kucoin);
  t.teardown(close);
  const path = 'api/v1/kline/query?symbol=XBTUSDTM&granularity=720';
  const body: unknown = await (await fetch(`${url}/api-futures.kucoin.com/${path}`)).json();
  const [row] = isRecord(body) && Array.isArray(body.data) ? body.data : [];
  t.ok(Array.isArray(row) && row.length === 6);
  t.ok(row.every((value: unknown) => typeof value === 'number'));
});
