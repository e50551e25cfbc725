/** Bodies, errors, keys and quotas in Binance's form, beside those of the simulated exchange. */
import fc from 'fast-check';
import t from 'tap';
import { decimal } from '../../../../http/routes/compat/binance/form.ts';
import { FakeClock } from '../../../support/clock.ts';
import { property } from '../../../support/property.ts';
import { alice, gateOf, memoryQuota } from '../../../support/quota.ts';
import { binanceStage } from './stage.ts';

const { url, exchange, asked } = await binanceStage(t);
const hosts = { api: 'api.binance.com', fapi: 'fapi.binance.com' } as const;

const read = async (from: string) => {
  const answer = await fetch(from);
  return { status: answer.status, body: JSON.parse(await answer.text()) };
};
/** The answer of this service, and of the exchange, to one path of an API. */
const both = async (path: `${keyof typeof hosts}/${string}`) => {
  const host = path.startsWith('fapi') ? hosts.fapi : hosts.api;
  return {
    here: await read(`${url}/compat/binance/${path}`),
    there: await read(`${exchange}/${host}/${path}`),
  };
};

t.test('candles and books are the bodies of the exchange, to the last digit', async (t) => {
  const klines = 'klines?interval=1h&limit=3&symbol=';
  for (const path of [
    `api/v3/${klines}BTCUSDT`,
    `api/v3/${klines}PEPEUSDT`,
    `fapi/v1/${klines}BTCUSDT`,
    `fapi/v1/${klines}1000PEPEUSDT`,
    'api/v3/depth?symbol=BTCUSDT&limit=5',
  ] as const) {
    const { here, there } = await both(path);
    t.strictSame(here, there, path);
  }
  const { here, there } = await both('fapi/v1/depth?symbol=1000PEPEUSDT&limit=5');
  // When the message left the exchange is not kept.
  const { E: _, ...rest } = there.body;
  t.strictSame(here.body, rest);
});

t.test('tickers have the fields of the exchange that are had here, with its values', async (t) => {
  for (const path of [
    'api/v3/ticker/24hr?symbol=ETHUSDT',
    'fapi/v1/ticker/24hr?symbol=1000PEPEUSDT',
    'fapi/v1/premiumIndex?symbol=BTCUSDT',
    'fapi/v1/openInterest?symbol=BTCUSDT',
    'api/v3/ticker/bookTicker?symbol=BTCUSDT',
    'fapi/v1/ticker/bookTicker?symbol=BTCUSDT',
  ] as const) {
    const { here, there } = await both(path);
    const had = Object.entries(here.body).filter(([, value]) => value !== null);
    t.ok(had.length > 2, path);
    for (const [name, value] of had) t.equal(value, there.body[name], `${path}: ${name}`);
  }
});

t.test(
  'quotes of several or all: the rows of the exchange, with quantities, also where no price is known',
  async (t) => {
    for (const path of [
      'api/v3/ticker/bookTicker?symbols=["BTCUSDT","PEPEUSDT"]',
      'fapi/v1/ticker/bookTicker',
    ] as const) {
      const { here, there } = await both(path);
      const rows = new Map<string, object>(
        there.body.map((row: { symbol: string }) => [row.symbol, row]),
      );
      t.ok(here.body.length > 1, path);
      for (const row of here.body) t.match(rows.get(row.symbol), row, row.symbol);
    }
    const { here } = await both('api/v3/ticker/bookTicker?symbols=["BTCUSDT","PEPEUSDT"]');
    t.strictSame(here.body.map((row: { symbol: string }) => row.symbol).sort(), [
      'BTCUSDT',
      'PEPEUSDT',
    ]);
  },
);

