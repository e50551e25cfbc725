/** Tables over what four exchanges state of their markets. */
import type { PriceRow } from '../../../actors/topics/index.ts';
import type { marketTables } from '../../../http/routes/markets/index.ts';
import { InstrumentsView } from '../../../http/views/instruments.ts';
import { LiquidationsView } from '../../../http/views/liquidations.ts';
import { TablesView } from '../../../http/views/market-tables.ts';
import { PerpetualsView } from '../../../http/views/perpetuals.ts';
import { PricesView } from '../../../http/views/prices.ts';
import { RecordedView } from '../../../http/views/recorded-values.ts';
import { FakeClock } from '../../support/clock.ts';
import { type GivenPerpetual, perpetualsOf } from '../../support/http-makers.ts';
import { instrument, now, priceRow, reading } from '../../support/makers.ts';
import { type Replies, rowReader } from '../../support/row-reader.ts';

const registry = ['a', 'b', 'c', 'd'].map((id) => ({ id, kinds: ['spot', 'perpetual'] }));

const spot = (symbol: string, over: Partial<PriceRow>): PriceRow => priceRow({ symbol, ...over });

/** BTC costs 100, 102 and, on c, 150, which is another asset. */
const spots: Readonly<Record<string, PriceRow[]>> = {
  a: [
    spot('BTC', {
      price: 100,
      volume: 5e6,
      change: 2,
      bid: 98,
      ask: 102,
      high: 110,
      low: 90,
      base: 5e4,
    }),
    spot('ETH', { price: 10, volume: 1e6, change: -4 }),
    spot('NEW', { price: 1, volume: 3e6 }),
    spot('SOL', { price: 20, volume: 2e6, change: -6 }),
    spot('DUST', { price: 3, volume: 10, change: 900 }),
  ],
  b: [
    spot('BTC', { price: 102, volume: 15e6, change: -2, high: 105, low: 95 }),
    spot('BTC', { price: 101, market: 'BTCUSDC-', volume: null, change: 1 }),
  ],
  c: [spot('BTC', { price: 150, volume: 1e6, change: 50 })],
  d: [spot('NIL', { price: 4, volume: 0, change: 1 })],
};
const futures: GivenPerpetual[] = [
  {
    source: 'a',
    last: 100,
    mark: 100.5,
    index: 99.5,
    volume: 3e7,
    change: 2,
    rate: 0.0001,
    hours: 8,
    interest: 6e6,
    units: 60_000,
  },
  {
    source: 'b',
    last: 104,
    mark: 103,
    index: 102.5,
    volume: 1e7,
    change: -2,
    high: 108,
    low: 99,
    rate: 0.0005,
    hours: 4,
    interest: 1e6,
    units: 9_700,
  },
  {
    source: 'b',
    symbol: 'ETH',
    last: 10,
    mark: 10.1,
    index: 10.2,
    volume: 2e6,
    change: 7,
    rate: -0.0001,
    hours: 8,
    interest: 8e6,
    units: 790_000,
    inverse: true,
  },
];

/** The rows that `make` makes, and the views behind them. */
export function marketStage(make: typeof marketTables) {
  const prices = new PricesView();
  const instruments = new InstrumentsView();
  const perpetuals = new PerpetualsView(prices);
  const recorded = new RecordedView(() => tables.touch());
  const liquidations = new LiquidationsView(new Map([['a', ['linear']]]), now);
  const clock = new FakeClock(now);
  const sources = { prices, perpetuals, instruments, recorded, liquidations };
  const tables = new TablesView(sources, clock);
  for (const [source, rows] of Object.entries(spots))
    prices.accept(reading(rows, { source, part: 'spot' }), now);
  perpetualsOf(futures, perpetuals);
  const listed = { a: ['ETH', 'BTC'], b: ['BTC'] };
  for (const [source, symbols] of Object.entries(listed)) {
    const rows = symbols.map((symbol) => instrument({ symbol, kind: 'spot' }));
    const others = [instrument({ kind: 'other' }), instrument({ kind: 'spot', quote: 'EUR' })];
    instruments.accept(reading([...rows, ...others], { source, part: 'spot' }));
  }
  tables.expire(now);
  const rows = make({ tables, registry, clock });
  const read = (path: string, reply?: Replies) =>
    rowReader(rows, { clock, ...(reply && { reply }) })(`/v1/${path}`);
  return { read, tables, perpetuals, recorded, liquidations };
}
