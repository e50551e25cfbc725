/**
 * ccxt at the simulated exchange and at this service, in the same moment: it gives the same. Among the calls are those of Freqtrade,
 * with its arguments: https://github.com/freqtrade/freqtrade/tree/develop/freqtrade/exchange
 */
import type { binance as Binance } from 'ccxt';
import t, { type Test } from 'tap';
import { binanceStage } from './stage.ts';

const stage = await binanceStage(t);

/** ccxt with its URLs set to a place that has both APIs. */
async function clientAt(spot: string, contracts: string, second = 'v2'): Promise<Binance> {
  const { default: ccxt } = await import('ccxt');
  const api = {
    public: `${spot}/api/v3`,
    fapiPublic: `${contracts}/fapi/v1`,
    fapiPublicV2: `${contracts}/fapi/${second}`,
    fapiPrivate: `${contracts}/fapi/v1`,
  };
  const options = { fetchMarkets: { types: ['spot', 'linear'] } };
  return new ccxt.binance({ enableRateLimit: false, options, urls: { api } });
}
const there = await clientAt(
  `${stage.exchange}/api.binance.com`,
  `${stage.exchange}/fapi.binance.com`,
  // The simulated exchange has no second version, whose answer is the same.
  'v1',
);
const here = await clientAt(`${stage.url}/compat/binance`, `${stage.url}/compat/binance`);

/** What ccxt gives without the bodies that it was read from, and without what is not had here. */
function comparable(given: unknown, without: readonly string[] = []): unknown {
  const left = new Set(['info', ...without]);
  const keep = (name: string, value: unknown) => (left.has(name) ? undefined : value);
  return JSON.parse(JSON.stringify(given, keep));
}

async function same(
  test: Test,
  call: (client: Binance) => Promise<unknown>,
  without: readonly string[] = [],
): Promise<void> {
  const [expected, found] = await Promise.all([call(there), call(here)]);
  test.strictSame(comparable(found, without), comparable(expected, without));
}

const [spot, swap] = ['BTC/USDT', 'BTC/USDT:USDT'];
/** With a market that is priced by the thousand. */
const markets = [spot, 'PEPE/USDT', swap, '1000PEPE/USDT:USDT'];

t.test('loadMarkets: every market that is traded, with its rules', async (t) => {
  const [expected, found] = await Promise.all([there.loadMarkets(), here.loadMarkets()]);
  // Stopped pairs, dated and equity contracts are not followed here.
  const followed = Object.entries(expected).filter(
    ([, market]) => market?.active && (market.spot || market.swap) && !isEquity(market.info),
  );
  t.ok(followed.length > 20, `${followed.length} markets`);
  t.strictSame(Object.keys(found).sort(), followed.map(([name]) => name).sort());
  for (const [name, market] of followed) {
    t.strictSame(comparable(found[name]), comparable(market), name);
    // Freqtrade buys no contract that is about to end.
    t.equal(found[name]?.info.deliveryDate, market?.info.deliveryDate, name);
  }
});

t.test('the class for contracts alone loads them and their quotes', async (t) => {
  const { default: ccxt } = await import('ccxt');
  const at = `${stage.url}/compat/binance/fapi`;
  const api = { fapiPublic: `${at}/v1`, fapiPublicV2: `${at}/v2` };
  const client = new ccxt.binanceusdm({ enableRateLimit: false, urls: { api } });
  const found = Object.values(await client.loadMarkets());
  t.ok(found.length > 10);
  t.ok(found.every((market) => market?.swap && market.linear && market.settle));
  const [tickers, quotes] = [await client.fetchTickers(), await client.fetchBidsAsks()];
  for (const name of Object.keys(tickers)) t.ok(quotes[name]?.bid, `${name} has a bid`);
});
const isEquity = (info: unknown): boolean => Object(info).contractType === 'TRADIFI_PERPETUAL';

// Volumes at the best prices and the close of the day before are in no feed of this service.
const noSizes = ['bidVolume', 'askVolume', 'previousClose'];

t.test('fetchTicker and fetchTickers', async (t) => {
  for (const name of markets) await same(t, (client) => client.fetchTicker(name), noSizes);
  await same(t, (client) => client.fetchTickers([spot, 'ETH/USDT']), noSizes);
  await same(t, (client) => client.fetchTickers([swap]), noSizes);
  const all = await here.fetchTickers();
  t.ok(Object.keys(all).length > 10);
  await same(t, (client) => client.fetchLastPrices([spot]));
  await same(t, (client) => client.fetchLastPrices([swap]));
  await same(t, (client) => client.fetchBidsAsks([swap]));
  await same(t, (client) => client.fetchBidsAsks([spot, 'PEPE/USDT']));
  t.ok(Object.keys(await here.fetchBidsAsks(undefined, { type: 'swap' })).length > 10);
});

