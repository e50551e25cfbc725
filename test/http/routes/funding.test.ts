import t, { type Test } from 'tap';
import type { DerivativeRow, PriceRow, Reading } from '../../../actors/topics/index.ts';
import { fundingRoutes } from '../../../http/routes/funding/index.ts';
import { PerpetualsView } from '../../../http/views/perpetuals.ts';
import { FakeClock } from '../../support/clock.ts';
import { sameAsDeclared } from '../../support/declared.ts';
import { answersOf, startServer } from '../../support/http.ts';
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

async function setUp(t: Test, all: Given[], clock = new FakeClock(now)) {
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
  const server = await startServer(fundingRoutes({ perpetuals: view, registry: [], clock }));
  t.teardown(server.end);
  return `${server.url}/v1/`;
}

const three: Given[] = [
  { source: 'a', rate: 0.0001, hours: 8, predicted: 0.0002 },
  { source: 'b', rate: 0.0001, hours: 1 },
  { source: 'a', symbol: 'ETH', rate: -0.002, hours: 4 },
];

t.test('current rates: of one symbol, of several, in pages, weighted, and in pairs', async (t) => {
  const url = await setUp(t, [
    ...three,
    { source: 'c', rate: 0.01, hours: 8, volume: 999_999 },
    { source: 'd', rate: 0.00012, hours: 8, mark: 101, volume: 1_000_000 },
    { source: 'd', symbol: 'SOL', rate: -0.02, hours: 8 },
    { source: 'b', symbol: 'SOL', rate: 0.001, hours: 8, mark: 50 },
    { source: 'b', symbol: 'ADA', rate: 0, hours: 8 },
  ]);
  const answers = await answersOf(url, [
    ...['funding-rates?symbol=btc', 'funding-rates?symbols=btc,ETH,ZZZ', 'funding-rates?symbol=Z'],
    ...['funding-rates', 'funding-rates?sort=rate', 'funding-rates?sort=annualized'],
    ...['funding-rates?limit=1', 'funding-rates?limit=1&offset=1', 'funding-rates?offset=9'],
    ...['funding-rates?detail=full', 'funding-rates?limit=501', 'funding-rates?symbols=Z'],
    ...['funding-arbitrage', 'funding-arbitrage?symbol=BTC&min_apr=1', 'funding-arbitrage?limit=1'],
    ...['funding-arbitrage?min_volume=900000', 'funding-arbitrage?min_apr=1000'],
    ...['funding-arbitrage?symbol=ZZZ', 'funding-arbitrage?symbol=eth-usdt'],
    ...['funding-rates/vol-weighted?symbol=btc', 'funding-rates/vol-weighted?symbol=NOPE'],
    ...['funding-rates/vol-weighted?symbol=ETH/USDT', 'funding-rates/vol-weighted'],
  ]);
  sameAsDeclared(t, 'fundings', answers);
});

t.test('rates that are too old are not in the means', async (t) => {
  const path = 'funding-rates/vol-weighted?symbol=BTC';
  const cases = [
    [300_000, /^\{"symbol":"BTC"/],
    [300_001, /^503 no funding rate of BTC with a turnover is new enough$/],
  ] as const;
  for (const [late, found] of cases) {
    const url = await setUp(t, three, new FakeClock(now + late));
    t.match((await answersOf(url, [path]))[path], found);
  }
});

t.test('before anything was received', async (t) => {
  const paths = ['funding-rates', 'funding-rates?symbol=BTC', 'funding-rates?symbols=BTC'];
  const more = ['funding-arbitrage', 'funding-rates/vol-weighted'];
  const answers = Object.values(await answersOf(await setUp(t, []), [...paths, ...more]));
  t.strictSame([...new Set(answers)], ['503 the service has no data yet, try again shortly']);
});

t.test('pages and lists announce the changes of what is in them', (t) => {
  const view = new PerpetualsView({ rates: () => new Map([['USDT', 1]]) });
  const row = (symbol: string): DerivativeRow => ({
    ...{ market: `${symbol}-P`, symbol, quote: 'USDT', mark: 100, index: 100 },
    ...{ funding_rate: 0.0001, funding_hours: 8, funding_rate_8h: null, next_funding: null },
    stated: null,
  });
  view.accept('derivatives', reading('a', ['BTC', 'ETH', 'SOL'].map(row)), now);
  const rows = fundingRoutes({ perpetuals: view, registry: [], clock: new FakeClock(now) });
  const from = rows.find(({ path }) => path === '/v1/funding-rates')?.from;
  const told: string[] = [];
  const listen = (values: Record<string, string>, name: string) =>
    from !== undefined && 'listen' in from ? from.listen?.(values, () => told.push(name)) : null;
  listen({}, 'page');
  const end = listen({ symbols: 'btc,ETH' }, 'list');
  listen({ symbols: 'BTC,NEW' }, 'with an unknown one');
  t.equal(listen({ symbols: ',' }, 'none'), null);
  view.change('derivatives', { ...reading('a', [row('ETH')]), received: now + 1 }, now + 1);
  t.same(told, ['list', 'page', 'with an unknown one']);
  told.length = 0;
  end?.();
  for (const symbol of ['SOL', 'BTC'])
    view.change('derivatives', { ...reading('a', [row(symbol)]), received: now + 1 }, now + 1);
  t.same(told, ['page', 'with an unknown one', 'page', 'with an unknown one']);
  t.end();
});
