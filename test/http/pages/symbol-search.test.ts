/** What a reader of the dashboard types, what a book looks like in wider steps, and how often an alert would have fired. */
import t from 'tap';
import { firings, rollingSums } from '../../../http/pages/app/alerts/firings.ts';
import { grouped } from '../../../http/pages/app/symbol/book-groups.ts';
import { matching, nearest } from '../../../http/pages/app/symbol-search.ts';

const found = (symbol: string, name: string, volume: number) => ({
  symbol,
  name,
  price: 1,
  volume,
});
const all = [
  found('BCH', 'Bitcoin Cash', 40),
  found('BTC', 'Bitcoin', 90),
  found('WBTC', '', 7),
  found('BTCDOM', '', 3),
  found('ETH', 'Ethereum', 80),
  found('DOGE', 'Dogecoin', 60),
];
const symbolsOf = (rows: readonly { symbol: string }[]) => rows.map(({ symbol }) => symbol);

t.test('symbols by ticker and by name', async (t) => {
  for (const [text, symbols] of [
    ['btc', 'BTC BTCDOM WBTC'],
    ['bitcoin', 'BTC BCH'],
    [' coin ', 'BTC DOGE BCH'],
    ['', 'BTC ETH DOGE BCH WBTC BTCDOM'],
    ['zzz', ''],
  ] as const)
    t.equal(symbolsOf(matching(all, text)).join(' '), symbols, `'${text}'`);
});

t.test('what was meant by a word that is nearly a name', async (t) => {
  t.strictSame(symbolsOf(nearest(all, 'ETJ')), ['ETH']);
  t.strictSame(symbolsOf(nearest(all, 'etherium')), ['ETH']);
  t.strictSame(symbolsOf(nearest(all, 'bitcion')), ['BTC'], 'two letters changed places');
  t.strictSame(symbolsOf(nearest(all, 'BTX')), ['BTC']);
  t.strictSame(nearest(all, 'XYZW'), []);
});

t.test('a book in wider steps: bids down, asks up, and a group that is cut left out', async (t) => {
  const level = (price: number, quantity: number) => ({ price, quantity });
  const bids = [level(100.9, 1), level(100.3, 2), level(99.8, 3), level(98.7, 5)];
  const asks = [level(101, 1), level(101.2, 2), level(101.9, 4), level(102.6, 7)];
  const of = (side: 'bid' | 'ask', step: number, isCut = false) =>
    grouped(side === 'bid' ? bids : asks, { step, side, isCut });
  t.strictSame(of('bid', 1), [level(100, 3), level(99, 3), level(98, 5)]);
  t.strictSame(of('ask', 1), [level(101, 1), level(102, 6), level(103, 7)]);
  t.strictSame(of('bid', 1, true), [level(100, 3), level(99, 3)]);
  t.strictSame(
    grouped([level(0.3, 1), level(0.1, 1)], { step: 0.1, side: 'bid', isCut: false }),
    [level(0.3, 1), level(0.1, 1)],
    '0.3 / 0.1 is 2.9999999999999996, and 0.3 is a step of its own',
  );
});

t.test('how often a condition would have fired', async (t) => {
  const values = [5, 11, 12, 9, 8, 13, 9];
  t.equal(firings(values, { type: 'above', value: 10 }), 2);
  t.equal(firings(values, { type: 'below', value: 10 }), 3, 'also where it begins there');
  t.equal(firings(values, { type: 'crosses', value: 10 }), 4);
  t.equal(firings([], { type: 'crosses', value: 10 }), 0);
  const move = { type: 'change', percent: 10, within: 2 } as const;
  t.equal(firings([100, 105, 111, 112, 113], move), 1, '11 % in two, then it begins anew');
  t.equal(firings([100, 104, 108, 112, 116], { ...move, within: 1 }), 0, 'no step is that large');
  t.equal(firings([100, 89, 100], move), 2, 'down, and up again');
  t.strictSame(rollingSums([1, 2, 4, 8], 3), [7, 14]);
  t.strictSame(rollingSums([1, 2], 3), [], 'too few');
});
