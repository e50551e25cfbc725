import t from 'tap';
import {
  exchangeRanks,
  type PerpetualMarket,
  perpetualMarket,
  weightedFunding,
  withPlausibleInterest,
} from '../../../indicators/derivatives/markets.ts';
import type { Perpetual } from '../../../indicators/derivatives/perpetuals.ts';
import { sameRows } from '../../support/table.ts';

const row = (more: Partial<Perpetual> = {}): Perpetual => ({
  contract: 'P',
  symbol: 'BTC',
  quote: 'USDT',
  asset_class: 'crypto',
  inverse: false,
  max_leverage: null,
  isolated_only: false,
  mark: 100,
  index: 100,
  last: 101,
  change: 1,
  premium: null,
  high: 103,
  low: 96,
  rate: 0.0001,
  predicted: null,
  hours: 8,
  next: null,
  units: 2,
  value: 200,
  volume: 50,
  received: 7,
  priced: 7,
  valued: 7,
  ...more,
});
const market = (exchange: string, more: Partial<Perpetual> = {}): PerpetualMarket => {
  const found = perpetualMarket(exchange, row(more), 1);
  if (found === null) throw new Error('no price');
  return found;
};

t.test('a perpetual in dollars', async (t) => {
  t.match(perpetualMarket('a', row(), 0.5), { price: 50.5, turnover: 25, interest: 100 });
  t.match(perpetualMarket('a', row({ last: null, volume: null, value: null }), 1), {
    price: 100,
    turnover: null,
    interest: null,
  });
  t.equal(perpetualMarket('a', row({ last: null, mark: null }), 1), null);
});

t.test('open interest that cannot be true is unknown', async (t) => {
  const markets = [
    market('a', { value: 5e9, volume: 1e9 }),
    market('b', { value: 1e15, volume: 1e9 }),
    market('b', { symbol: 'ETH', value: 4 }),
  ];
  const found = withPlausibleInterest(markets);
  t.strictSame(
    found.map(({ interest }) => interest),
    [5e9, null, 4],
  );
  t.strictSame(
    found.map(({ implausible }) => implausible),
    [undefined, true, undefined],
  );
});

t.test('funding by turnover, of eight hours', async (t) => {
  const rates = [market('a', { volume: 300 }), market('b', { hours: 4, volume: 100 })];
  t.equal(weightedFunding([...rates, market('c', { hours: null, volume: 1e9 })]), 0.000125);
  t.equal(weightedFunding([market('a', { rate: null })]), null);
});

t.test('exchanges by open interest', async (t) => {
  const ranks = exchangeRanks([
    market('a', { value: 100, volume: 10 }),
    market('b', { value: 250, volume: null }),
    market('b', { value: 50, volume: 30, received: 9 }),
    market('c', { value: null, volume: null }),
  ]);
  sameRows(t, ranks)`
    exchange interest turnover pairs received interestShare turnoverShare interestToTurnover
    b        300      30       2     9        0.75          0.75          10
    a        100      10       1     7        0.25          0.25          10
    c        -        -        1     7        -             -             -
  `;
});
