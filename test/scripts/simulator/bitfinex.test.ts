import t from 'tap';
import { bitfinex } from '../../../scripts/simulator/venues/bitfinex.ts';
import { absent, recording } from '../../support/recordings.ts';
import { differences } from '../../support/shape.ts';
import { simulated } from '../../support/simulated-venue.ts';

const running = await simulated(bitfinex);
t.teardown(() => running.close());
const get = async (path: string) => {
  const response = await fetch(`${running.url}/api-pub.bitfinex.com/v2/${path}`);
  return { status: response.status, body: JSON.parse(await response.text()) };
};

t.test('columns and types are those of the recordings', { skip: absent }, async (t) => {
  for (const [file, path] of [
    ['pairs-spot', 'conf/pub:info:pair'],
    ['pairs-futures', 'conf/pub:info:pair:futures'],
    ['tickers', 'tickers?symbols=tBTCUSD'],
    ['funding-tickers', 'tickers?symbols=fUSD'],
    ['deriv-status', 'status/deriv?keys=ALL'],
    ['orderbook', 'book/tBTCUSD/P0?len=25'],
    ['candles', 'candles/trade:1m:tBTCUSD/hist?limit=3'],
  ] as const) {
    const real = recording('bitfinex', file);
    const ours = await get(path);
    t.equal(ours.status, real?.status, `${file}: status`);
    t.same(differences(real?.response, ours.body), [], file);
  }
  const real = recording('bitfinex', 'error-ratelimit');
  t.same(bitfinex.refusals.rate_limit, { status: real?.status, body: real?.response });
});

t.test('what the answers hold', async (t) => {
  const { body } = await get('conf/pub:info:pair:futures,pub:map:currency:sym');
  t.equal(body.length, 2, 'a value for each name');
  t.same(body[1][0], ['UST', 'USDt']);
  const symbols = (await get('tickers?symbols=ALL')).body.map((row: unknown[]) => row[0]);
  for (const id of ['tBTCUSD', 'tDOGE:USD', 'tBTCUST', 'tETHBTC', 'tBTCF0:USTF0', 'fUSD']) {
    t.ok(symbols.includes(id), id);
  }
  const listed: string[] = body[0].map(([pair]: [string]) => `t${pair}`);
  t.equal(listed.filter((id) => !symbols.includes(id)).length, 1, 'one does not trade');
});

t.test('candles: order and range', async (t) => {
  const path = 'candles/trade:1h:tBTCUSD/hist?limit=3';
  const times = async (query: string) =>
    (await get(`${path}${query}`)).body.map((row: number[]) => row[0]);
  const newest = await times('');
  t.same(
    newest,
    [...newest].sort((a, b) => b - a),
  );
  t.same(await times('&sort=1'), [...newest].reverse());
  t.equal((await times(`&end=${newest[2] - 1}`))[0], newest[2] - 3_600_000);
  for (const wrong of [
    'candles/trade:2h:tBTCUSD/hist',
    'book/tBTCUSD/P0?len=20',
    'conf/pub:nope',
  ]) {
    t.match(await get(wrong), { status: 500, body: ['error', 10_020] });
  }
});

t.test('a subscription is acknowledged', async (t) => {
  const frame = { event: 'subscribe', channel: 'status', key: 'liq:global' };
  const [text = ''] = bitfinex.reply?.(JSON.stringify(frame)) ?? [];
  t.match(JSON.parse(text), { event: 'subscribed', channel: 'status', key: 'liq:global' });
});
