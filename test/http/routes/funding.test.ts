import t, { type Test } from 'tap';
import type { DerivativeRow, PriceRow, Reading } from '../../../actors/topics/index.ts';
import { fundingRoutes } from '../../../http/routes/funding/index.ts';
import { PerpetualsView } from '../../../http/views/perpetuals.ts';
import { FakeClock } from '../../support/clock.ts';
import { call, startServer } from '../../support/http.ts';
import { noQuotes } from '../../support/prices.ts';

const now = 1_700_000_000_000;

/** A perpetual of one exchange. */
interface Given {
  source: string;
  symbol?: string;
  rate: number;
  hours: number;
  mark?: number;
  volume?: number;
  predicted?: number;
}

const reading = <Row>(source: string, rows: Row[]): Reading<Row> => ({
  ...{ source, part: 'all', asked: now, received: now, rows },
});

async function setUp(t: Test, all: Given[]) {
  const view = new PerpetualsView({ rates: () => new Map([['USDT', 1]]) });
  for (const source of new Set(all.map((given) => given.source))) {
    const own = all.filter((given) => given.source === source);
    const derivatives = own.map(
      ({ symbol = 'BTC', rate, hours, mark = 100, predicted }): DerivativeRow => ({
        ...{ market: `${symbol}-P`, symbol, quote: 'USDT', mark, index: mark },
        ...{ funding_rate: rate, funding_hours: hours, funding_rate_8h: null },
        ...{ next_funding: now + 1, stated: null },
        ...(predicted !== undefined && { predicted_rate: predicted }),
      }),
    );
    const prices = own.map(
      ({ symbol = 'BTC', mark = 100, volume = 5_000_000 }): PriceRow => ({
        ...{ market: `${symbol}-P`, kind: 'perpetual', symbol, quote: 'USDT', price: mark },
        ...{ volume, change: null, stated: null, ...noQuotes },
      }),
    );
    view.accept('derivatives', reading(source, derivatives), now);
    view.accept('prices', reading(source, prices), now);
  }
  const server = await startServer(
    fundingRoutes({ perpetuals: view, registry: [], clock: new FakeClock(now) }),
  );
  t.teardown(server.end);
  return async (path: string) => {
    const { status, text } = await call(`${server.url}/v1/${path}`);
    return { ...JSON.parse(text), status };
  };
}

const three: Given[] = [
  { source: 'a', rate: 0.0001, hours: 8, predicted: 0.0002 },
  { source: 'b', rate: 0.0001, hours: 1 },
  { source: 'a', symbol: 'ETH', rate: -0.002, hours: 4 },
];

t.test('the rates of one symbol on every exchange', async (t) => {
  const get = await setUp(t, three);
  const { data } = await get('funding-rates?symbol=btc');
  t.match(data, {
    ...{ symbol: 'BTC', exchange_count: 2, contract_count: 2, average_rate_8h: 0.00045 },
    ...{ highest: { exchange: 'b' }, lowest: { exchange: 'a' }, stale_exchanges: [] },
    rates: [
      {
        ...{ exchange: 'b', contract: 'BTC-P', quote: 'USDT', funding_rate: 0.0001 },
        ...{ interval_hours: 1, funding_rate_8h: 0.0008, annualized: 0.876 },
        ...{ predicted_rate: null, volume_24h_usd: 5_000_000, open_interest_usd: null },
      },
      { exchange: 'a', interval_hours: 8, annualized: 0.1095, predicted_rate: 0.0002 },
    ],
  });
  const several = await get('funding-rates?symbols=btc,ETH,ZZZ');
  t.strictSame([several.data.count, several.data.missing[0].symbol], [2, 'ZZZ']);
  t.strictSame(several.data.symbols.BTC, data, 'each as by itself');
  const unknown = await get('funding-rates?symbol=ZZZ');
  t.strictSame([unknown.status, unknown.message], [404, 'no exchange has a funding rate of ZZZ']);
});

