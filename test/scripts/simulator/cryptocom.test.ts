import t from 'tap';
import { cryptocom } from '../../../scripts/simulator/venues/cryptocom.ts';
import { absent, recording } from '../../support/recordings.ts';
import { differences } from '../../support/shape.ts';
import { now, simulated } from '../../support/simulated-venue.ts';

const running = await simulated(cryptocom);
t.teardown(() => running.close());
const get = async (path: string) => {
  const response = await fetch(`${running.url}/api.crypto.com/exchange/v1/public/get-${path}`);
  return { status: response.status, body: JSON.parse(await response.text()) };
};
const perpetual = 'instrument_name=BTCUSD-PERP';

t.test('keys and types are those of the recordings', { skip: absent }, async (t) => {
  for (const [file, path] of [
    ['tickers', `tickers?${perpetual}`],
    ['order-book', 'book?instrument_name=BTC_USD&depth=3'],
    ['funding-current', `valuations?${perpetual}&valuation_type=estimated_funding_rate&count=1`],
    ['funding-history', `valuations?${perpetual}&valuation_type=funding_hist&count=1`],
    ['candles', 'candlestick?instrument_name=BTC_USD&timeframe=1m'],
    ['error-invalid-instrument', 'book?instrument_name=NOPEUSD-PERP&depth=10'],
  ] as const) {
    const real = recording('cryptocom', file);
    const ours = await get(path);
    t.equal(ours.status, real?.status, `${file}: status`);
    t.same(differences(real?.response, ours.body), [], file);
  }
});

t.test('each type of instrument has the keys of the recorded one', { skip: absent }, async (t) => {
  const real = JSON.parse(JSON.stringify(recording('cryptocom', 'instruments')?.response));
  const { body } = await get('instruments');
  t.same(differences({ ...real, result: {} }, { ...body, result: {} }), []);
  for (const type of ['CCY_PAIR', 'PERPETUAL_SWAP', 'FUTURE']) {
    const rows = (list: { inst_type: string }[]) => list.filter((row) => row.inst_type === type);
    // `product_type` is newer than the recording.
    const sides = [rows(real.result.data), rows(body.result.data)] as const;
    t.same(differences(...sides, { newer: ['product_type'] }), [], type);
  }
});

t.test('what the lists hold', async (t) => {
  const { data } = (await get('instruments')).body.result;
  const has = (wanted: object) =>
    data.some((row: object) =>
      Object.entries(wanted).every(([k, v]) =>
        Object.entries(row).some(([a, b]) => a === k && b === v),
      ),
    );
  t.ok(has({ symbol: 'ETH_BTC', inst_type: 'CCY_PAIR' }), 'a pair not in dollars');
  t.ok(has({ inst_type: 'PERPETUAL_SWAP', tradable: false }), 'one is suspended');
  t.ok(has({ product_type: 'EQUITY' }));
  const idle = (await get('tickers')).body.result.data.filter(
    (row: { a: unknown }) => row.a === null,
  );
  t.match(idle, [{ b: null, k: null, c: null }]);
});

t.test('bad parameters, ranges, marks', async (t) => {
  for (const path of [
    'book?instrument_name=BTC_USD&depth=0',
    'book?instrument_name=BTC_USD&depth=200',
    'candlestick?instrument_name=BTC_USD&timeframe=2h',
    'candlestick?instrument_name=BTC_USD&count=x',
    'valuations?instrument_name=BTC_USD&valuation_type=mark_price',
    `valuations?${perpetual}&valuation_type=nope`,
  ]) {
    t.match(await get(path), { status: 400, body: { code: 40_004 } }, path);
  }
  for (const type of ['mark_price', 'index_price', 'funding_rate']) {
    const { body } = await get(`valuations?${perpetual}&valuation_type=${type}&count=1`);
    t.equal(body.result.data.length, 1, type);
  }
  const path = 'candlestick?instrument_name=BTC_USD&timeframe=1h';
  const { data } = (await get(`${path}&start_ts=${now - 7_200_000}&end_ts=${now}`)).body.result;
  t.equal(data.length, 2);
  t.equal((await get(path)).body.result.data.length, 25);
});

t.test('a subscription is acknowledged', async (t) => {
  const [text = ''] = cryptocom.reply?.(JSON.stringify({ id: 4, method: 'subscribe' })) ?? [];
  t.strictSame(JSON.parse(text), { id: 4, method: 'subscribe', code: 0 });
});
