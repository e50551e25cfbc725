import t from 'tap';
import { Agent, request } from 'undici';
import { startSimulator } from '../../../scripts/simulator/main.ts';
import { FakeClock } from '../../support/clock.ts';
import { until } from '../../support/until.ts';

const clock = new FakeClock(Date.UTC(2026, 7, 14, 13, 37, 21));
const simulator = await startSimulator({ symbols: 12, clock });
const agent = new Agent({ pipelining: 0 });
t.teardown(async () => {
  await agent.destroy();
  await simulator.close();
});

const url = `${simulator.url}/fapi.binance.com/fapi/v1/depth?symbol=BTCUSDT&limit=5`;
const ask = async (address = url, signal?: AbortSignal) => {
  const options = { dispatcher: agent, ...(signal ? { signal } : {}) };
  const { statusCode, headers, body } = await request(address, options);
  return { status: statusCode, headers, text: await body.text() };
};
const healthy = (await ask()).text;
const fault = (row: object) => simulator.faults.set([{ host: 'fapi.binance.com', ...row }]);
t.afterEach(() => simulator.faults.clear());

t.test('latency answers later', async (t) => {
  fault({ kind: 'latency', ms: 5000 });
  let answered = false;
  const pending = ask().then((answer) => {
    answered = true;
    return answer;
  });
  await until(() => clock.pending > 0, 'the answer waits');
  await clock.advance(4999);
  t.equal(answered, false);
  await clock.advance(1);
  t.equal((await pending).status, 200);
});

t.test('stall never answers, stall_body never ends', async (t) => {
  fault({ kind: 'stall' });
  const stop = new AbortController();
  const nothing = t.rejects(ask(url, stop.signal), { name: 'AbortError' });
  await until(() => simulator.faults.list()[0]?.hits === 1, 'the request is taken');
  stop.abort();
  await nothing;

  fault({ kind: 'stall_body' });
  const later = new AbortController();
  const { statusCode, headers, body } = await request(url, {
    dispatcher: agent,
    signal: later.signal,
  });
  t.equal(statusCode, 200);
  let size = 0;
  const reading = (async () => {
    for await (const chunk of body) size += chunk.length;
  })();
  const broken = t.rejects(reading, { name: 'AbortError' });
  const half = Math.floor(Number(headers['content-length']) / 2);
  await until(() => size === half, 'half of the body is there');
  later.abort();
  await broken;
});

t.test('reset and truncated end the connection', async (t) => {
  fault({ kind: 'reset' });
  await t.rejects(ask(), { code: /ECONNRESET|UND_ERR_SOCKET/ });
  fault({ kind: 'truncated' });
  await t.rejects(ask(), { code: /ECONNRESET|UND_ERR_SOCKET|CONTENT_LENGTH_MISMATCH/ });
});

t.test('rate_limit, ban and server_error are the venue\u2019s own', async (t) => {
  fault({ kind: 'rate_limit', retryAfter: 7 });
  const limited = await ask();
  t.equal(limited.status, 429);
  t.equal(limited.headers['retry-after'], '7');
  t.match(limited.text, '"code":-1003');
  fault({ kind: 'ban', retryAfter: 120 });
  const banned = await ask();
  t.equal(banned.status, 418);
  t.equal(banned.headers['retry-after'], '120');
  fault({ kind: 'server_error' });
  t.equal((await ask()).status, 503);
  simulator.faults.set([{ host: '*', kind: 'rate_limit' }]);
  const okx = await ask(`${simulator.url}/www.okx.com/api/v5/market/tickers?instType=SPOT`);
  t.equal(okx.status, 429);
  t.match(okx.text, '"code":"50011"');
});

