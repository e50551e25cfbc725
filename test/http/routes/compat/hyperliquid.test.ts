/** Hyperliquid as it is simulated, and this service in its form: both are asked in one moment. */
import t from 'tap';
import { success } from '../../../../actors/failure.ts';
import { createSupervisor } from '../../../../actors/kernel/supervisor.ts';
import { QueryCaches } from '../../../../actors/queries/query-cache.ts';
import { trackedFeeds } from '../../../../actors/sources/feeds.ts';
import { InstrumentBook } from '../../../../actors/sources/instruments.ts';
import { venueAnswers } from '../../../../actors/sources/queries/queries.ts';
import { Relays } from '../../../../actors/sources/streams/relay.ts';
import { NewestRows } from '../../../../actors/state/newest-rows.ts';
import { createHttpClient } from '../../../../actors/upstream/client.ts';
import { hyperliquid } from '../../../../actors/venues/hyperliquid/index.ts';
import { RelayedChannels } from '../../../../http/answers/relayed.ts';
import {
  hyperliquidCompatRoutes,
  hyperliquidOtherwise,
} from '../../../../http/routes/compat/hyperliquid/index.ts';
import { hyperliquid as exchange } from '../../../../scripts/simulator/venues/hyperliquid.ts';
import { FakeClock } from '../../../support/clock.ts';
import { feedContext } from '../../../support/feed-stage.ts';
import { startServer } from '../../../support/http.ts';
import { queryBus, served } from '../../../support/queries.ts';
import { simulated } from '../../../support/simulated.ts';

const clock = new FakeClock(Date.UTC(2026, 0, 15, 12));
let asked = 0;
const simulator = await simulated(t, [exchange], { clock, seed: 7, log: () => asked++ });
const gateway = simulator.url;
const client = createHttpClient({ source: 'hyperliquid', apis: hyperliquid.apis, gateway, clock });
t.teardown(() => client.close());
const relays = new Relays(clock);
const answers = venueAnswers(hyperliquid, client, {
  book: new InstrumentBook(new NewestRows()),
  clock,
  caches: new QueryCaches(clock),
  onUnknown: () => {},
  relays,
});
const bus = served(answers, clock);
const { context } = feedContext(clock, new URL(gateway).host);
const supervisor = createSupervisor({ name: 'test', clock, random: () => 0, onEvent: () => {} });
for (const one of trackedFeeds(hyperliquid, { ...context, relays })) supervisor.spawn(one);
const server = await startServer(t, hyperliquidCompatRoutes({ bus }), {
  clock,
  otherwise: [hyperliquidOtherwise],
  inFlightPerAddress: 1_000,
  relayed: new RelayedChannels({ clock, query: bus.query }),
});
t.teardown(async () => {
  const stopped = supervisor.stop();
  await clock.advance(10_000);
  await stopped;
});
t.teardown(() => server.end());

/** The status and the text of an answer. */
async function ask(at: string, body: unknown): Promise<[number, string]> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(at, { method: 'POST', headers, body: JSON.stringify(body) });
  return [response.status, await response.text()];
}
const here = `${server.url}/compat/hyperliquid/info`;
const there = `${simulator.url}/api.hyperliquid.xyz/info`;

t.test('a question is answered as by the exchange, byte by byte', async (t) => {
  const startTime = clock.now() - 3_600_000;
  const questions = [
    { type: 'meta' },
    { type: 'metaAndAssetCtxs' },
    { type: 'metaAndAssetCtxs', dex: '' },
    { type: 'metaAndAssetCtxs', dex: 'xyz' },
    { type: 'allMids', dex: 'xyz' },
    { type: 'spotMetaAndAssetCtxs' },
    { type: 'l2Book', coin: 'BTC' },
    { type: 'l2Book', coin: 'NONE' },
    { type: 'spotMeta' },
    { type: 'perpDexs' },
    { type: 'allMids' },
    {
      type: 'candleSnapshot',
      req: { coin: 'BTC', interval: '1m', startTime, endTime: clock.now() },
    },
    { type: 'fundingHistory', coin: 'BTC', startTime },
    { type: 'fundingHistory', coin: 'NONE', startTime },
    { type: 'metaAndAssetCtxs', dex: 'none' },
  ];
  for (const question of questions) {
    const [status, text] = await ask(there, question);
    t.strictSame(await ask(here, question), [status, text], JSON.stringify(question));
  }
});

t.test('ccxt gives here what it gives there', async (t) => {
  await clock.advance(120_000);
  const { default: ccxt } = await import('ccxt');
  const at = (url: string) =>
    new ccxt.hyperliquid({ enableRateLimit: false, urls: { api: { public: url } } });
  const [ours, theirs] = [here, there].map((url) => at(url.replace('/info', '')));
  if (!ours || !theirs) throw new Error('no clients');
  const markets = Object.keys(await ours.loadMarkets());
  t.ok(markets.length > 10);
  t.strictSame(markets, Object.keys(await theirs.loadMarkets()));
  const since = clock.now() - 3_600_000;
  for (const call of [
    (one: typeof ours) => one.fetchOrderBook('BTC/USDC:USDC'),
    (one: typeof ours) => one.fetchOHLCV('BTC/USDC:USDC', '5m', since, 10, { until: clock.now() }),
    (one: typeof ours) => one.fetchOrderBook('XYZ-TSLA/USDC:USDC'),
    (one: typeof ours) => one.fetchOHLCV('XYZ-TSLA/USDC:USDC', '1h', since, 3),
    (one: typeof ours) => one.fetchFundingRateHistory('XYZ-TSLA/USDC:USDC', since, 3),
    (one: typeof ours) => one.fetchTickers(['XYZ-TSLA/USDC:USDC']),
    (one: typeof ours) => one.fetchFundingRates(),
    (one: typeof ours) => one.fetchTickers(['BTC/USDC:USDC', 'ETH/USDC:USDC']),
  ]) {
    const [found, expected] = await Promise.all([call(ours), call(theirs)]);
    t.strictSame(JSON.parse(JSON.stringify(found)), JSON.parse(JSON.stringify(expected)));
  }
});

