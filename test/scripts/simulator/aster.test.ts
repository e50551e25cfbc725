import t from 'tap';
import { isRecord } from '../../../actors/read.ts';
import { aster } from '../../../scripts/simulator/venues/aster.ts';
import { absent, recording } from '../../support/recordings.ts';
import { sameShape } from '../../support/shape.ts';
import { simulated } from '../../support/simulated-venue.ts';

const running = await simulated(aster);
t.teardown(() => running.close());
const get = async (url: string): Promise<{ status: number; body: unknown }> => {
  const response = await fetch(`${running.url}/${url}`);
  return { status: response.status, body: await response.json() };
};
const fapi = 'fapi.asterdex.com/fapi/v3';

t.test('keys and types are those of the recordings', { skip: absent }, async (t) => {
  for (const name of [
    'book-ticker',
    'candles',
    'error-invalid-symbol',
    'funding-info',
    'order-book',
    'premium-index',
    'tickers-perp',
  ]) {
    await sameShape(t, running.url, [name, recording('aster', name)]);
  }
});

/** Of spot, or of no use to anybody outside; the recording shows both and every number as text. */
const others = [
  'listingTime',
  'baseAssetAddress',
  'ocoAllowed',
  'symbolType',
  'tradingMode',
  'name',
  'channel',
  'sequenceNo',
  'twapMinNotional',
  'imn',
  'tags',
  'createTime',
];

t.test('the keys of a contract', { skip: absent }, async (t) => {
  const rowOf = (body: unknown): string[] => {
    const symbols: unknown[] = isRecord(body) && Array.isArray(body.symbols) ? body.symbols : [];
    return isRecord(symbols[0]) ? Object.keys(symbols[0]).sort() : [];
  };
  const real = rowOf(recording('aster', 'exchange-info-symbols')?.response);
  const { body } = await get(`${fapi}/exchangeInfo`);
  t.ok(real.length > 20);
  t.same(
    rowOf(body),
    real.filter((key) => !others.includes(key)),
  );
});

t.test('refusals', async (t) => {
  for (const [path, code] of [
    ['depth', -1102],
    ['depth?symbol=BTCUSDT&limit=7', -4021],
    ['klines?symbol=BTCUSDT', -1102],
    ['klines?symbol=BTCUSDT&interval=7h', -1120],
    ['klines?symbol=BTCUSDT&interval=1h&limit=1501', -1130],
    ['klines?symbol=BTCUSDT&interval=1h&limit=x', -1100],
    ['openInterest?symbol=NOPE', -1121],
  ] as const) {
    const { status, body } = await get(`${fapi}/${path}`);
    t.equal(status, 400, path);
    t.match(body, { code }, path);
  }
});
