import t from 'tap';
import {
  foldOpenInterest,
  implausibleInterest,
  marketsOf,
  totalInterest,
} from '../../../indicators/market/open-interest.ts';
import { premiumOver } from '../../../indicators/market/premium.ts';
import {
  averagePrice,
  consensus,
  dollarRate,
  dollarRates,
  foldPrices,
  foldTurnovers,
  statedRates,
} from '../../../indicators/market/prices.ts';
import { sameRows, tableRow } from '../../support/table.ts';

const summed = (prices: number[]) => {
  const { isExcluded, ...rest } = consensus(prices);
  return { ...rest, excluded: prices.filter(isExcluded) };
};

t.test('the consensus of prices', async (t) => {
  t.same(summed([100, 104]), { mean: 102, median: 102, count: 2, disputed: false, excluded: [] });
  t.match(summed([100, 111]), { mean: 105.5, count: 2, disputed: true, excluded: [] });
  t.match(summed([111, 100]), { disputed: true }, 'whichever comes first');
  t.match(summed([100, 101, 100_000]), { mean: 100.5, disputed: false, excluded: [100_000] });
  t.match(summed([100, 100, 110]), { count: 3, excluded: [] }, 'by 10 % is not by more');
  t.match(summed([0.0001, 0.00011]), { disputed: false });
  t.match(summed([100, 1_000, 10_000]), { mean: 1_000, count: 1, disputed: true });
  t.match(
    summed([100, 100, 900, 900]),
    { mean: 500, count: 4, disputed: true, excluded: [] },
    'none is near the median: a mean of none would be no number',
  );
  t.match(summed([50, 95, 105, 200]), { mean: 100, count: 2, disputed: true }, 'half of them');
  const premium = premiumOver(101, [100, 100, 150]);
  t.match(
    { ...premium, percent: premium?.percent.toFixed(9) },
    { percent: '1.000000000', mean: 100, count: 2 },
  );
  t.equal(premiumOver(101, []), null);
  t.match(summed([7]), { mean: 7, count: 1, disputed: false });
});

t.test('the rate of a currency that is meant to be a dollar', async (t) => {
  t.equal(dollarRate([]), 1);
  t.equal(dollarRate([0.998]), 0.998);
  t.equal(dollarRate([1_000]), 1, 'one exchange alone');
  t.equal(dollarRate([0.999, 1_000]), 0.999);
  t.equal(dollarRate([0.999, 1_000, 1.001]), 1.001);
  t.equal(dollarRate([0.5, 0.52]), 0.51, 'two exchanges that agree: it has lost its peg');
});

const day = (exchange: string, value: number, turnover: number | null = value) => ({
  exchange,
  value,
  turnover,
});

t.test('an open interest that cannot be true', async (t) => {
  const four = [day('a', 5e9), day('b', 3e9), day('c', 2e9), day('d', 1e7)];
  const found = (...more: ReturnType<typeof day>[]) => [...implausibleInterest([...four, ...more])];
  t.same(found(), []);
  t.same(found(day('e', 1e15, 3e9)), ['e']);
  t.same(found(day('e', 1e15, 3e9), day('f', 2e15, 1e9)), ['f', 'e'], 'each against the smaller');
  t.same(found(day('e', 9e9, 1e7)), [], 'high for its turnover, and not more than the others');
  t.same(found(day('e', 1e12, 1e12)), [], 'more than the others, and traded');
  t.same(found(day('e', 1e15, null)), ['e'], 'without a turnover: a thousand times the others');
  // The others are 10.01e9.
  t.same(found(day('e', 1.001e13, null)), []);
  t.same(found(day('e', 1.0011e13, null)), ['e']);
  t.same(found(day('e', 1e12, 0)), [], 'a turnover of zero is none');
  t.same(found(day('e', 2e10, 2e8)), [], 'a hundred days of turnover');
  t.same(found(day('e', 2e10, 1.99e8)), ['e']);
  t.same(found(day('e', 10.01e9, 1e7)), [], 'as much as all others');
  const unknown = (...values: number[]) => [
    ...implausibleInterest(values.map((value, i) => day(`${i}`, value, null))),
  ];
  t.same([unknown(1e9, 1), unknown(1e9, 1, 1)], [[], ['0']], 'two others are needed');
  t.same([...implausibleInterest([day('a', 1e15, 1)])], [], 'there is nothing to hold it against');
});

const now = 1_750_000_000_000;
const context = { rates: new Map(Object.entries({ USD: 1, USDT: 0.5 })), now, maxAge: 1_000 };
const price = (price: number, volume: number | null, more: object = {}) => ({
  symbol: 'BTC',
  market: 'BTCUSDT',
  quote: 'USDT',
  stated: null,
  kind: 'spot' as 'spot' | 'perpetual',
  price,
  volume,
  ...more,
});

