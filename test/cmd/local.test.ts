/** The whole service as one command starts it: every process and all sources, a real redis-server, and a simulator with a part of the coins of the demo. */
import { once } from 'node:events';
import t from 'tap';
import { jobNames } from '../../actors/registry.ts';
import { indicatorNames } from '../../actors/topics/index.ts';
import { venues } from '../../actors/venues/registry.ts';
import { longNumbers } from '../support/digits.ts';
import { followStreams } from '../support/followed-streams.ts';
import { type Service, startService } from '../support/service.ts';
import { simulatorProcess } from '../support/simulator-process.ts';
import { until } from '../support/until.ts';

const wallet = '/v1/onchain/wallet?address=0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

/** All sources that are not exchanges, except those of the market indicators. */
const elsewhere = [
  ...['gas', 'blocks', 'supply?token=usdc', 'exchange-flows'].map((name) => `/v1/onchain/${name}`),
  wallet,
  ...['rates', 'tvl', 'overview'].map((name) => `/v1/lending/${name}`),
  ...['uniswap', 'raydium', 'orca'].map((dex) => `/v2/dex/${dex}/pools?limit=3`),
  '/v2/dex/search?q=PEPE',
  '/v2/dex/token/0x6982508145454Ce325dDbE47a25d4ec3d2311933',
  '/v2/defi/stablecoins',
];

/** Markets of builders, wallets, and what is made of several exchanges. */
const markets = [
  ...['prices', 'funding-rates', 'open-interest'].map((name) => `/v1/${name}?symbol=XYZ:TSLA`),
  ...['trades', 'orderbook', 'bars'].map(
    (name) => `/v1/${name}?exchange=hyperliquid&symbol=XYZ:TSLA&kind=perpetual`,
  ),
  ...['positions', 'whales', 'distribution', 'liquidation-map'].map(
    (name) => `/v1/hyperliquid/${name}?symbol=BTC`,
  ),
  `/v1/hyperliquid/wallet?address=0x${'b'.repeat(32)}00000001`,
  '/v1/futures/coins-markets?class=stock&limit=3',
  '/v1/futures/taker-buysell/aggregated?symbol=BTC',
  '/v1/futures/orderbook/history?symbol=BTC',
  '/v1/liquidations/aggregated-map?symbol=BTC',
  '/v1/instruments/delisted',
];

const needed = [
  '/v1/prices?symbol=BTC',
  '/v2/orderbook?exchange=okx&symbol=BTC-USDT-SWAP&depth=1',
  '/v1/indicators?symbol=BTCUSDT',
  '/v1/onchain/gas',
  wallet,
];

/** Waits until all that is needed is answered; says else what is not. */
async function works({ get }: Service, when: string): Promise<void> {
  let missing = '';
  const answered = async () => {
    for (const path of needed) {
      const found = await get(path).catch((error: unknown) => ({ status: 0, data: String(error) }));
      missing = `${path}: ${found.status} ${JSON.stringify(found.data).slice(0, 200)}`;
      if (found.status !== 200) return false;
    }
    return true;
  };
  await until(answered, () => `it works ${when}; ${missing}`, patience, 300);
}

/** Longest wait, ms: other tests run beside this one, and a start takes all of a slow machine by itself. */
const patience = 240_000;
t.setTimeout(1_200_000);

t.test('it serves, survives the death of its processes, leaves none behind', async (t) => {
  t.setTimeout(1_200_000);
  // Enough for the altcoin season.
  const simulator = await simulatorProcess(t, { symbols: 80 });
  const service = await startService(t, {
    env: { WEB_CONCURRENCY: '1', UPSTREAM_GATEWAY: simulator.url, SIMULATED_DATA: '1' },
  });
  const { get, running } = service;

  const ready = async () => (await get('/readyz')).status === 200;
  await until(ready, 'it is ready', patience, 500);
  const exchanges = Object.keys(venues).sort();
  const priced = async () => {
    const { exchanges: found = {} } = (await get('/v1/prices?symbol=btc')).data;
    return Object.keys(found).sort().join() === exchanges.join();
  };
  await until(priced, 'all of the registry have a price', patience, 500);
  const sources = [...exchanges, ...jobNames.keys(), 'history'].sort();
  const known = async () => Object.keys((await get('/v1/status')).data.sources ?? {}).sort();
  // The libraries of the chains take a while to load.
  await until(async () => (await known()).length >= sources.length, 'all report', patience, 500);
  t.same(await known(), sources);
  t.match((await get('/healthz')).data, {
    data: 'simulated',
    history: { state: 'up', problem: null },
  });
  const market = indicatorNames.map((name) => `/v1/indicators/${name}?limit=2`);
  const core = [
    '/v1/prices',
    '/v1/open-interest',
    '/v1/open-interest?symbol=BTC',
    '/v1/status',
    '/v1/bars?symbol=ETH&interval=1d&limit=3',
    '/v1/indicators?symbol=BTCUSDT',
    '/v1/orderbook?exchange=binance&symbol=BTCUSDT',
  ];
  for (const path of [...core, ...elsewhere, ...markets, ...market]) {
    // Readiness does not wait for slow sources.
    let answer = await get(path);
    const answered = async () => {
      if (answer.status !== 200) answer = await get(path);
      return answer.status === 200;
    };
    await until(answered, `${path} is answered`, patience, 500);
    t.strictSame(longNumbers(answer.data), [], `${path}: no number has more than 12 digits`);
  }

  const streams = await followStreams(t, service);
  await streams.first();

  // Those that die together come back together.
  for (const parts of [
    ['cmd/web.ts'],
    ['cmd/feed.ts', 'cmd/compute.ts', 'cmd/history.ts', 'cmd/alerts.ts'],
    ['redis-server'],
  ]) {
    const before = new Map(parts.map((part) => [part, running(part)]));
    for (const [part, pids] of before) t.ok(pids.length > 0, `${part} runs`);
    for (const pid of [...before.values()].flat()) process.kill(pid, 'SIGKILL');
    for (const [part, pids] of before)
      await until(() => running(part).some((pid) => !pids.includes(pid)), `${part} is back`);
    await works(service, `without the killed ${parts}`);
    t.pass(`killed ${parts}: back`);
    if (parts.includes('cmd/web.ts')) await streams.again();
  }

  await simulator.again();
  await works(service, 'with its upstreams back');

  await streams.lost();

  const ended = once(service.child, 'exit');
  service.child.kill('SIGTERM');
  const [code] = await ended;
  t.equal(code, 0, 'SIGTERM ends it with status 0');
  await until(() => running().length === 0, 'no process is left', 10_000);
});
