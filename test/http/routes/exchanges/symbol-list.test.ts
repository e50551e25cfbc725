/** Several symbols in one request. */
import t from 'tap';
import type { PriceRow } from '../../../../actors/topics/index.ts';
import { marketRoutes } from '../../../../http/routes/market.ts';
import { OpenInterestView } from '../../../../http/views/open-interest.ts';
import { PricesView } from '../../../../http/views/prices.ts';
import { call, startServer } from '../../../support/http.ts';
import { noQuotes } from '../../../support/prices.ts';

t.test('prices of several symbols', async (t) => {
  const prices = new PricesView();
  const context = { prices, openInterest: new OpenInterestView(prices), registry: [] };
  const server = await startServer(marketRoutes(context));
  t.teardown(server.end);
  const now = server.clock.now();
  const tell = (source: string, received: number, given: Record<string, number>) => {
    const rows = Object.entries(given).map(
      ([symbol, price]): PriceRow => ({
        ...{ market: `${symbol}USDT`, kind: 'spot', symbol, quote: 'USDT', price },
        ...{ volume: 1, change: null, stated: null, ...noQuotes },
      }),
    );
    prices.accept({ source, part: 'spot', asked: received, received, rows }, now);
  };
  const cold = { status: 503, headers: { 'retry-after': '5' } };
  for (const path of ['prices', 'prices?symbol=BTC', 'open-interest', 'open-interest?symbol=BTC'])
    t.match(await call(`${server.url}/v1/${path}`), cold, path);
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
  const late = await get('symbol=sol');
  t.match(late, { status: 503, headers: { 'retry-after': '30' } });
  t.match(late.json.message, /price of SOL is too old/);
  tell('a', now, { BTC: 100, ETH: 11 });
  const faults: [query: string, status: number, message: string][] = [
    ['symbols=NOPE', 404, 'no exchange has a price of NOPE'],
    ['symbols=BTC&symbol=BTC', 400, 'give symbol or symbols, not both'],
    ['symbols=BTC,,ETH', 400, 'symbols must be base assets with commas between them'],
    [
      `symbols=${Array.from({ length: 101 }, (_, i) => `A${i}`)}`,
      400,
      'symbols may be 100 at most, not 101',
    ],
  ];
  for (const [query, status, message] of faults) {
    const { status: got, json } = await get(query);
    t.strictSame([got, json.message], [status, message]);
  }
});