t.test('prices of one exchange: the most traded market leads, turnovers add up', async (t) => {
  const rows = [
    price(100, 10),
    price(60, 20, { quote: 'USD', market: 'BTCUSD', stated: now - 5 }),
    price(55, 20, { quote: 'USD', market: 'late' }),
    price(1, 1e9, { quote: 'EUR' }),
    price(110, 8, { kind: 'perpetual', received: now - 1_000 }),
    price(1, 1e9, { received: now - 1_001 }),
    price(1, null, { symbol: 'OLD', received: now - 1_001 }),
  ];
  const suspect = (market: string, received: number, rows: ReturnType<typeof price>[] = []) => {
    return { received, rows, suspect: [{ market, symbol: 'BTC' }] };
  };
  const held = [suspect('Y', now - 1_000), suspect('old', now - 1_001)];
  const readings = [suspect('X', now, rows), ...held];
  const fold = foldPrices(readings, context);
  t.strictSame(
    [...fold.entries],
    [
      [
        'BTC',
        tableRow`
          price volume_24h markets updated_at venue_time market kind quote
          60    49         4       ${now}     ${now - 5} BTCUSD spot USD
        `,
      ],
    ],
  );
  t.strictSame(
    [[...fold.stale], [...fold.suspect], fold.until],
    [['BTC', 'OLD'], [['BTC', ['X', 'Y']]], now],
  );
  t.strictSame(foldTurnovers(readings, context).entries.get('BTC'), [
    { kind: 'spot', value: 45, at: now },
    { kind: 'futures', value: 4, at: now - 1_000 },
  ]);
  const silent = [price(100, null), price(104, null), price(102, 0.5)];
  const only = foldPrices([{ received: now, rows: silent }], context).entries.get('BTC');
  t.match(only, { price: 51, volume_24h: 0.25, markets: 1 }, 'of those with a turnover');
  const frozen = foldPrices([{ received: now, rows, frozen: true as const }], context);
  t.strictSame([frozen.entries.size, [...frozen.stale]], [0, ['BTC', 'OLD']]);
});

t.test('of markets that are traded alike the one that is heard gives the price', async (t) => {
  const now = 100_000;
  const row = (market: string, volume: number, age: number) => ({
    market,
    volume,
    symbol: 'BTC',
    kind: 'spot' as const,
    quote: 'USD',
    stated: null,
    price: volume,
    received: now - age,
  });
  const context = { rates: new Map([['USD', 1]]), now, maxAge: 60_000 };
  const leader = (...rows: ReturnType<typeof row>[]) => {
    const orders = [rows, rows.toReversed()].map((all) =>
      foldPrices([{ received: now, rows: all }], context).entries.get('BTC'),
    );
    t.equal(orders[0]?.market, orders[1]?.market, 'in any order');
    t.equal(
      orders[0]?.volume_24h,
      rows.reduce((sum, { volume }) => sum + volume, 0),
    );
    return orders[0]?.market;
  };
  t.equal(leader(row('A', 100, 10_000), row('B', 90, 0)), 'A', 'heard ten seconds ago');
  t.equal(leader(row('A', 100, 10_001), row('B', 90, 0)), 'B');
  t.equal(leader(row('A', 100, 30_000), row('B', 49, 0)), 'A', 'B is hardly traded');
  t.equal(leader(row('A', 100, 30_000), row('B', 90, 20_000)), 'A', 'none is heard');
});

t.test('the time of an average is that of the newest price that counts', async (t) => {
  const entry = (price: number, updated_at: number) => ({
    price,
    updated_at,
    volume_24h: 0,
    venue_time: null,
    market: 'm',
    quote: 'USD',
    markets: 1,
    kind: 'spot' as const,
  });
  const found = averagePrice([
    ['a', entry(100, 1)],
    ['b', entry(102, 2)],
    ['c', entry(900, 3)],
  ]);
  t.match(found, { mean: 101, median: 102, count: 2, updated_at: 2 });
});

t.test('open interest of one exchange: the sum of its markets', async (t) => {
  const row = (value: number, units: number | null, more: object = {}) => ({
    symbol: 'BTC',
    quote: 'USDT',
    mark: 4,
    stated: null,
    value,
    units,
    ...more,
  });
  const rows = [
    row(10, 2),
    row(90, 3, { stated: 7, received: now - 9 }),
    row(20, 1, { mark: null }),
  ];
  const { entries } = foldOpenInterest([{ received: now, rows }], context);
  const entry = entries.get('BTC');
  sameRows(t, entry)`
    oi_usd oi_contracts updated_at venue_time mark_price
    60     6            ${now - 9} 7          2
  `;
  if (!entry) return;
  t.same([marketsOf(entry), marketsOf({ ...entry })], [3, 0]);
  const huge = { ...entry, oi_usd: 1e9 };
  const total = totalInterest(
    [
      ['a', entry],
      ['b', huge],
    ],
    (exchange) => (exchange === 'b' ? 1 : null),
  );
  t.same(
    { ...total, excluded: [...total.excluded] },
    { excluded: ['b'], total_oi_usd: 60, exchange_count: 1 },
  );
  const equal = [row(1, null, { stated: 1 }), row(1, 1, { stated: 2 })];
  const unknown = foldOpenInterest([{ received: now, rows: equal }], context);
  t.match(unknown.entries.get('BTC'), { oi_contracts: null, venue_time: 1 });
});

t.test('rates of dollar quotes: spot markets against the dollar', async (t) => {
  const quotes = new Set(['USD', 'USDT', 'USDC']);
  const usd = { quote: 'USD', symbol: 'USDT' };
  const rows = [
    price(0.99, 1, usd),
    price(5, 1, { ...usd, kind: 'perpetual' }),
    price(6, 1, { ...usd, quote: 'USDC' }),
    price(7, 1, { ...usd, symbol: 'BTC' }),
    price(8, 1, { ...usd, symbol: 'USDC', received: now - 2 }),
  ];
  const stated = statedRates({ received: now, rows }, { quotes, since: now });
  t.strictSame([...stated], [['USDT', 0.99]]);
  const frozen = { received: now, rows, frozen: true as const };
  t.equal(statedRates(frozen, { quotes, since: 0 }).size, 0);
  t.strictSame(
    [...dollarRates([stated, new Map(), new Map()], quotes)],
    [
      ['USD', 1],
      ['USDT', 0.99],
      ['USDC', 1],
    ],
  );
});
