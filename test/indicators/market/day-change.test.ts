import t from 'tap';
import type { AssetMarket } from '../../../indicators/market/assets.ts';
import { dayChange, moversOf } from '../../../indicators/market/day-change.ts';

const market = (price: number, more: Partial<AssetMarket> = {}): AssetMarket => ({
  exchange: 'a',
  market: 'M',
  symbol: 'BTC',
  quote: 'USDT',
  asset_class: 'crypto',
  last: price,
  price,
  turnover: 1,
  change: null,
  received: 1,
  ...more,
});

t.test('the change of an asset in 24 hours', async (t) => {
  const of = (markets: AssetMarket[], exchange?: string, recorded: number | null = null) =>
    dayChange({ markets, exchange, recorded: () => recorded });
  const markets = [
    market(100, { change: 2 }),
    market(101, { change: -2, turnover: 3, exchange: 'b' }),
    market(102, { turnover: 50, exchange: 'c' }),
    market(300, { change: 90, turnover: 99, exchange: 'd' }),
  ];
  t.strictSame(of(markets), { percent: -1, basis: 'asset' }, 'without what is another asset');
  t.strictSame(of(markets, 'a'), { percent: 2, basis: 'exchange' });
  t.strictSame(of(markets, 'c', 7), { percent: -1, basis: 'asset' }, 'c states none');
  t.strictSame(of([market(1)], undefined, 7), { percent: 7, basis: 'recorded' });
  t.strictSame(of([], 'a', 7), { percent: 7, basis: 'recorded' });
  t.equal(of([market(1)]), null);
});

t.test('movers: the most traded market of each asset, above a turnover', async (t) => {
  const markets = [
    market(1, { symbol: 'A', turnover: 9, market: 'A1' }),
    market(1, { symbol: 'A', turnover: 5, market: 'A2' }),
    ...['B', 'C', 'E', 'F'].map((symbol) => market(1, { symbol, turnover: 2 })),
    market(1, { symbol: 'D', turnover: 1 }),
    market(1, { symbol: 'G', turnover: null }),
  ];
  const changes = new Map(Object.entries({ A: 3, B: -3, C: 5, D: 99, F: 0, G: 9 }));
  const changeOf = (symbol: string) => {
    const percent = changes.get(symbol);
    return percent === undefined ? null : { percent, basis: 'asset' as const };
  };
  const moved = (sign: 1 | -1) =>
    moversOf(markets, { sign, least: 2, changeOf }).map(({ market: one }) => one);
  t.match(moved(1), [{ symbol: 'C' }, { symbol: 'A', market: 'A1', change: null }]);
  t.match(moved(-1), [{ symbol: 'B' }]);
});
