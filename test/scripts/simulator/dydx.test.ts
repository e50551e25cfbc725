import t from 'tap';
import { isRecord } from '../../../actors/read.ts';
import { dydx } from '../../../scripts/simulator/venues/dydx.ts';
import { absent, recording } from '../../support/recordings.ts';
import { differences } from '../../support/shape.ts';
import { now, simulated } from '../../support/simulated-venue.ts';

const running = await simulated(dydx);
t.teardown(() => running.close());
const get = async (path: string): Promise<{ status: number; body: unknown }> => {
  const response = await fetch(`${running.url}/indexer.dydx.trade/v4/${path}`);
  return { status: response.status, body: await response.json() };
};

t.test('keys and types are those of the recordings', { skip: absent }, async (t) => {
  for (const [name, path] of [
    ['order-book', 'orderbooks/perpetualMarket/BTC-USD'],
    ['candles', 'candles/perpetualMarkets/BTC-USD?resolution=1MIN&limit=3'],
    ['time', 'time'],
  ] as const) {
    const { status, body } = await get(path);
    const real = recording('dydx', name);
    t.equal(status, real?.status, name);
    t.same(differences(real?.response, body), [], name);
  }
  // A map: any market of it has the form of any other.
  const real = recording('dydx', 'perpetual-markets')?.response;
  const { body } = await get('perpetualMarkets');
  const [theirs, ours] = [real, body].map((value) =>
    isRecord(value) && isRecord(value.markets) ? value.markets['BTC-USD'] : null,
  );
  t.ok(isRecord(theirs));
  t.same(differences(theirs, ours), []);
});

t.test('what is listed', async (t) => {
  const listed = running.model.truths('dydx');
  t.ok(listed.length > 50);
  t.equal(listed.filter(({ state }) => state === 'halted').length, 1);
  const [long] = listed.filter(({ market }) => market.includes(','));
  const path = `orderbooks/perpetualMarket/${encodeURIComponent(long?.market ?? '')}`;
  t.equal((await get(path)).status, 200, 'a long ticker');
  const one = await get('perpetualMarkets?ticker=ETH-USD');
  t.match(one.body, { markets: { 'ETH-USD': { status: 'ACTIVE' } } });
});

t.test('candles: a page that ends before a time, and bad parameters', async (t) => {
  const hour = 3_600_000;
  const open = now - (now % hour);
  const path = 'candles/perpetualMarkets/BTC-USD?resolution=1HOUR&limit=2';
  const toISO = new Date(open).toISOString();
  const iso = (time: number) => ({ startedAt: new Date(time).toISOString() });
  t.match((await get(`${path}&toISO=${toISO}`)).body, {
    candles: [iso(open - hour), iso(open - 2 * hour)],
  });
  t.match((await get(`${path}&fromISO=${toISO}`)).body, { candles: [iso(open)] });
  for (const [query, param] of [
    ['resolution=2HOURS', 'resolution'],
    ['resolution=1HOUR&limit=1001', 'limit'],
    ['resolution=1HOUR&toISO=never', 'toISO'],
  ] as const) {
    const { status, body } = await get(`candles/perpetualMarkets/BTC-USD?${query}`);
    t.equal(status, 400);
    t.match(body, { errors: [{ param }] });
  }
});