t.test('the page of all symbols', async (t) => {
  const get = await setUp(t, three);
  const symbolsOf = async (query: string) => {
    const { data } = await get(`funding-rates?${query}`);
    return data.items.map(({ symbol }: { symbol: string }) => symbol);
  };
  t.match((await get('funding-rates')).data, { total: 2, offset: 0, limit: 50, count: 2 });
  t.strictSame(await symbolsOf('sort=exchanges'), ['BTC', 'ETH']);
  t.strictSame(await symbolsOf('sort=rate'), ['BTC', 'ETH'], 'ETH pays shorts nothing');
  t.strictSame(await symbolsOf('sort=annualized'), ['ETH', 'BTC'], 'of either sign');
  t.strictSame(await symbolsOf('limit=1'), ['BTC']);
  t.strictSame(await symbolsOf('limit=1&offset=1'), ['ETH']);
  t.strictSame(await symbolsOf('offset=9'), []);
  const [summary] = (await get('funding-rates')).data.items;
  t.notOk('rates' in summary);
  const [full] = (await get('funding-rates?detail=full')).data.items;
  t.equal(full.rates.length, 2);
  for (const query of ['limit=0', 'limit=501', 'offset=-1', 'sort=name', 'detail=all']) {
    t.equal((await get(`funding-rates?${query}`)).status, 400, query);
  }
});

t.test('arbitrage: long on one exchange, short on another', async (t) => {
  const get = await setUp(t, [
    ...three,
    { source: 'c', rate: 0.01, hours: 8, volume: 999_999 },
    { source: 'd', rate: 0.00012, hours: 8, mark: 101 },
  ]);
  const { data } = await get('funding-arbitrage');
  t.match(data, { fees_included: false, min_apr: 10, total: 1, count: 1 });
  t.match(data.items, [
    {
      symbol: 'BTC',
      long: { exchange: 'a', interval_hours: 8, volume_24h_usd: 5_000_000 },
      short: { exchange: 'b', interval_hours: 1 },
      ...{ apr_percent: 76.65, basis_percent: 0 },
    },
  ]);
  const all = await get('funding-arbitrage?symbol=BTC&min_apr=1');
  t.strictSame(
    all.data.items.map((pair: Record<string, { exchange: string }>) => [
      pair.long?.exchange,
      pair.short?.exchange,
    ]),
    [
      ['a', 'b'],
      ['d', 'b'],
      ['a', 'd'],
    ],
  );
  const thin = await get('funding-arbitrage?min_volume=900000');
  t.match(thin.data.items, [{ short: { exchange: 'c' } }], 'a market of little volume');
  t.equal((await get('funding-arbitrage?min_apr=1000')).data.count, 0);
  t.equal((await get('funding-arbitrage?symbol=ZZZ')).status, 404);
  for (const query of ['min_apr=-1', 'limit=201', 'min_volume=x']) {
    t.equal((await get(`funding-arbitrage?${query}`)).status, 400, query);
  }
});

t.test('before anything was received', async (t) => {
  const get = await setUp(t, []);
  for (const path of ['funding-rates', 'funding-rates?symbol=BTC', 'funding-arbitrage']) {
    t.equal((await get(path)).status, 503, path);
  }
});

t.test('rates weighted by turnover', async (t) => {
  const get = await setUp(t, [
    { source: 'a', rate: 0.0001, hours: 8, volume: 3_000_000 },
    { source: 'b', rate: 0.0001, hours: 1, volume: 1_000_000 },
  ]);
  const { data } = await get('funding-rates/vol-weighted?symbol=btc');
  t.match(data, {
    ...{ symbol: 'BTC', exchange_count: 2, total_volume_24h_usd: 4_000_000, updated_at: now },
    exchanges: [
      { exchange: 'a', weight: 0.75, funding_rate_8h: 0.0001 },
      { exchange: 'b', weight: 0.25, interval_hours: 1 },
    ],
  });
  t.ok(Math.abs(data.vol_weighted_rate_8h - 0.000275) < 1e-12);
  t.ok(Math.abs(data.annualized - 0.000275 * 1095) < 1e-12);
  const unknown = await get('funding-rates/vol-weighted?symbol=NOPE');
  t.match(unknown, { status: 404, message: /NOPE/ });
});
