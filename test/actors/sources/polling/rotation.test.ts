import t from 'tap';
import {
  nextMarkets,
  rankedMarkets,
  rotation,
  topMarkets,
} from '../../../../actors/sources/polling/plan.ts';
import type { Instrument } from '../../../../actors/topics/index.ts';
import { instrument, priceRow, reading } from '../../../support/makers.ts';

const ids = (count: number) => Array.from({ length: count }, (_, i) => `M${i}`);

t.test('the top markets are asked every time, every other one within five minutes', async (t) => {
  for (const count of [101, 250, 613]) {
    const ranked = ids(count);
    const asked = new Map<string, number>();
    let cursor = 0;
    for (let poll = 0; poll < 10; poll++) {
      const next = nextMarkets(ranked, cursor, { every: 30_000 });
      cursor = next.cursor;
      t.equal(new Set(next.markets).size, next.markets.length, 'none twice');
      for (const market of next.markets) asked.set(market, (asked.get(market) ?? 0) + 1);
    }
    t.equal(asked.size, count, `all ${count} within ten polls of 30 s`);
    t.ok(ranked.slice(0, rotation.top).every((market) => asked.get(market) === 10));
  }
});

t.test('a short list is asked whole, a list that shrinks starts from its beginning', async (t) => {
  t.strictSame(nextMarkets(ids(3), 0, { every: 30_000 }).markets, ids(3));
  t.strictSame(nextMarkets([], 5, { every: 30_000 }).markets, []);
  const shrunk = nextMarkets(ids(110), 400, { every: 30_000 });
  t.equal(shrunk.markets.length, 101);
  t.equal(shrunk.markets.at(-1), 'M100');
});

t.test('an eighth of a tight budget goes to the top, the rest to the others in turn', async (t) => {
  const ranked = ids(60);
  const asked = new Set<string>();
  let cursor = 0;
  for (let poll = 0; poll < 6; poll++) {
    const next = nextMarkets(ranked, cursor, { every: 30_000, most: 18 });
    cursor = next.cursor;
    t.ok(next.markets.length <= 18);
    t.strictSame(next.markets.slice(0, 3), ids(3));
    for (const market of next.markets) asked.add(market);
  }
  t.equal(asked.size, 60, 'all of them, in more than five minutes');
  t.strictSame(nextMarkets(ids(18), 0, { every: 30_000, most: 18 }).markets, ids(18));
});

t.test('ranked by turnover: followed perpetuals only, unknown turnovers last', async (t) => {
  const listed = (market: string, over: Partial<Instrument> = {}): [string, Instrument] => [
    market,
    instrument({ market, symbol: market, funding_hours: 8, ...over }),
  ];
  const instruments = new Map([
    listed('NEW'),
    listed('SMALL'),
    listed('BIG'),
    listed('DATED', { kind: 'other' }),
    listed('EURO', { quote: 'EUR' }),
  ]);
  const price = (market: string, volume: number | null) =>
    priceRow({ market, kind: 'perpetual' as const, symbol: market, price: 1, volume });
  const prices = reading([price('SMALL', 5), price('BIG', 50), price('DATED', 500)]);
  t.strictSame(rankedMarkets(instruments, prices), ['BIG', 'SMALL', 'NEW']);
  const spot = [...instruments].map(([market, row]) => [market, { ...row, kind: 'spot' }] as const);
  t.strictSame(rankedMarkets(new Map(spot), prices).slice(0, 2), ['DATED', 'BIG']);
  const two = { max: 2, before: new Map() };
  t.strictSame([...topMarkets(instruments, prices, two).keys()], ['SMALL', 'BIG']);
  t.equal(topMarkets(instruments, undefined, two).size, 0, 'none before there are turnovers');
  t.strictSame(
    rankedMarkets(instruments, undefined),
    ['NEW', 'SMALL', 'BIG'],
    'in listed order before any price',
  );
});
