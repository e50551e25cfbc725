import t from 'tap';
import { MarketState } from '../../../actors/state/market-state.ts';
import { NewestRows } from '../../../actors/state/newest-rows.ts';
import {
  type Instrument,
  type PriceRow,
  type Reading,
  topics,
  tracking,
} from '../../../actors/topics/index.ts';
import { instrument, priceRow, reading as readingOf } from '../../support/makers.ts';

const listOf = (part: string, ...rows: [market: string, inverse: boolean][]) =>
  ({
    source: 'okx',
    part,
    asked: 1,
    received: 1,
    rows: rows.map(([market, inverse]) => ({ market, kind: 'perpetual', inverse })),
  }) as Reading<Instrument>;

/** A full hour. */
const now = 1_800_000_000_000;

const reading = <Row>(source: string, part: string, rows: Row[]) =>
  readingOf(rows, { source, part, received: now });
const price = (market: string, price: number, more: Partial<PriceRow> = {}) =>
  priceRow({ market, kind: 'perpetual', price, ...more });

/** Binance with two linear perpetuals and an inverse one of BTC, of which one has no turnover. */
function marketOf() {
  const newest = new NewestRows();
  const market = new MarketState(newest, (query) => (query === 'candles' ? ['okx'] : []));
  const inverse = instrument({ market: 'BTCUSD_PERP', quote: 'USD', inverse: true });
  newest.accept('instruments', reading('binance', 'inverse', [inverse]));
  newest.accept(
    'prices',
    reading('binance', 'all', [
      price('BTCUSDT', 100),
      price('BTCUSDC', 104, { quote: 'USDC', volume: 3_000 }),
      price('BTCUSD_PERP', 90, { quote: 'USD', volume: null }),
      price('BTCEUR', 70, { quote: 'EUR', volume: 9e9 }),
      price('BTCUSDT', 101, { kind: 'spot', volume: 200 }),
      price('ETHUSDT', 10, { symbol: 'ETH', volume: 4_000 }),
    ]),
  );
  return { market, newest };
}

t.test('markets of an asset: the most traded first, of one settlement and quote', async (t) => {
  const { market } = marketOf();
  const names = (...of: Parameters<MarketState['markets']>) =>
    market.markets(...of).map((one) => `${one.market} ${one.turnover}`);
  t.strictSame(
    [
      names('binance', 'perpetual', 'BTC'),
      names('binance', 'perpetual', 'BTC', 'coin'),
      names('binance', 'spot', 'BTC', 'coin'),
      names('okx', 'perpetual', 'ETH'),
    ],
    [['BTCUSDC 3000', 'BTCUSDT 1000'], ['BTCUSD_PERP 0'], ['BTCUSDT 200'], []],
  );
  t.strictSame(
    [...market.turnovers('binance')],
    [
      ['BTCUSDT', 1_000],
      ['BTCUSDC', 3_000],
      ['BTCUSD_PERP', 0],
      ['BTCEUR', 9e9],
      ['ETHUSDT', 4_000],
    ],
  );
});

t.test('tracked assets: those that always are, then by turnover in dollars', async (t) => {
  const { always, count, every } = tracking;
  const newest = new NewestRows();
  const market = new MarketState(newest);
  t.strictSame(market.tracked(now), always);
  const rows = Array.from({ length: count }, (_, at) =>
    price(`A${at}USDT`, 1, { symbol: `A${at}`, volume: at }),
  );
  const others = [
    price('EURUSD', 1, { symbol: 'EURO', quote: 'EUR', volume: 1e9 }),
    price('SPOTUSDT', 1, { symbol: 'SPOT', kind: 'spot', volume: 1e9 }),
    price('USDCUSD', 0.9, { symbol: 'USDC', quote: 'USD', kind: 'spot' }),
    price('A0-PERP', 1, { symbol: 'A0', quote: 'USDC', volume: 32 }),
  ];
  newest.accept('prices', reading('binance', 'linear', rows.slice(0, count - 1)));
  t.equal(market.tracked(now)[6], 'A28');
  newest.accept('prices', reading('binance', 'linear', rows));
  newest.accept('prices', reading('okx', 'swap', others));
  const rest = Array.from({ length: 22 }, (_, at) => `A${28 - at}`);
  const bases = [...always, 'A29', 'A0', ...rest];
  t.strictSame(market.tracked(now), bases, 'chosen anew while there were fewer than thirty');
  newest.accept('prices', reading('binance', 'linear', []));
  t.strictSame(market.tracked(now + every - 1), bases, 'for an hour');
  t.strictSame(market.tracked(now + every), [...always, 'A0']);
});

t.test(
  'rates of dollar quotes by prices of the last minutes, readings and who answers',
  async (t) => {
    const { market, newest } = marketOf();
    newest.accept(
      'prices',
      reading('okx', 'spot', [
        price('USDC-USD', 0.98, { symbol: 'USDC', quote: 'USD', kind: 'spot' }),
      ]),
    );
    t.equal(market.rates(now).get('USDC'), 0.98);
    t.equal(market.rates(now + topics.prices.maxAge).get('USDC'), 0.98);
    t.equal(market.rates(now + topics.prices.maxAge + 1).get('USDC'), 1, 'one where none is known');
    t.strictSame([...market.bySource('prices').keys()], ['binance', 'okx']);
    t.strictSame(
      [market.supportedExchanges('candles'), market.supportedExchanges('longShort')],
      [['okx'], []],
    );
    t.strictSame(new MarketState(newest).supportedExchanges('candles'), []);
  },
);

t.test('markets that a list no longer has are forgotten', async (t) => {
  const newest = new NewestRows();
  const state = new MarketState(newest);
  for (let day = 0; day < 100; day++) {
    newest.accept('instruments', listOf('inverse', ['BTC', true], [`NEW-${day}`, true]));
    newest.accept('instruments', listOf('linear', ['ETH', false]));
  }
  t.equal(newest.all('instruments').flatMap(({ rows }) => rows).length, 3);
  const margins = ['BTC', 'NEW-99', 'NEW-98', 'ETH'].map((market) => state.marginOf('okx', market));
  t.strictSame(margins, ['coin', 'coin', 'stable', 'stable']);
  t.equal(state.marginOf('bybit', 'BTC'), 'stable');
});
