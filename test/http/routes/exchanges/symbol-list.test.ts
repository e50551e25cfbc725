/** Several symbols in one request. */
import t from 'tap';
import type { PriceRow } from '../../../../actors/topics/index.ts';
import { marketRoutes } from '../../../../http/routes/market.ts';
import { OpenInterestView } from '../../../../http/views/open-interest.ts';
import { PerpetualsView } from '../../../../http/views/perpetuals.ts';
import { PricesView } from '../../../../http/views/prices.ts';
import { FakeClock } from '../../../support/clock.ts';
import { answersOf, call, startServer } from '../../../support/http.ts';
import { noQuotes } from '../../../support/prices.ts';

t.test('prices of several symbols', async (t) => {
  const prices = new PricesView();
  const context = {
    prices,
    openInterest: new OpenInterestView(prices),
    registry: [],
    perpetuals: new PerpetualsView(prices),
    clock: new FakeClock(),
  };
  const server = await startServer(t, marketRoutes(context));
  const now = server.clock.now();
  const tell = (source: string, received: number, given: Record<string, number>) => {
    const rows = Object.entries(given).map(
      ([symbol, price]): PriceRow => ({
        market: `${symbol}USDT`,
        kind: 'spot',
        symbol,
        quote: 'USDT',
        price,
        volume: 1,
        change: null,
        stated: null,
        ...noQuotes,
      }),
    );
    prices.accept({ source, part: 'spot', asked: received, received, rows }, now);
  };
  const retryOf = async (path: string) => {
    const { status, headers } = await call(`${server.url}/v1/${path}`);
    return [status, headers['retry-after']];
  };
  for (const path of ['prices', 'prices?symbol=BTC', 'open-interest', 'open-interest?symbol=BTC'])
    t.strictSame(await retryOf(path), [503, '5'], path);
  tell('a', now - 5_000, { BTC: 100, ETH: 10 });
  tell('b', now - 2_000, { BTC: 102, SOL: 5 });
  const get = async (query: string, headers = {}) => {
    const reply = await call(`${server.url}/v1/prices?${query}`, { headers });
    return { ...reply, json: reply.text.startsWith('{') ? JSON.parse(reply.text) : null };
  };
  const path = 'symbols=btc,ETH,%20btc,NOPE';
  const first = await get(path);
  t.match(first.json, {
    as_of: now - 2_000,
    data: {
      count: 2,
      symbols: { BTC: { symbol: 'BTC', average_price: 101 }, ETH: { average_price: 10 } },
      missing: [
        { symbol: 'NOPE', code: 'unknown_symbol', message: 'no exchange has a price of NOPE' },
      ],
    },
  });
  t.equal((await get('symbols=ETH')).headers.age, '5', 'the age is that of the symbols asked for');
  t.equal((await get(path, { 'if-none-match': String(first.headers.etag) })).status, 304);
  tell('a', now, { BTC: 100, ETH: 11 });
  t.equal((await get(path)).json.data.symbols.ETH.average_price, 11, 'a change is seen');
  const csv = await get('symbols=ETH', { accept: 'text/csv' });
  t.match(csv.text, /^symbol,average_price,.*\r\nETH,11,/);
  prices.expire(now + 10 * 60_000);
  t.strictSame(await retryOf('prices?symbol=sol'), [503, '30'], 'its price is too old');
  tell('a', now, { BTC: 100, ETH: 11 });
  const of = (count: number) =>
    `prices?symbols=${Array.from({ length: count }, (_, i) => `A${i}`)}`;
  const long = `prices?symbols=${'A'.repeat(32)}`;
  const faults = ['prices?symbols=BTC&symbol=BTC', 'prices?symbols=BTC,,ETH', `${long}A`, of(101)];
  t.strictSame(Object.values(await answersOf(`${server.url}/v1/`, [...faults, long, of(100)])), [
    '400 give symbol or symbols, not both',
    '400 symbols must be base assets with commas between them',
    '400 symbols must be base assets with commas between them',
    '400 symbols may be 100 at most, not 101',
    `404 no exchange has a price of ${'A'.repeat(32)}`,
    '404 no exchange has a price of A0',
  ]);
  const named = ['btcusdt', 'BTC-USDT', 'BTC/USDT:USDT', 'BTC_USDT_SWAP', 'BTC-PERP'];
  for (const name of named) {
    const { json } = await get(`symbol=${encodeURIComponent(name)}`);
    t.equal(json.data?.symbol, 'BTC', name);
  }
  t.match((await get('symbols=btc-usdt')).json.data.symbols, { 'BTC-USDT': { symbol: 'BTC' } });
  t.equal((await get('symbol=NOPE-USDT')).json.message, 'no exchange has a price of NOPE-USDT');
  const [row] = marketRoutes(context);
  const calls: string[] = [];
  const listen = (values: object) =>
    row &&
    'view' in row.from &&
    row.from.listen(Object(values), () => calls.push(`${Object.values(values)}`));
  listen({ symbols: 'NOPE,BTC' });
  listen({ symbol: 'btc-usdt' });
  listen({ symbol: 'xbt' });
  listen({ symbols: 'NOPE' });
  const meant = async () => (await get('symbols=xbt')).json.data.symbols.XBT.average_price;
  t.equal(await meant(), 100);
  tell('a', now + 1, { BTC: 101, ETH: 11 });
  prices.expire(now + 1);
  t.strictSame(calls, ['NOPE,BTC', 'btc-usdt', 'xbt'], 'a change of what is listened for');
  t.equal(await meant(), 101, 'also by another name of the asset');
});
