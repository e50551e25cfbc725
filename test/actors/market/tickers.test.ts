/** What the exchanges' readings say together. */

import t from 'tap';
import { Tickers } from '../../../actors/market/tickers.ts';
import { NewestRows } from '../../../actors/state/newest-rows.ts';
import { type PriceRow, type Reading, topics } from '../../../actors/topics/index.ts';
import { volumeRatios } from '../../../indicators/market/ratios.ts';
import { interestRow, priceRow, reading as readingOf } from '../../support/makers.ts';
import { now } from './fixtures.ts';

const reading = (source: string, rows: PriceRow[], more: Partial<Reading<PriceRow>> = {}) =>
  readingOf(rows, { source, part: 'spot', received: now, ...more });

t.test('the median of the most traded dollar markets of the exchanges', async (t) => {
  const newest = new NewestRows();
  const tickers = new Tickers(newest);
  t.equal(tickers.price('BTC', now), null);
  newest.accept(
    'prices',
    reading('one', [
      priceRow({ price: 100, volume: 10 }),
      priceRow({ price: 90, quote: 'USDC', volume: 5 }),
      priceRow({ price: 1, quote: 'EUR', volume: 900 }),
    ]),
  );
  t.same(tickers.price('BTC', now), { price: 100, at: now, exchanges: 1 }, 'taken in at once');
  newest.accept('prices', reading('two', [priceRow({ price: 104, volume: null })]));
  newest.accept('prices', reading('three', [priceRow({ price: 999 })]));
  t.match(tickers.price('BTC', now), { price: 104, exchanges: 3 });
  t.equal(tickers.price('ETH', now), null);
});

t.test('stablecoins at the price that they have in dollars', async (t) => {
  const newest = new NewestRows();
  const tickers = new Tickers(newest);
  const usd = { quote: 'USD' };
  newest.accept(
    'prices',
    reading('one', [priceRow({ symbol: 'USDT', price: 0.98, ...usd }), priceRow({ price: 100 })]),
  );
  newest.accept('prices', reading('two', [priceRow({ symbol: 'USDT', price: 1, ...usd })]));
  t.equal(tickers.price('BTC', now)?.price, 99);
  const interests = [interestRow({ value: 200 }), interestRow({ value: 50, quote: 'USD' })];
  newest.accept('openInterest', readingOf(interests, { source: 'one', received: now }));
  t.same([...tickers.openInterest('BTC', now)], [['one', { value: 200 * 0.99 + 50, markets: 2 }]]);
  t.same([...tickers.openInterest('ETH', now)], []);
});

t.test('old or frozen prices do not count', async (t) => {
  const { maxAge } = topics.prices;
  const newest = new NewestRows();
  const tickers = new Tickers(newest);
  newest.accept('prices', reading('frozen', [priceRow({ price: 1 })], { frozen: true }));
  newest.accept('prices', reading('kept', [priceRow({ price: 2, received: now - maxAge - 1 })]));
  t.equal(tickers.price('BTC', now), null);
  t.same(tickers.turnovers(now), []);
  newest.accept('prices', reading('one', [priceRow({ price: 3 })]));
  t.equal(tickers.price('BTC', now + maxAge)?.price, 3);
  t.equal(tickers.price('BTC', now + maxAge + 1), null, 'without a new reading it ages out');
});

t.test('sums are those of the minute', async (t) => {
  const newest = new NewestRows();
  const tickers = new Tickers(newest);
  const tell = (price: number, received: number) =>
    newest.accept('prices', reading('one', [priceRow({ price })], { received }));
  tell(1, now);
  t.equal(tickers.price('BTC', now)?.price, 1);
  tell(2, now + 1_000);
  const later = [59_999, 60_000].map((after) => tickers.price('BTC', now + after)?.price);
  t.strictSame(later, [1, 2]);
});