t.test(
  'candles of marks and indices are those of the exchange, but for a count that is not held',
  async (t) => {
    const steps = 'interval=1h&limit=3';
    for (const path of [
      `fapi/v1/markPriceKlines?symbol=1000PEPEUSDT&${steps}`,
      `fapi/v1/markPriceKlines?symbol=BTCUSDT&${steps}&endTime=1768000000000`,
      `fapi/v1/indexPriceKlines?pair=BTCUSDT&${steps}`,
    ] as const) {
      const { here, there } = await both(path);
      const uncounted = (row: unknown[]) => row.map((value, at) => (at === 8 ? null : value));
      t.equal(here.body.length, 3, path);
      t.strictSame(here.body.map(uncounted), there.body.map(uncounted), path);
    }
    t.match((await both('fapi/v1/markPriceKlines?symbol=NOPE&interval=1h')).here, {
      status: 400,
      body: { code: -1121 },
    });
  },
);

t.test('from a start on: the first rows, however early it is', async (t) => {
  const listed = Date.UTC(2026, 0, 1);
  for (const path of [
    'fapi/v1/fundingRate?symbol=BTCUSDT&startTime=0&limit=5',
    `fapi/v1/fundingRate?symbol=BTCUSDT&startTime=${listed}&limit=3`,
    `fapi/v1/fundingRate?symbol=BTCUSDT&startTime=${listed}&endTime=${listed + 86_400_000}`,
    'fapi/v1/markPriceKlines?symbol=BTCUSDT&interval=1h&startTime=0&limit=2',
    'api/v3/klines?symbol=BTCUSDT&interval=1d&startTime=0&limit=1',
    'fapi/v1/klines?symbol=1000PEPEUSDT&interval=1M&startTime=0&limit=3',
    `fapi/v1/klines?symbol=BTCUSDT&interval=1h&startTime=${listed + 1}&limit=3`,
  ] as const) {
    const { here, there } = await both(path);
    t.ok(there.body.length > 0, path);
    t.equal(here.body.length, there.body.length, path);
    const timesOf = (rows: Record<string, unknown>[]) =>
      rows.map((row) => row.fundingTime ?? row[0]);
    t.strictSame(timesOf(here.body), timesOf(there.body), path);
  }
});

t.test('what an account needs for a pair', async (t) => {
  const { here, there } = await both('api/v3/exchangeInfo?symbol=BTCUSDT');
  const [found, expected] = [here.body.symbols[0], there.body.symbols[0]];
  t.strictSame(found.permissionSets, [
    expected.isMarginTradingAllowed ? ['SPOT', 'MARGIN'] : ['SPOT'],
  ]);
});

t.test('every answer with market data states its age', async (t) => {
  for (const path of [
    'api/v3/ticker/price?symbol=BTCUSDT',
    'api/v3/ticker/24hr',
    'fapi/v1/premiumIndex',
    'fapi/v1/premiumIndex?symbol=BTCUSDT',
    'fapi/v1/openInterest?symbol=BTCUSDT',
    'fapi/v1/klines?symbol=BTCUSDT&interval=1m',
  ]) {
    const answer = await fetch(`${url}/compat/binance/${path}`);
    t.equal(answer.headers.get('age'), '0', path);
    await answer.body?.cancel();
  }
});

t.test('what is refused is refused as the exchange does it', async (t) => {
  for (const path of [
    'api/v3/klines?symbol=NOPE&interval=1h',
    'api/v3/klines?interval=1h',
    'api/v3/klines?symbol=BTCUSDT',
    'api/v3/klines?symbol=BTCUSDT&interval=7h',
    'api/v3/depth',
    'api/v3/depth?symbol=btcusdt',
    'api/v3/ticker/24hr?symbol=NOPE',
    'api/v3/ticker/24hr?symbols=["BTCUSDT","NOPE"]',
    'fapi/v1/premiumIndex?symbol=NOPE',
    'fapi/v1/openInterest',
  ] as const) {
    const { here, there } = await both(path);
    t.strictSame(here, there, path);
  }
  const { here, there } = await both('fapi/v1/klines?symbol=BTCUSDT&interval=1h&limit=1501');
  t.equal(here.status, there.status);
  t.equal(here.body.code, there.body.code);
  t.match(here.body.msg, /^Data sent for parameter 'limit' is not valid: limit must be /);
});

