import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import t from 'tap';
import type { Simulator, SimulatorOptions } from '../../../scripts/simulator/main.ts';
import { startSimulator } from '../../../scripts/simulator/main.ts';
import { FakeClock } from '../../support/clock.ts';
import { until } from '../../support/until.ts';

const now = Date.UTC(2026, 7, 14, 13, 37, 21, 250);
const started: Simulator[] = [];
const start = async (options: SimulatorOptions = {}) => {
  const simulator = await startSimulator({ symbols: 60, clock: new FakeClock(now), ...options });
  started.push(simulator);
  return simulator;
};
t.teardown(() => Promise.all(started.map((simulator) => simulator.close())));

const spot = '/api.binance.com/api/v3';
const linear = '/fapi.binance.com/fapi/v1';
const inverse = '/dapi.binance.com/dapi/v1';
const okx = '/www.okx.com/api/v5';
const paths = [
  `${spot}/exchangeInfo`,
  `${spot}/ticker/24hr`,
  `${spot}/depth?symbol=SHIBUSDT&limit=1000`,
  `${spot}/klines?symbol=ETHBTC&interval=1w&limit=5`,
  `${linear}/ticker/24hr`,
  `${linear}/premiumIndex`,
  `${linear}/fundingInfo`,
  `${inverse}/ticker/24hr`,
  `${okx}/public/instruments?instType=SWAP`,
  `${okx}/market/tickers?instType=SPOT`,
  `${okx}/public/funding-rate?instId=ANY`,
  `${okx}/market/candles?instId=BTC-USDT-SWAP&bar=1Dutc`,
];
const text = async (simulator: Simulator, path: string) =>
  (await fetch(simulator.url + path)).text();
const get = async (simulator: Simulator, path: string) => {
  const response = await fetch(simulator.url + path);
  const body = JSON.parse(await response.text());
  return { status: response.status, headers: response.headers, body };
};
const shared = await start();

t.test('same seed and clock, same bytes; another seed or second, other bytes', async (t) => {
  const [a, b, c] = [await start({ seed: 9 }), await start({ seed: 9 }), await start({ seed: 10 })];
  for (const path of paths) t.equal(await text(a, path), await text(b, path), path);
  const path = `${spot}/ticker/24hr`;
  t.not(await text(a, path), await text(c, path));
  b.clock.freeze(now + 1000);
  t.not(await text(a, path), await text(b, path));
  b.clock.freeze(now + 700);
  t.equal(await text(a, path), await text(b, path), 'one second is one world');
});

t.test('every host of a venue answers the same, with or without a port', async (t) => {
  const path = '/api/v3/klines?symbol=BTCUSDT&interval=1h&limit=2';
  const hosts = ['api.binance.com', 'data-api.binance.vision', 'api4.binance.com:443'];
  const answers = await Promise.all(hosts.map((host) => text(shared, `/${host}${path}`)));
  t.equal(new Set(answers).size, 1);
});

t.test('unknown hosts and paths', async (t) => {
  t.match(await get(shared, '/api.nowhere.com/x'), { status: 404, body: { error: /host/ } });
  t.match(await get(shared, '/api.binance.com/api/v9/x'), { status: 404, body: { error: /path/ } });
  t.equal((await get(shared, '/')).status, 404);
});

t.test('candle pages', async (t) => {
  const hour = 3_600_000;
  const base = Math.floor(now / hour) * hour;
  const times = async (query: string) => {
    const { body } = await get(shared, `${spot}/klines?symbol=BTCUSDT&interval=1h&${query}`);
    return body.map((row: number[]) => ((row[0] ?? 0) - base) / hour);
  };
  t.same(await times('limit=3'), [-2, -1, 0], 'the running one is the last');
  t.same(await times(`limit=2&startTime=${base - 9 * hour}`), [-9, -8]);
  t.same(await times(`limit=2&endTime=${base - 4 * hour - 1}`), [-6, -5]);
  t.same(await times(`startTime=${base - 3 * hour + 1}&endTime=${base - hour}`), [-2, -1]);
  const rows = async (path: string, query: string) => {
    const { body } = await get(shared, `${okx}/market/${path}?instId=BTC-USDT&bar=1H&${query}`);
    return body.data.map((row: string[]) => [(Number(row[0]) - base) / hour, row[8]]);
  };
  t.same(await rows('candles', 'limit=2'), [
    [0, '0'],
    [-1, '1'],
  ]);
  t.same(await rows('history-candles', 'limit=1'), [[-1, '1']]);
  t.same(await rows('candles', `limit=1&after=${base - 5 * hour}`), [[-6, '1']]);
  t.same(await rows('candles', `before=${base - 2 * hour}`), [
    [0, '0'],
    [-1, '1'],
  ]);
  t.same(await rows('candles', `after=${base - 1440 * hour}`), [], 'no more than 1440 bars back');
  t.equal((await rows('history-candles', `after=${base - 2000 * hour}`)).length, 100);
});

