/** The premium of Coinbase over time. */
import t from 'tap';
import { coinbasePremiumRoutes } from '../../../http/routes/analytics/coinbase-premium.ts';
import { InstrumentsView } from '../../../http/views/instruments.ts';
import { Markets } from '../../../http/views/markets.ts';
import { PricesView } from '../../../http/views/prices.ts';
import { premiums } from '../../../indicators/market/premium.ts';
import { instrument, now, priceRow, reading } from '../../support/makers.ts';
import { type Replies, rowReader } from '../../support/row-reader.ts';
import { sameRows } from '../../support/table.ts';

const hour = 3_600_000;
const [prices, instruments] = [new PricesView(), new InstrumentsView()];
const listed: [source: string, symbol: string, quote: string][] = [
  ['coinbase', 'BTC', 'USD'],
  ['coinbase', 'ETH', 'USDC'],
  ['coinbase', 'USDT', 'USD'],
  ['kraken', 'USDT', 'USD'],
  ['binance', 'BTC', 'USDT'],
  ['okx', 'BTC', 'USDT'],
  ['bybit', 'BTC', 'USDT'],
  ['deribit', 'BTC', 'USDT'],
];
for (const source of new Set(listed.map(([id]) => id))) {
  const own = listed.filter(([id]) => id === source);
  const about = own.map(([, symbol, quote]) => ({
    market: `${symbol}-${quote}`,
    symbol,
    quote,
    kind: 'spot' as const,
  }));
  prices.accept(reading(about.map(priceRow), { source, part: 'spot' }), now);
  instruments.accept(reading(about.map(instrument), { source, part: 'spot' }));
}
const markets = new Markets({ instruments, prices });
const candleIntervals = new Map(
  ['binance', 'okx', 'bybit', 'kraken', 'coinbase'].map((id) => [id, ['1h', '4h'] as const]),
);

const times = [now - (now % hour) - hour, now - (now % hour)];
const candles = (...closes: (number | null)[]) => ({
  market: 'M',
  kind: 'spot',
  quote: 'USDT',
  received: now,
  candles: closes.flatMap((close, i) =>
    close === null
      ? []
      : [{ timestamp: times[i], open: 1, high: 2, low: 1, close, volume: 1, closed: i === 0 }],
  ),
});

t.test(
  'against the mean of USDT markets, in dollars at the rate of the same interval',
  async (t) => {
    const asked: string[] = [];
    const replies: Record<string, object | null> = {
      'coinbase BTC-USD': candles(101, 102),
      'coinbase USDT-USD': candles(0.99, null),
      'kraken USDT-USD': candles(1.01, null),
      'binance BTC-USDT': candles(100, 100),
      'okx BTC-USDT': candles(102, 100),
      'bybit BTC-USDT': null,
    };
    const reply: Replies = ({ source, name, params }) => {
      const { market, interval, limit, kind } = Object(params);
      asked.push([source, name, market, kind, interval, limit].join(' '));
      return replies[`${source} ${market}`] ?? null;
    };
    const rows = coinbasePremiumRoutes({ markets, candleIntervals });
    const read = rowReader(rows, { reply });
    const data = await read('/v1/spot/coinbase-premium/history?symbol=btc&limit=7');
    t.strictSame(asked.toSorted(), [
      'binance candles BTC-USDT spot 1h 7',
      'bybit candles BTC-USDT spot 1h 7',
      'coinbase candles BTC-USD spot 1h 7',
      'coinbase candles USDT-USD spot 1h 7',
      'kraken candles USDT-USD spot 1h 7',
      'okx candles BTC-USDT spot 1h 7',
    ]);
    t.match(data, { symbol: 'BTC', interval: '1h', count: 2, failed_exchanges: ['bybit'] });
    // The median of 0.99 and 1.01 is 1: 101 over the mean of 100 and 102. Then the rate is not known.
    sameRows(t, data.points)`
    timestamp    premium_percent coinbase_price mean_price market_count usdt_usd closed
    ${times[0]}  0               101            101        2            1        true
    ${times[1]}  -               102            -          0            -        false
  `;
    t.match(await read('/v1/spot/coinbase-premium/history?symbol=ETH'), {
      error: 'unknown_symbol',
      message: 'coinbase has no market of ETH in USD',
    });
    t.match(await read('/v1/spot/coinbase-premium/history?symbol=NOSUCHCOIN'), {
      error: 'unknown_symbol',
      message: /NOSUCHCOIN/,
    });
    replies['coinbase BTC-USD'] = null;
    t.match(await read('/v1/spot/coinbase-premium/history?limit=5'), { error: 'upstream_failed' });
    t.strictSame(coinbasePremiumRoutes({ markets, candleIntervals: new Map() }), []);
  },
);

t.test(
  'a market far from the others is not part of the mean; without a rate a quote is a dollar',
  (t) => {
    const of = (close: number) => new Map([[0, close]]);
    // 100, 100 and 100.4 count; 150 is more than a tenth from the median. 110 % of 100.1333.
    const [found] = premiums({
      own: of(110),
      others: [100, 100, 100.4, 150].map(of),
      rates: [],
    });
    t.match(found, { rate: 1, price: 110, premium: { count: 3 } });
    t.ok(Math.abs((found?.premium?.percent ?? 0) - (110 / (300.4 / 3) - 1) * 100) < 1e-9);
    t.match(premiums({ own: of(110), others: [of(100)], rates: [new Map()] }), [
      { rate: null, premium: null },
    ]);
    t.match(premiums({ own: of(110), others: [], rates: [of(1)] }), [{ rate: 1, premium: null }]);
    t.end();
  },
);
