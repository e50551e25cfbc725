/** The whole service as a stranger starts it: every process, a real redis-server, the simulator. */
import { once } from 'node:events';
import t from 'tap';
import { jobNames } from '../../../actors/registry.ts';
import { indicatorNames } from '../../../actors/topics/index.ts';
import { venues } from '../../../actors/venues/registry.ts';
import { longNumbers } from '../../support/digits.ts';
import { seePages } from '../../support/pages.ts';
import { type Service, startService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const wallet = '/v1/onchain/wallet?address=0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

/** Everything that no exchange tells, but for the market indicators. */
const elsewhere = [
  ...['gas', 'blocks', 'supply?token=usdc', 'exchange-flows'].map((name) => `/v1/onchain/${name}`),
  wallet,
  ...['rates', 'tvl', 'overview'].map((name) => `/v1/lending/${name}`),
  ...['uniswap', 'raydium', 'orca'].map((dex) => `/v2/dex/${dex}/pools?limit=3`),
  '/v2/dex/search?q=PEPE',
  '/v2/dex/token/0x6982508145454Ce325dDbE47a25d4ec3d2311933',
  '/v2/defi/stablecoins',
];

const works = async ({ get }: Service) => {
  try {
    const price = await get('/v1/prices?symbol=BTC');
    const book = await get('/v2/orderbook?exchange=okx&symbol=BTC-USDT-SWAP&depth=1');
    const rsi = await get('/v1/indicators?symbol=BTCUSDT');
    const gas = await get('/v1/onchain/gas');
    const held = await get(wallet);
    return [price, book, rsi, gas, held].every(({ status }) => status === 200);
  } catch {
    return false;
  }
};

t.test(
  'it serves, survives the death of any of its processes, and leaves none behind',
  async (t) => {
    const service = await startService(t, { args: ['--demo'] });
    const { get, running } = service;

    const ready = async () => (await get('/readyz')).status === 200;
    await until(ready, 'it is ready', 90_000, 300);
    const exchanges = Object.keys(venues).sort();
    const priced = async () => {
      const { exchanges: found = {} } = (await get('/v1/prices?symbol=btc')).data;
      return Object.keys(found).sort().join() === exchanges.join();
    };
    await until(priced, 'all of the registry have a price', 90_000, 300);
    const sources = [...exchanges, ...jobNames.keys(), 'history'].sort();
    const known = async () => Object.keys((await get('/v1/status')).data.sources ?? {}).sort();
    // The libraries of the chains take a while to load.
    await until(async () => (await known()).length >= sources.length, 'all report', 90_000, 300);
    t.same(await known(), sources);
    t.match((await get('/healthz')).data, { history: { state: 'up', problem: null } });
    const market = indicatorNames.map((name) => `/v1/indicators/${name}?limit=2`);
    const core = [
      ...['/v1/prices', '/v1/open-interest', '/v1/open-interest?symbol=BTC', '/v1/status'],
      ...['/v1/bars?symbol=ETH&interval=1d&limit=3', '/v1/indicators?symbol=BTCUSDT'],
      '/v1/orderbook?exchange=binance&symbol=BTCUSDT',
    ];
    const long = async (path: string): Promise<string[]> => {
      let found: string[] | null = null;
      // Readiness does not wait for slow sources.
      const answered = async () => {
        const { status, data } = await get(path).catch(() => ({ status: 0, data: {} }));
        if (status === 200) found = longNumbers(data).map((number) => `${path}: ${number}`);
        return found !== null;
      };
      await until(answered, `${path} is answered`, 90_000, 300);
      return found ?? [];
    };
    const paths = [...core, ...elsewhere, ...market];
    const [found] = await Promise.all([Promise.all(paths.map(long)), seePages(t, service)]);
    t.strictSame(found.flat(), [], 'no number has more than 12 digits');

    // Those that die together come back together.
    for (const parts of [
      ['cmd/web.ts', 'cmd/feed.ts', 'cmd/compute.ts', 'cmd/history.ts'],
      ['redis-server', 'simulator/main.ts'],
    ]) {
      const before = parts.map((part) => running(part));
      for (const [i, pids] of before.entries()) t.ok(pids.length > 0, `${parts[i]} runs`);
      for (const pid of before.flat()) process.kill(pid, 'SIGKILL');
      const isBack = (part: string, i: number) =>
        until(() => running(part).some((pid) => !before[i]?.includes(pid)), `${part} is back`);
      await Promise.all(parts.map(isBack));
      await until(
        () => works(service),
        `the service works without the killed ${parts}`,
        80_000,
        200,
      );
      t.pass(`killed ${parts}: they came back`);
    }

    const ended = once(service.child, 'exit');
    service.child.kill('SIGTERM');
    const [code] = await ended;
    t.equal(code, 0, 'SIGTERM ends it with status 0');
    await until(() => running().length === 0, 'no process is left', 10_000);
  },
);
