import t from 'tap';
import type { IndicatorReading, PriceRow } from '../../../actors/topics/index.ts';
import { topics } from '../../../actors/topics/index.ts';
import { sentimentRoute } from '../../../http/routes/sentiment.ts';
import { PricesView } from '../../../http/views/prices.ts';
import { MarketIndicatorsView } from '../../../http/views/published-indicators.ts';
import { premiumOver } from '../../../indicators/market/premium.ts';
import { now, priceRow } from '../../support/makers.ts';
import { rowReader } from '../../support/row-reader.ts';

const row = (symbol: string, quote: string, price: number, kind: PriceRow['kind'] = 'spot') =>
  priceRow({ market: `${symbol}-${quote}-${kind}`, kind, symbol, quote, price });

const fear: IndicatorReading = {
  name: 'fear-greed',
  fields: {
    value: 20,
    classification: 'extreme_fear',
    classification_label: 'Extreme fear',
    previous_close: 21,
    week_ago: 22,
    month_ago: 23,
    next_update_in_s: null,
  },
  lacks: null,
  source: 'alternative-me',
  updated_at: now - 1,
  received_at: now,
  stale_after: 60_000,
  live: null,
};

function setUp() {
  const prices = new PricesView();
  const indicators = new MarketIndicatorsView();
  const row = rowReader([sentimentRoute({ prices, marketIndicators: indicators })]);
  const tell = (source: string, rows: PriceRow[]) =>
    prices.accept({ source, part: 'spot', asked: now, received: now, rows }, now);
  const read = (at = now) => {
    prices.expire(at);
    return row('/v1/sentiment');
  };
  return { indicators, tell, read };
}

t.test('a premium over the mean of those that count', async (t) => {
  t.match(premiumOver(101, [100, 100, 150]), { mean: 100, count: 2 });
  t.ok(Math.abs((premiumOver(101, [100, 100, 150])?.percent ?? 0) - 1) < 1e-9);
  t.ok(Math.abs((premiumOver(99, [100])?.percent ?? 0) + 1) < 1e-9);
  t.equal(premiumOver(1, []), null);
});

t.test('fear and greed beside the premium of Coinbase', async (t) => {
  const { indicators, tell, read } = setUp();
  t.equal((await read()).error, 'warming_up', 'nothing is known');
  const alone = setUp();
  alone.tell('coinbase', [row('BTC', 'USD', 101)]);
  alone.tell('binance', [row('BTC', 'USDT', 100)]);
  alone.tell('okx', [row('BTC', 'USDT', 100)]);
  t.match(await alone.read(), { fear_greed: null });
  indicators.accept('fear-greed', fear, now);
  t.match(await read(), {
    fear_greed: { value: 20, updated_at: now - 1, source: 'alternative-me', stale: false },
    coinbase_premium: null,
  });
  // Perpetuals and other quotes do not count.
  tell('kraken', [row('BTC', 'USD', 90)]);
  tell('coinbase', [
    row('BTC', 'USD', 7, 'perpetual'),
    row('BTC', 'USD', 101),
    row('USDT', 'USD', 0.998),
    row('BTC', 'USDT', 100),
  ]);
  tell('binance', [
    row('BTC', 'USDT', 102),
    row('BTC', 'USDT', 500, 'perpetual'),
    row('BTC', 'USDC', 9),
  ]);
  const { coinbase_premium: found } = await read();
  t.match(found, { coinbase_price: 101, market_count: 2, usdt_usd: 0.998, updated_at: now });
  t.ok(Math.abs(found.mean_price - 101 * 0.998) < 1e-9);
  t.ok(Math.abs(found.premium_percent - (1 / 0.998 - 1) * 100) < 1e-9);
  const late = await read(now + topics.prices.maxAge + 1);
  t.equal(late.coinbase_premium, null, 'prices that are too old');
});