t.test('the newest chain of each list of options, while all of them are young', async (t) => {
  const newest = new NewestRows();
  const tickers = new Tickers(newest);
  const { maxAge } = topics.options;
  const accept = (part: string, received: number, asked = 0) =>
    newest.accept('options', { source: 'one', part, asked, received, rows: [] });
  const found = (at: number, ...lists: string[]) =>
    tickers.chains('one', lists, at)?.map(({ received, asked }) => [received - now, asked]);
  accept('BTC', now);
  accept('BTC', now, 7);
  t.strictSame(
    [found(now, 'BTC'), found(now + maxAge, 'BTC'), found(now + maxAge + 1, 'BTC')],
    [[[0, 7]], [[0, 7]], undefined],
  );
  t.equal(found(now, 'BTC', 'ETH'), undefined);
  newest.accept('prices', reading('one', []));
  newest.accept('openInterest', {
    source: 'one',
    part: 'linear',
    asked: now,
    received: now,
    rows: [],
  });
  accept('ETH', now);
  t.equal(tickers.known(), 4, 'a part of a topic each');
});

t.test('turnovers by exchange, asset and kind', async (t) => {
  const newest = new NewestRows();
  const tickers = new Tickers(newest);
  const perpetual = { kind: 'perpetual' as const };
  newest.accept(
    'prices',
    reading('one', [
      priceRow({ price: 1, volume: 10 }),
      priceRow({ price: 1, volume: 30, quote: 'USDC' }),
      priceRow({ price: 1, volume: 160, ...perpetual }),
      priceRow({ symbol: 'ETH', price: 1, volume: null, ...perpetual }),
    ]),
  );
  const found = tickers.turnovers(now);
  t.same(
    found.map(({ exchange, symbol, kind, volume_24h_usd: volume, at }) =>
      [exchange, symbol, kind, volume, at - now].join(' '),
    ),
    ['one BTC spot 40 0', 'one BTC futures 160 0', 'one ETH futures 0 0'],
  );
  t.equal(volumeRatios(found).ratio, 4);
});

t.test('no turnovers of an exchange of which a part is not heard', async (t) => {
  const newest = new NewestRows();
  const tickers = new Tickers(newest);
  const old = { part: 'linear', received: now - topics.prices.maxAge - 1 };
  const perpetual = { kind: 'perpetual' as const, price: 1, volume: 10 };
  const share = { symbol: 'TSLA.STOCK', asset_class: 'stock' as const };
  newest.accept('prices', reading('dead', [priceRow({ price: 1, volume: 5 })]));
  newest.accept('prices', reading('dead', [priceRow(perpetual)], { part: 'inverse' }));
  newest.accept('prices', reading('dead', [priceRow(perpetual)], old));
  newest.accept('prices', reading('live', [priceRow({ price: 1, volume: 7 })]));
  newest.accept('prices', reading('live', [priceRow({ ...perpetual, ...share })], old));
  t.match(tickers.turnovers(now), [{ exchange: 'live', volume_24h_usd: 7 }], 'shares do not count');
  t.equal(tickers.turnovers(now).length, 1);
  t.strictSame([...tickers.partial(now)], ['dead']);
});

t.test('a price that two exchanges dispute is unknown', async (t) => {
  const newest = new NewestRows();
  const tickers = new Tickers(newest);
  newest.accept('prices', reading('one', [priceRow({ price: 100 })]));
  newest.accept('prices', reading('two', [priceRow({ price: 100_000 })]));
  t.equal(tickers.price('BTC', now), null);
  newest.accept('prices', reading('three', [priceRow({ price: 101 })]));
  t.equal(tickers.price('BTC', now)?.price, 101);
});

t.test('an open interest that cannot be true is left out', async (t) => {
  const newest = new NewestRows();
  const tickers = new Tickers(newest);
  newest.accept('prices', reading('one', [priceRow({ price: 100, volume: 50 })]));
  const at = { part: 'linear', asked: now, received: now };
  newest.accept('openInterest', { ...at, source: 'one', rows: [interestRow({ value: 200e6 })] });
  newest.accept('openInterest', { ...at, source: 'two', rows: [interestRow({ value: 300 })] });
  t.same([...tickers.openInterest('BTC', now).keys()], ['two']);
});
