/** Realised and implied volatility over markets and options of our own. */
import t from 'tap';
import { volatilityRoutes } from '../../../http/routes/options/volatility.ts';
import { InstrumentsView } from '../../../http/views/instruments.ts';
import { Markets } from '../../../http/views/markets.ts';
import { OptionsView } from '../../../http/views/options.ts';
import { PricesView } from '../../../http/views/prices.ts';
import { day, now, optionRow } from '../../indicators/options/rows.ts';
import { instrument, priceRow, reading } from '../../support/makers.ts';
import { contextFor, views } from '../../support/route-stage.ts';
import { type Replies, rowReader } from '../../support/row-reader.ts';

const [prices, instruments] = [new PricesView(), new InstrumentsView()];
for (const symbol of ['BTC', 'SOL']) {
  const market = `${symbol}USDT`;
  prices.accept(reading([priceRow({ symbol, market })], { source: 'binance', part: symbol }), now);
  instruments.accept(
    reading([instrument({ symbol, market })], { source: 'binance', part: symbol }),
  );
}

/** Days that go up and down by a hundredth in turn, and one that still runs, at a tenth of the price. */
const candles = Array.from({ length: 41 }, (_, i) => {
  const close = i === 40 ? 10 : i % 2 === 0 ? 100 : 101;
  const timestamp = now - (40 - i) * day;
  return {
    timestamp,
    open: close,
    high: close,
    low: close,
    close,
    volume: 1,
    turnover: null,
    closed: i < 40,
  };
});
const daily: Replies = ({ params }) => ({
  market: Object(params).market,
  kind: 'spot',
  quote: 'USDT',
  candles,
  received: now,
});

function stage(reply: Replies = daily) {
  const options = new OptionsView(new Map([['deribit', ['BTC']]]));
  const at = (days: number, iv: number) =>
    optionRow({ expiry: now + days * day, strike: 100, underlying: 100, iv });
  options.accept(
    { source: 'deribit', part: 'BTC', asked: now, received: now, rows: [at(20, 0.5), at(40, 0.7)] },
    now,
  );
  const markets = new Markets({ instruments, prices });
  return rowReader(volatilityRoutes({ ...contextFor(views), options, markets }), { reply });
}

t.test(
  'volatility of days that are over, and what options imply between two expiries',
  async (t) => {
    const data = await stage()('/v1/volatility?symbol=BTC');
    t.match(data, { symbol: 'BTC', exchange: 'binance', market: 'BTCUSDT', as_of: now });
    const lengths = data.realized.map(({ days }: { days: number }) => days);
    t.strictSame(lengths, [7, 14, 30], '39 returns hold no window of 60');
    // Fourteen returns of ±ln 1.01, seven of each: mean 0, their squares over thirteen.
    const [, two] = data.realized;
    const expected = Math.log(1.01) * Math.sqrt(14 / 13) * Math.sqrt(365);
    t.ok(Math.abs(two.current / expected - 1) < 1e-9);
    t.equal(two.windows, 26);
    const [week, month] = data.implied;
    t.strictSame(
      week,
      { days: 7, at_the_money: null, source: 'deribit' },
      'before the first expiry',
    );
    // Total variances 0.25 x 20 and 0.49 x 40 days: 12.3 in the middle, over 30 days.
    t.ok(Math.abs(month.at_the_money / Math.sqrt(12.3 / 30) - 1) < 1e-9);
    const realized = data.realized[2].current;
    t.ok(Math.abs(data.variance_premium - (12.3 / 30 - realized ** 2)) < 1e-9);
  },
);

t.test('an asset without options, one without history, one that is nowhere', async (t) => {
  const data = await stage()('/v1/volatility?symbol=SOL');
  t.equal(data.realized.length, 3);
  t.ok(data.implied.every((one: object) => JSON.stringify(one).includes('"none"')));
  t.equal(data.variance_premium, null);
  const few = await stage((asked) => ({ ...Object(daily(asked)), candles: candles.slice(0, 7) }))(
    '/v1/volatility?symbol=BTC',
  );
  t.match(few, { error: 'not_enough_data', message: /too few days of BTC/ });
  t.match(await stage()('/v1/volatility?symbol=NOSUCH'), {
    error: 'unknown_symbol',
    message: /NOSUCH/,
  });
  t.match(await stage(() => null)('/v1/volatility?symbol=BTC'), { error: 'upstream_failed' });
});