t.test('control: faults, clock, requests, truth', async (t) => {
  const simulator = await start();
  const send = async (method: string, path: string, body?: unknown) => {
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
    const response = await fetch(`${simulator.url}/_control/${path}`, init);
    return { status: response.status, body: JSON.parse(await response.text()) };
  };
  t.match(await send('POST', 'faults', [{ host: '*', kind: 'server_error', count: 1 }]), {
    status: 200,
    body: [{ kind: 'server_error', hits: 0 }],
  });
  t.equal((await get(simulator, `${spot}/time`)).status, 503);
  t.match((await send('GET', 'faults')).body, [{ hits: 1 }]);
  t.same((await send('DELETE', 'faults')).body, []);
  t.match(await send('POST', 'faults', { host: '*' }), { status: 400, body: { error: /array/ } });
  t.match(await send('POST', 'clock', { now: 1_780_000_000_000 }), { body: { frozen: true } });
  t.same((await get(simulator, `${spot}/time`)).body, { serverTime: 1_780_000_000_000 });
  t.match(await send('POST', 'clock', { now: 'x' }), { status: 400, body: { error: /now/ } });
  t.match(await send('POST', 'clock', { now: null }), { body: { frozen: false, now } });
  t.match((await send('GET', 'requests')).body, { 'api.binance.com/api/v3/time': 2 });
  const { body } = await send('GET', 'truth?venue=binance&market=BTCUSDT&kind=perpetual');
  const { body: ticker } = await get(simulator, `${linear}/ticker/24hr?symbol=BTCUSDT`);
  t.equal(body.price, Number(ticker.lastPrice));
  const rate = body.priceUsd / body.price;
  t.ok(Math.abs(body.volumeUsd / rate / Number(ticker.quoteVolume) - 1) < 1e-6);
  t.match(simulator.model.truth('binance', '1000PEPEUSDT'), { symbol: 'PEPE', scale: 1000 });
  t.equal((await send('GET', 'truth?venue=nope')).status, 400);
  t.equal((await send('GET', 'nope')).status, 404);
});

t.test('a WebSocket channel takes a subscription', async (t) => {
  const address = shared.url.replace('http', 'ws');
  const talk = async (path: string, frames: string[], replies: number) => {
    const socket = new WebSocket(address + path);
    const got: string[] = [];
    socket.addEventListener('message', ({ data }) => got.push(String(data)));
    await once(socket, 'open');
    for (const frame of frames) socket.send(frame);
    await until(() => got.length === replies, `${replies} replies`);
    socket.close();
    await once(socket, 'close');
    return got;
  };
  const params = Array.from({ length: 9000 }, (_, i) => `s${i}@ticker`);
  const long = JSON.stringify({ method: 'SUBSCRIBE', params, id: 2 });
  t.ok(long.length > 70_000, 'a frame with a 64-bit length');
  const short = JSON.stringify({ method: 'SUBSCRIBE', params: ['!forceOrder@arr'], id: 1 });
  const acks = await talk('/fstream.binance.com/market/ws', [short, long], 2);
  t.same(acks, ['{"result":null,"id":1}', '{"result":null,"id":2}']);
  const arg = { channel: 'liquidation-orders', instType: 'SWAP' };
  const subscribe = JSON.stringify({ op: 'subscribe', args: [arg] });
  const [pong, event] = await talk('/ws.okx.com:8443/ws/v5/public', ['ping', subscribe], 2);
  t.equal(pong, 'pong');
  t.match(JSON.parse(event ?? ''), { event: 'subscribe', arg });
});

t.test('the command prints its URL and stops on a signal', async (t) => {
  const main = join(import.meta.dirname, '../../../scripts/simulator/main.ts');
  const child = spawn(process.execPath, [main, '--port', '0', '--symbols', '12']);
  t.teardown(() => child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await until(() => output.endsWith('\n'), 'it prints a line');
  const response = await fetch(`${output.trim()}${spot}/time`);
  t.equal(response.status, 200);
  await response.text();
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  t.equal(code, 0);
  const bad = spawn(process.execPath, [main, '--symbols', '3']);
  let complaint = '';
  bad.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  t.same((await once(bad, 'exit'))[0], 1);
  t.match(complaint, '--symbols must be a whole number from 12 to 2000');
});