t.test('fetchOHLCV: the newest, from a time, up to a time, in a range', async (t) => {
  const since = stage.clock.now() - 100 * 3_600_000;
  for (const name of markets) {
    for (const [length, ...range] of [
      ['1m', undefined, 5],
      ['1h', since, 10],
      ['1h', since + 1, 3],
      ['1d', since, undefined],
      ['1w', undefined, 3],
      ['1M', since - 90 * 86_400_000, 3],
    ] as const) {
      await same(t, (client) => client.fetchOHLCV(name, length, ...range));
    }
    const until = { until: since };
    await same(t, (client) => client.fetchOHLCV(name, '15m', undefined, 4, until));
    await same(t, (client) => client.fetchOHLCV(name, '15m', since - 3_600_000, 100, until));
  }
});

t.test('fetchMarkOHLCV and fetchIndexOHLCV: the newest, and from a time', async (t) => {
  const since = stage.clock.now() - 100 * 3_600_000;
  for (const name of [swap, '1000PEPE/USDT:USDT']) {
    await same(t, (client) => client.fetchMarkOHLCV(name, '1h', undefined, 5));
    await same(t, (client) => client.fetchMarkOHLCV(name, '8h', since, 3));
  }
  await same(t, (client) => client.fetchIndexOHLCV(swap, '1h', since, 5));
});

/** All hours from `since` on, in pages of a thousand. */
async function history(client: Binance, since: number, params: object) {
  const rows: unknown[][] = [];
  for (let from = since; from < stage.clock.now(); from = Number(rows.at(-1)?.[0]) + 1) {
    const found = await client.fetchOHLCV(swap, '1h', from, 1_000, params);
    if (found.length === 0) break;
    rows.push(...found);
  }
  return rows;
}

t.test('candles of a new pair: the first ones, then page by page up to now', async (t) => {
  const since = stage.clock.now() - 100 * 86_400_000;
  for (const params of [{}, { price: 'mark' }]) {
    await same(t, (client) => client.fetchOHLCV(swap, '1h', 0, 1_000, params));
    const found = await history(here, since, params);
    t.strictSame(found, await history(there, since, params));
    t.equal(found.length, 100 * 24 + 1);
  }
  await same(t, (client) => client.fetchOHLCV(spot, '1d', 0, 1_000));
});

t.test('fetchOrderBook', async (t) => {
  for (const name of markets) {
    for (const limit of [5, 10, 20, 50, 100, 500, 1_000, undefined]) {
      await same(t, (client) => client.fetchOrderBook(name, limit));
    }
  }
});

t.test('fetchTrades: the newest', async (t) => {
  for (const name of markets) await same(t, (client) => client.fetchTrades(name, undefined, 20));
});

t.test('fetchFundingRates, histories of them, and open interest', async (t) => {
  // The interest rate and the estimated settlement price are in no feed of this service.
  const without = ['interestRate', 'estimatedSettlePrice'];
  await same(t, (client) => client.fetchFundingRate(swap), without);
  await same(t, (client) => client.fetchFundingRates([swap, 'ETH/USDT:USDT']), without);
  await same(t, (client) => client.fetchFundingRateHistory(swap, undefined, 10));
  const since = stage.clock.now() - 10 * 86_400_000;
  await same(t, (client) => client.fetchFundingRateHistory(swap, since, 5));
  await same(t, (client) => client.fetchFundingRateHistory(swap, 0, 1_000));
  for (const name of [swap, '1000PEPE/USDT:USDT']) {
    await same(t, (client) => client.fetchOpenInterest(name));
  }
});

t.test('leverage brackets are those of an account: the error of the exchange', async (t) => {
  const refusal = {
    name: 'AuthenticationError',
    message: /"code":-2015,"msg":"Invalid API-key, IP, or permissions for action\."/,
  };
  for (const client of [here, there]) {
    // A dry run of Freqtrade has no key, and reads them from a file.
    Object.assign(client, { apiKey: 'k'.repeat(64), secret: 'secret' });
    await t.rejects(client.fetchLeverageTiers(), refusal);
  }
});
