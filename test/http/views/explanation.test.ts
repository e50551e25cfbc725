/** Numbers are computed again out of nothing but the JSON of their answers. */
import t, { type Test } from 'tap';
import { Snapshot } from '../../../http/answers/snapshots.ts';
import type { Route } from '../../../http/endpoints/route.ts';
import { fundingRoutes } from '../../../http/routes/funding/index.ts';
import { marketRoutes } from '../../../http/routes/market.ts';
import { referenceRateRoute } from '../../../http/routes/reference-rate.ts';
import { OpenInterestView } from '../../../http/views/open-interest.ts';
import { PricesView } from '../../../http/views/prices.ts';
import { ReferenceRateView } from '../../../http/views/reference-rate.ts';
import { interestRow, priceRow, now as start } from '../../support/makers.ts';
import { rowsOf } from '../../support/route-stage.ts';

interface Input {
  exchange: string;
  market: string;
  value: number;
  unit: string;
  conversion: number;
  weight: number;
  received_at: number;
  age_ms: number;
  excluded: string | null;
}
interface Explained {
  [field: string]: unknown;
  explanation: { field: string; result: number; method: string; inputs: Input[] };
}

/** The number that the inputs give, as the description of `method` says. */
function again({ method, inputs }: Explained['explanation']): number {
  if (method === 'weighted_sum')
    return inputs.reduce((sum, one) => sum + one.weight * one.value * one.conversion, 0);
  const rising = inputs
    .map(({ value, conversion, weight }) => [value * conversion, weight] as const)
    .sort(([a], [b]) => a - b);
  let sum = 0;
  for (const [price, weight] of rising) {
    sum += weight;
    if (sum >= 0.5 - 1e-12) return price;
  }
  return Number.NaN;
}

const near = (a: number, b: unknown) => Math.abs(a / Number(b) - 1) < 1e-9;

function holds(t: Test, answer: Explained, name: string): void {
  const { explanation } = answer;
  t.ok(near(again(explanation), explanation.result), `${name}: ${again(explanation)}`);
  t.ok(near(explanation.result, answer[explanation.field]), `${name}: ${explanation.field}`);
  for (const { excluded, weight, age_ms, market } of explanation.inputs) {
    t.equal(excluded === null, weight > 0, `${name} ${market}`);
    t.ok(age_ms >= 0, `${name} ${market} ${age_ms}`);
  }
}

const dataOf = (found: { text: string } | null): Explained => JSON.parse(found?.text ?? 'null');
const at = { part: 'spot', asked: start, received: start };

t.test('a mean of prices, without the one that is far off', async (t) => {
  const view = new PricesView();
  const tell = (source: string, price: number, quote = 'USDT') => {
    const own = priceRow({ market: `BTC${quote}`, price, quote });
    const rate = priceRow({ market: 'USDTUSD', symbol: 'USDT', quote: 'USD', price: 0.99 });
    view.accept({ source, ...at, rows: [own, rate] }, start);
  };
  tell('a', 100);
  tell('b', 102, 'USD');
  tell('c', 104);
  tell('d', 500);
  const data = dataOf(view.explained('BTC'));
  holds(t, data, 'prices');
  t.ok(near((100 * 0.99 + 102 + 104 * 0.99) / 3, data.average_price), 'by hand');
  t.match(data.explanation.inputs, [
    { exchange: 'a', market: 'BTCUSDT', unit: 'USDT', conversion: 0.99, value: 100 },
    { exchange: 'b', market: 'BTCUSD', unit: 'USD', conversion: 1 },
    { exchange: 'c' },
    { exchange: 'd', weight: 0, excluded: /10 %/ },
  ]);
  const { explanation: _, ...rest } = data;
  t.strictSame(rest, JSON.parse(view.one('BTC')?.text ?? ''), 'the rest is the usual answer');
  t.equal(view.explained('ETH'), null);
});

t.test('a sum of open interest over markets, without an impossible one', async (t) => {
  const view = new OpenInterestView({
    rates: () =>
      new Map([
        ['USDT', 0.99],
        ['USD', 1],
      ]),
    turnover: () => 1e6,
  });
  const tell = (source: string, ...rows: [string, string, number][]) =>
    view.accept(
      {
        source,
        ...at,
        rows: rows.map(([market, quote, value]) => interestRow({ market, quote, value })),
      },
      start,
    );
  tell('a', ['BTCUSDT', 'USDT', 3e6], ['BTCUSD', 'USD', 2e6], ['BTCEUR', 'EUR', 7e6]);
  tell('b', ['BTC-PERP', 'USDT', 1e6]);
  tell('c', ['XBT', 'USD', 1e15]);
  const data = dataOf(view.explained('BTC'));
  holds(t, data, 'open interest');
  t.ok(near(3e6 * 0.99 + 2e6 + 1e6 * 0.99, data.total_oi_usd), 'by hand');
  t.equal(data.explanation.inputs.length, 4, 'a quote without a rate is no dollar market');
  t.match(data.explanation.inputs[3], { exchange: 'c', weight: 0, excluded: /implausible/ });
});

t.test('the reference rate as a weighted median', async (t) => {
  const prices = new PricesView();
  const view = new ReferenceRateView(prices);
  for (const [i, source] of ['a', 'b', 'c', 'd'].entries()) {
    const price = i === 3 ? 500 : 100 + i;
    const row = priceRow({ price, bid: price - 1, ask: price + 1 });
    const rate = priceRow({ market: 'USDTUSD', symbol: 'USDT', quote: 'USD', price: 0.99 });
    prices.accept({ source, ...at, rows: [row, rate] }, start);
    const input = { market: 'BTCUSDT', symbol: 'BTC', volume: 10 * (i + 1), variance: 1e-7 };
    view.accept({ source, ...at, rows: [{ ...input, through: start }] });
  }
  view.expire(start + 500);
  const data = dataOf(view.explained('BTC'));
  holds(t, data, 'reference rate');
  t.match(data.explanation.inputs[0], { value: 100, conversion: 0.99, age_ms: 500 });
  t.match(data.explanation.inputs[3], { excluded: 'outlier', weight: 0 });
});

const read = (row: Route, values: Readonly<Record<string, string | undefined>>): Explained => {
  if (!('view' in row.from)) throw new Error(row.path);
  const found = row.from.view(values);
  if (!(found instanceof Snapshot)) throw new Error(`${row.path} ${found.error}`);
  return JSON.parse(found.dataText);
};

t.test('every row that explains, over the markets of all exchanges', async (t) => {
  const makers = [marketRoutes, fundingRoutes];
  const all = rowsOf([...makers, (context) => [referenceRateRoute(context)]]);
  const rows = all.filter(({ params }) => 'explain' in params);
  t.strictSame(
    rows.map(({ path }) => path.slice(4)),
    [
      ...['prices', 'open-interest', 'funding-rates', 'funding-rates/vol-weighted'],
      'reference-rate',
    ],
  );
  for (const row of rows.filter(({ path }) => !path.endsWith('reference-rate')))
    for (const symbol of ['BTC', 'ETH']) {
      const data = read(row, { symbol, explain: '1' });
      holds(t, data, row.path);
      t.ok(data.explanation.inputs.length > 5, `${row.path} ${data.explanation.inputs.length}`);
      t.notOk('explanation' in read(row, { symbol }), 'only where it is asked for');
    }
});
