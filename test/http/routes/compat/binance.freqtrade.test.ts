/**
 * What Freqtrade asks of ccxt, at the simulated exchange and at this service: the calls of its `exchange.py` and `binance.py`, with their
 * arguments, and the requests that ccxt makes of them. https://github.com/freqtrade/freqtrade/tree/develop/freqtrade/exchange
 */
import type { binance as Binance } from 'ccxt';
import t, { type Test } from 'tap';
import { binanceStage } from './stage.ts';

const stage = await binanceStage(t);
const [hour, day] = [3_600_000, 86_400_000];
/** A pair's candles are read in pages of so many. */
const page = 1_000;

/** The client that Freqtrade makes in a trading mode. */
async function clientAt(mode: 'spot' | 'swap', spot: string, contracts: string): Promise<Binance> {
  const { default: ccxt } = await import('ccxt');
  const fapi = `${contracts}/fapi/v1`;
  return new ccxt.binance({
    enableRateLimit: false,
    options: { defaultType: mode, fetchMarkets: { types: [mode === 'spot' ? 'spot' : 'linear'] } },
    urls: {
      api: {
        public: `${spot}/api/v3`,
        fapiPublic: fapi,
        // The simulated exchange has no second version, whose answer is the same.
        fapiPublicV2: fapi,
        fapiPrivate: fapi,
      },
    },
  });
}

type Pair = Readonly<Record<'here' | 'there', Binance>>;
async function clients(mode: 'spot' | 'swap'): Promise<Pair> {
  const [compat, exchange] = [`${stage.url}/compat/binance`, stage.exchange];
  const there = clientAt(mode, `${exchange}/api.binance.com`, `${exchange}/fapi.binance.com`);
  const pair = { here: await clientAt(mode, compat, compat), there: await there };
  await Promise.all(Object.values(pair).map((client) => client.loadMarkets(true)));
  return pair;
}
const spot = await clients('spot');
const futures = await clients('swap');

/** Both give the same and something, but for the bodies that it was read from and for fields that are not had here. */
async function same(
  test: Test,
  { here, there }: Pair,
  call: (client: Binance) => Promise<unknown>,
  without: readonly string[] = [],
): Promise<unknown> {
  const left = new Set(['info', ...without]);
  const kept = (given: unknown) =>
    JSON.parse(JSON.stringify(given, (name, value) => (left.has(name) ? undefined : value)));
  const [found, expected] = await Promise.all([call(here), call(there)]);
  test.ok(Object.keys(Object(found)).length > 0);
  test.strictSame(kept(found), kept(expected));
  return found;
}

const [coin, contract] = ['BTC/USDT', 'BTC/USDT:USDT'];

t.test(
  'markets: traded pairs with their precision, and contracts that are about to end',
  async (t) => {
    for (const [{ here, there }, name] of [
      [spot, coin],
      [futures, contract],
    ] as const) {
      const { active, precision, limits } = here.market(name);
      t.equal(active, true);
      t.strictSame(precision, there.market(name).precision);
      t.strictSame(limits, there.market(name).limits);
    }
    // It buys no contract whose date is not that of BTC/USDT:USDT.
    const dates = ({ markets = {} }: Binance, names: readonly string[]) =>
      names.map((name) => markets[name]?.info.deliveryDate);
    const names = Object.keys(futures.here.markets ?? {});
    t.strictSame(dates(futures.here, names), dates(futures.there, names));
    t.ok(new Set(dates(futures.here, names)).size > 1, 'one is about to end');
  },
);

t.test('tickers of all pairs; of contracts with their quotes', async (t) => {
  const ours = await spot.here.fetchTickers();
  const theirs = await spot.there.fetchTickers();
  t.ok(Object.keys(ours).length > 10);
  for (const [name, { last, quoteVolume, percentage }] of Object.entries(ours)) {
    const { last: price, quoteVolume: volume, percentage: change } = theirs[name] ?? {};
    t.strictSame([last, quoteVolume, percentage], [price, volume, change], name);
  }
  const quotes = await futures.here.fetchBidsAsks();
  for (const name of Object.keys(await futures.here.fetchTickers())) {
    t.ok(quotes[name]?.bid && quotes[name]?.ask, name);
  }
});

/** All pages from `since` on. */
async function history(client: Binance, since: number, params: object) {
  const rows: number[][] = [];
  for (let from = since; from < stage.clock.now(); ) {
    const found = await client.fetchOHLCV(contract, '1h', from, page, params);
    const last = found.at(-1)?.[0];
    if (last === undefined || (rows.at(-1)?.[0] ?? -1) >= last) break;
    rows.push(...(found as number[][]));
    from = last + 1;
  }
  return rows;
}

t.test('candles of a new pair: the first one, then page by page up to now', async (t) => {
  for (const price of ['last', 'mark']) {
    const params = price === 'mark' ? { price } : {};
    const first = (client: Binance) => client.fetchOHLCV(contract, '1h', 0, page, params);
    await same(t, futures, first);
    const since = stage.clock.now() - 100 * day;
    const [found, expected] = await Promise.all([
      history(futures.here, since, params),
      history(futures.there, since, params),
    ]);
    t.strictSame(found, expected, price);
    t.equal(found.length, 100 * 24 + 1);
    t.ok(found.every(([at = 0], i) => i === 0 || at - (found[i - 1]?.[0] ?? 0) === hour));
  }
  await same(t, spot, (client) => client.fetchOHLCV(coin, '1d', 0, page));
  await same(t, spot, (client) => client.fetchOHLCV(coin, '5m'));
  await same(t, futures, (client) =>
    client.fetchOHLCV(contract, '8h', undefined, undefined, { price: 'mark' }),
  );
});

t.test('fundings from a time on, and the present ones', async (t) => {
  const since = stage.clock.now() - 30 * day;
  await same(t, futures, (client) => client.fetchFundingRateHistory(contract, since, page));
  await same(t, futures, (client) => client.fetchFundingRateHistory(contract, 0, page));
  const without = ['interestRate', 'estimatedSettlePrice'];
  await same(
    t,
    futures,
    (client) => client.fetchFundingRates([contract, 'ETH/USDT:USDT']),
    without,
  );
});

t.test('order books of each size that it asks for, and the newest trades', async (t) => {
  for (const limit of [5, 10, 20, 50, 100, 500, 1_000]) {
    await same(t, spot, (client) => client.fetchOrderBook(coin, limit));
    await same(t, futures, (client) => client.fetchOrderBook(contract, limit));
  }
  await same(t, spot, (client) => client.fetchTrades(coin, undefined, page));
});

t.test('leverage brackets are those of an account: the error of the exchange', async (t) => {
  const refusal = {
    name: 'AuthenticationError',
    message: /"code":-2015,"msg":"Invalid API-key, IP, or permissions for action\."/,
  };
  for (const client of [futures.here, futures.there]) {
    // A dry run has no key, and reads them from a file.
    Object.assign(client, { apiKey: 'k'.repeat(64), secret: 'secret' });
    await t.rejects(client.fetchLeverageTiers(), refusal);
  }
});