t.test('candles are those of UTC', async (t) => {
  const ask = (more: string) =>
    read(`${url}/compat/binance/api/v3/klines?symbol=BTCUSDT&limit=1&${more}`);
  for (const same of ['1d&timeZone=0', '1M&timeZone=00:00', '8h&timeZone=8', '1h&timeZone=-11:00'])
    t.match(await ask(`interval=${same}`), { status: 200 }, same);
  for (const other of ['1d&timeZone=8', '1h&timeZone=5:30', '1w&timeZone=-1', '1d&timeZone=UTC'])
    t.match(await ask(`interval=${other}`), { status: 400, body: { code: -1130 } }, other);
});

t.test('only the newest trades are answered', async (t) => {
  const answer = await read(`${url}/compat/binance/api/v3/aggTrades?symbol=BTCUSDT&fromId=7`);
  const msg =
    "Data sent for parameter 'fromId' is not valid: only the newest trades are answered here.";
  t.strictSame(answer, { status: 400, body: { code: -1130, msg } });
});

t.test('orders and accounts are not here', async (t) => {
  const answer = await fetch(`${url}/compat/binance/api/v3/order?symbol=BTCUSDT`, {
    method: 'POST',
    body: 'side=BUY',
  });
  t.equal(answer.status, 404);
  t.match(await answer.json(), {
    code: -1020,
    msg: /only public market data .* to Binance itself/,
  });
  const account = await read(`${url}/compat/binance/fapi/v2/account`);
  t.match(account, { status: 404, body: { code: -1020 } });
  const other = await read(`${url}/compat/other`);
  t.match(other, { status: 404, body: { status: 'error', code: 'not_found' } });
});

t.test('a thousand programs that want one candle are one request to the exchange', async (t) => {
  asked.take('');
  const path = 'compat/binance/fapi/v1/klines?symbol=SOLUSDT&interval=5m&limit=1';
  const bodies = new Set<string>();
  for (let i = 0; i < 10; i++) {
    const wave = Array.from({ length: 100 }, async () => (await fetch(`${url}/${path}`)).text());
    for (const body of await Promise.all(wave)) bodies.add(body);
  }
  t.equal(bodies.size, 1);
  t.match(JSON.parse([...bodies].join()), [[/^\d+$/, String]]);
  t.equal(asked.take('/fapi/v1/klines'), 1);
});

t.test('numbers never have an exponent', async (t) => {
  const values = fc.double({ min: 1e-9, max: 1e12, noNaN: true });
  await property(t, values, (value) => {
    const text = decimal(value);
    t.match(text, /^\d+(\.\d+)?$/);
    t.ok(Math.abs(Number(text) / value - 1) < 1e-10);
  });
  t.equal(decimal(1e-7), '0.0000001');
  t.equal(decimal(0.1 + 0.2), '0.3');
  t.equal(decimal(1e-8, 8), '0.00000001');
});

t.test('a key in either header, and what was used of the quota', async (t) => {
  const clock = new FakeClock();
  const { url } = await binanceStage(t, {
    gate: gateOf({ good: alice }),
    quota: memoryQuota(clock).quota,
  });
  const path = `${url}/compat/binance/api/v3/ticker/price?symbol=BTCUSDT`;
  const without = await fetch(path);
  t.equal(without.status, 401);
  t.match(await without.json(), { code: -2015, msg: /X-API-Key/ });
  for (const [header, used] of [
    ['x-mbx-apikey', '1'],
    ['x-api-key', '2'],
  ] as const) {
    const answer = await fetch(path, { headers: { [header]: 'good' } });
    t.equal(answer.status, 200, header);
    t.equal(answer.headers.get('x-mbx-used-weight-1m'), used);
    await answer.body?.cancel();
  }
  const open = await fetch(`${url}/compat/binance/fapi/v1/ping`);
  t.strictSame([open.status, await open.json()], [200, {}]);
});