t.test('bodies that cannot be used', async (t) => {
  fault({ kind: 'garbage' });
  const garbage = await ask();
  t.equal(garbage.status, 200);
  t.throws(() => JSON.parse(garbage.text));
  fault({ kind: 'html' });
  const html = await ask();
  t.match(html.headers['content-type'], 'text/html');
  t.match(html.text, /^<!DOCTYPE html>/);
  fault({ kind: 'wrong_shape' });
  const shape = JSON.parse((await ask()).text);
  t.same(Object.keys(shape), Object.keys(JSON.parse(healthy)), 'the keys are there');
  t.notOk(Array.isArray(shape.bids), 'the lists are not');
  t.equal(shape.lastUpdateId, null);
  fault({ kind: 'empty' });
  const empty = JSON.parse((await ask()).text);
  t.same(empty.bids, []);
  t.type(empty.lastUpdateId, 'number');
});

t.test('multiplied changes the prices of levels, and not their quantities', async (t) => {
  const whole = JSON.parse((await ask()).text);
  fault({ kind: 'multiplied', fields: ['bids'] });
  const changed = JSON.parse((await ask()).text);
  const [[price, quantity]] = whole.bids;
  t.strictSame([Number(changed.bids[0][0]), changed.bids[0][1]], [Number(price) * 1_000, quantity]);
  t.strictSame(changed.asks, whole.asks);
});

t.test('multiplied changes the numbers of the fields named, in text and as they are', async (t) => {
  const address = `${simulator.url}/fapi.binance.com/fapi/v1/premiumIndex?symbol=BTCUSDT`;
  const before = JSON.parse((await ask(address)).text);
  fault({ kind: 'multiplied', fields: ['markPrice', 'time'], factor: 2 });
  const after = JSON.parse((await ask(address)).text);
  t.same(after, { ...before, markPrice: `${before.markPrice * 2}`, time: before.time * 2 });
  t.throws(() => fault({ kind: 'multiplied', fields: 'markPrice' }), { message: /fields/ });
});

t.test('frozen repeats the answer of the second it was set in', async (t) => {
  const before = (await ask()).text;
  fault({ kind: 'frozen' });
  await clock.advance(10_000);
  t.equal((await ask()).text, before);
  simulator.faults.clear();
  t.not((await ask()).text, before);
});

t.test('host, path, count and share choose the requests', async (t) => {
  fault({ kind: 'server_error', path: '/fapi/v1/klines' });
  t.equal((await ask()).status, 200, 'another path');
  simulator.faults.set([{ host: 'api.binance.com', kind: 'server_error' }]);
  t.equal((await ask()).status, 200, 'another host');
  fault({ kind: 'server_error', count: 2 });
  const statuses = [await ask(), await ask(), await ask()].map(({ status }) => status);
  t.same(statuses, [503, 503, 200], 'only so many');
  fault({ kind: 'server_error', share: 0.5 });
  const drawn = async () => {
    const list: number[] = [];
    for (let i = 0; i < 40; i++) list.push((await ask()).status);
    return list;
  };
  const first = await drawn();
  const hits = first.filter((status) => status === 503).length;
  t.ok(hits > 8 && hits < 32, `about half: ${hits}`);
  t.match(simulator.faults.list()[0], { seen: 40, hits });
  fault({ kind: 'server_error', share: 0.5 });
  t.same(await drawn(), first, 'the same ones every time');
});

t.test('bad faults are refused with the name of the field, and change nothing', async (t) => {
  fault({ kind: 'reset' });
  const bad: [object, RegExp][] = [
    [{ kind: 'nope', host: '*' }, /kind must be one of latency, stall/],
    [{ kind: 'reset' }, /host/],
    [{ kind: 'reset', host: '*', path: 3 }, /path/],
    [{ kind: 'latency', host: '*', ms: -1 }, /ms must be a number from 0/],
    [{ kind: 'reset', host: '*', share: 2 }, /share must be a number from 0 to 1/],
  ];
  for (const [row, message] of bad) t.throws(() => simulator.faults.set([row]), message);
  t.equal(simulator.faults.list().length, 1);
});