t.test('ccxt watches here what it watches there', async (t) => {
  await clock.advance(120_000);
  const { default: ccxt } = await import('ccxt');
  const clients = [here, there].map((url) => {
    const at = url.replace('/info', '');
    const socket = at.replace('http', 'ws');
    return new ccxt.pro.hyperliquid({
      enableRateLimit: false,
      urls: { api: { public: at, ws: { public: `${socket}/ws` } } },
    });
  });
  const [ours, theirs] = clients;
  if (!ours || !theirs) throw new Error('no clients');
  t.teardown(() => Promise.all(clients.map((one) => one.close())));
  const running = setInterval(() => void clock.advance(100), 5);
  t.teardown(() => clearInterval(running));
  // For `ws://` without TLS.
  await Promise.all(clients.map((one) => one.loadHttpProxyAgent()));
  await Promise.all(clients.map((one) => one.loadMarkets()));
  const symbol = 'BTC/USDC:USDC';
  type Client = typeof ours;
  /** The first answers of a call until both clients have one that is equal. */
  const agree = async (name: string, call: (one: Client) => Promise<unknown>) => {
    const seen = [new Set<string>(), new Set<string>()];
    const isOver = () => [...(seen[0] ?? [])].some((one) => seen[1]?.has(one));
    const watch = async (one: Client, at: number) => {
      while (!isOver()) seen[at]?.add(JSON.stringify(await call(one)));
    };
    await Promise.race([watch(ours, 0), watch(theirs, 1)]);
    t.ok(isOver(), `${name}: the same of the same moment`);
  };
  await agree('order book', (one) => one.watchOrderBook(symbol));
  await agree('candles', async (one) => (await one.watchOHLCV(symbol, '1m')).at(-1));
  await agree('ticker', async (one) => ({
    ...(await one.watchTicker(symbol)),
    timestamp: 0,
    datetime: '',
  }));
  await agree('trades', async (one) => (await one.watchTrades(symbol)).at(-1));
  const share = 'XYZ-TSLA/USDC:USDC';
  await agree('trades of a share', async (one) => (await one.watchTrades(share)).at(-1));
  await agree('book of a share', (one) => one.watchOrderBook(share));
  await agree('middle prices', async (one) => {
    const { last } = (await one.watchTickers([symbol]))[symbol] ?? {};
    return last;
  });
});

t.test('equal questions, however they are written, are one to the exchange', async (t) => {
  await clock.advance(120_000);
  asked = 0;
  const spellings = [
    { type: 'l2Book', coin: 'ETH' },
    { coin: 'ETH', type: 'l2Book', other: 1 },
  ];
  const all = await Promise.all(
    Array.from({ length: 1_000 }, (_, at) => ask(here, spellings[at % 2])),
  );
  t.equal(new Set(all.map(([status, text]) => `${status} ${text}`)).size, 1);
  t.equal(asked, 1);
  await clock.advance(500);
  await ask(here, spellings[0]);
  t.equal(asked, 2, 'it is given to others for half a second');
});

t.test(
  'an answer from before the exchange failed is none: nothing in its form could say so',
  async (t) => {
    const stale = queryBus(async () =>
      success({ value: '{"BTC":"1"}', received: 1, until: 2, stale: true }),
    );
    const { url, end } = await startServer(t, hyperliquidCompatRoutes({ bus: stale }), { clock });
    t.teardown(end);
    const [status] = await ask(`${url}/compat/hyperliquid/info`, { type: 'allMids' });
    t.equal(status, 502);
  },
);

t.test('accounts, orders and broken questions are refused with a sentence, unasked', async (t) => {
  asked = 0;
  for (const body of [
    { type: 'clearinghouseState', user: '0xdfc24b077bc1425ad1dea75bcb6f8158e10df303' },
    { type: 'l2Book', coin: 'B T C' },
    { type: 'l2Book' },
    { type: 'candleSnapshot', req: { coin: 'BTC', interval: '7m', startTime: 0 } },
    { type: 'toString' },
    {},
  ]) {
    const [status, text] = await ask(here, body);
    t.equal(status, 422, JSON.stringify(body));
    t.ok(text !== '' && !text.startsWith('{'), text);
  }
  const [status, text] = await ask(`${server.url}/compat/hyperliquid/exchange`, { action: {} });
  t.equal(status, 404);
  t.match(text, /ask Hyperliquid itself for accounts and orders/);
  t.equal(asked, 0);
});
