import t from 'tap';
import type { PriceRow, Reading } from '../../../actors/topics/index.ts';
import type { JsonText } from '../../../http/answers/json-text.ts';
import { PricesView } from '../../../http/views/prices.ts';
import { now, priceRow } from '../../support/makers.ts';
import { tableRow } from '../../support/table.ts';

const minute = 60_000;

const reading = (
  source: string,
  rows: PriceRow[],
  { part = 'spot', received = now } = {},
): Reading<PriceRow> => ({ source, part, asked: received - 50, received, rows });

const dataOf = (found: JsonText | null) => {
  if (found === null) throw new Error('no answer');
  return JSON.parse(found.text);
};

/** Whether a symbol is known without having an answer. */
const isStale = (view: PricesView, symbol: string) => view.one(symbol) === null && view.has(symbol);

t.test('the mean is plain, and each entry says where its price is from', async (t) => {
  const view = new PricesView();
  view.accept(reading('a', [priceRow({ price: 100, stated: now - 5 })]), now);
  view.accept(reading('b', [priceRow({ price: 104, market: 'BTC-USDT', volume: 9e9 })]), now);
  const data = dataOf(view.one('BTC'));
  t.equal(data.average_price, (100 + 104) / 2, 'turnover does not weigh');
  t.equal(data.median_price, 102);
  t.equal(data.exchange_count, 2);
  t.same(
    data.exchanges.a,
    tableRow`
    price volume_24h updated_at venue_time market  kind markets quote
    100   1_000      ${now}     ${now - 5} BTCUSDT spot 1       USDT
  `,
  );
  t.same(data.stale_exchanges, []);
  t.notOk(view.has('DOGE'));
});

t.test('an exchange of which a market is not heard is named: its turnover lacks it', async (t) => {
  const view = new PricesView();
  const perpetual = priceRow({ kind: 'perpetual', price: 100, volume: 9 });
  view.accept(reading('a', [priceRow({ price: 100, volume: 4 })]), now);
  const old = { part: 'linear', received: now - 5 * minute - 1 };
  view.accept(reading('a', [perpetual], old), now);
  const data = dataOf(view.one('BTC'));
  t.match(data, { exchanges: { a: { price: 100, volume_24h: 4 } }, stale_exchanges: ['a'] });
});

t.test('a price says since when its exchange is not heard', async (t) => {
  const view = new PricesView();
  const changed: string[] = [];
  view.source.listen(['BTC'], () => changed.push('BTC'));
  const at = (exchange: string) => dataOf(view.one('BTC')).exchanges[exchange].unheard_since;
  const all = () => dataOf(view.all()).BTC.unheard_since;
  const week = 7 * 86_400_000;
  view.accept(reading('a', [priceRow({ price: 100, stated: now - 5 })]), now);
  view.accept(reading('b', [priceRow({ price: 104, stated: now - week })]), now);
  t.strictSame([at('a'), at('b'), all()], [undefined, now - week, undefined]);
  view.expire(now + 9_000);
  changed.length = 0;
  view.expire(now + 9_995);
  t.strictSame([at('a'), changed.length], [undefined, 0], 'ten seconds are usual');
  view.expire(now + 9_996);
  t.strictSame([at('a'), changed.length], [now - 5, 1], 'those who follow it are told');
  t.equal(all(), now - 5, 'none of the exchanges is heard');
  view.expire(now + 12_000);
  t.equal(changed.length, 1, 'once');
  view.accept(reading('a', [priceRow({ price: 100 })], { received: now + 12_000 }), now + 12_000);
  t.strictSame([at('a'), all()], [undefined, undefined]);
});

t.test(
  'a reading older than five minutes leaves and is named; a new one brings it back',
  async (t) => {
    const view = new PricesView();
    view.accept(reading('a', [priceRow({ price: 100 })], { received: now - 5 * minute }), now);
    view.accept(reading('b', [priceRow({ price: 110 })]), now);
    t.equal(
      dataOf(view.one('BTC')).average_price,
      105,
      'five minutes to the millisecond still count',
    );
    view.expire(now + 1);
    const data = dataOf(view.one('BTC'));
    t.equal(data.average_price, 110);
    t.same(data.stale_exchanges, ['a']);
    t.notOk('a' in data.exchanges);
    view.expire(now + 5 * minute + 1);
    t.ok(isStale(view, 'BTC'));
    t.equal(view.all(), null);
    view.accept(
      reading('a', [priceRow({ price: 7 })], { received: now + 6 * minute }),
      now + 6 * minute,
    );
    t.equal(dataOf(view.one('BTC')).average_price, 7);
  },
);

t.test('the map of all symbols follows every change', async (t) => {
  const view = new PricesView();
  t.equal(view.all(), null);
  view.accept(
    reading('a', [priceRow({ price: 100 }), priceRow({ symbol: 'ETH', price: 10 })]),
    now,
  );
  view.accept(reading('b', [priceRow({ price: 102 })], { received: now + 7 }), now + 7);
  t.same(dataOf(view.all()), {
    BTC: { average_price: 101, exchange_count: 2, updated_at: now + 7 },
    ETH: { average_price: 10, exchange_count: 1, updated_at: now },
  });
  const read = view.source.answers({
    build: (symbol: string) => view.one(symbol),
    keysOf: (symbol) => [symbol],
  });
  const before = read('ETH');
  view.accept(reading('b', [priceRow({ price: 104 })], { received: now + 8 }), now + 8);
  t.equal(read('ETH'), before, "another symbol's change leaves the bytes alone");
  t.equal(dataOf(view.all()).BTC.average_price, 102);
  t.notOk('disputed' in dataOf(view.all()).BTC || 'disputed' in dataOf(view.one('BTC')));
  view.accept(reading('b', [priceRow({ price: 9_999 })], { received: now + 9 }), now + 9);
  t.match(
    [dataOf(view.all()).BTC, dataOf(view.one('BTC'))],
    [{ disputed: true }, { disputed: true }],
  );
  view.accept(reading('c', [priceRow({ price: 105 })], { received: now + 9 }), now + 9);
  const { exchanges } = dataOf(view.one('BTC'));
  t.match(exchanges, { b: { price: 9_999, excluded: true } }, 'shown, and in no mean');
  t.notOk('excluded' in exchanges.a);
});

t.test('a stablecoin rate goes with its reading', async (t) => {
  const view = new PricesView();
  const rate = () => view.rates().get('USDT');
  const usdt = priceRow({ symbol: 'USDT', quote: 'USD', price: 0.9 });
  view.accept(reading('a', [usdt]), now);
  view.expire(now + 5 * minute);
  t.equal(rate(), 0.9);
  view.expire(now + 5 * minute + 1);
  t.equal(rate(), 1);
  view.accept(reading('a', [usdt], { received: now + 1 }), now + 1);
  t.equal(rate(), 0.9);
  view.accept(reading('a', [priceRow({})], { received: now + 2 }), now + 2);
  t.equal(rate(), 1, 'the next reading does not have it');
  view.accept(reading('a', [{ ...usdt, received: now - 5 * minute - 1 }]), now);
  t.equal(rate(), 1, 'its row was too old');
});

/** Rows as market, quote, volume and kind, and the market that stands for the asset. */
const meant: readonly [rows: string[], market: string | undefined][] = [
  [['A USDT 5 spot', 'B USDC 7 spot', 'C USDT 6 spot'], 'B'],
  [['A USDT 5 spot', 'B EUR 900 spot'], 'A'],
  [['A EUR 5 spot', 'B TRY 9 spot'], 'B'],
  [['A USDT null spot', 'B USDT 0.5 spot'], 'B'],
  [['A USDT 0.5 spot', 'B USDT null spot'], 'A'],
  [['A USDT 9 perpetual', 'B USDT 5 spot'], 'B'],
  [['A USDT 5 perpetual', 'B USDT 9 perpetual'], 'B'],
  [[], undefined],
];
t.test('the market that an asset stands for, and the fresh rows of an asset', async (t) => {
  const view = new PricesView();
  const rowsOf = (lines: readonly string[], more: Partial<PriceRow> = {}) =>
    lines.map((line) => {
      const [market = '', quote = '', volume, kind] = line.split(' ');
      const over = { market, quote, volume: volume === 'null' ? null : Number(volume), ...more };
      return priceRow({ ...over, kind: kind === 'spot' ? kind : 'perpetual' });
    });
  for (const [i, [lines, market]] of meant.entries()) {
    view.accept(reading('a', rowsOf(lines), { received: now + i }), now + i);
    t.equal(view.marketFor('a', 'BTC')?.market, market, lines.join());
  }
  const at = now + meant.length;
  view.accept(reading('a', rowsOf(['A USDT 5 spot', 'B USDT 4 spot']), { received: at }), at);
  t.equal(view.marketFor('a', 'BTC')?.market, 'A');
  view.change(reading('a', rowsOf(['B USDT 9 spot']), { received: at + 1 }), at + 1);
  t.equal(view.marketFor('a', 'BTC')?.market, 'B', 'a stream has changed it');
  t.equal(view.marketFor('a', 'BTC', 'perpetual'), null, 'of a kind that is not there');
  const other = rowsOf(['C USDT 1 spot'], { symbol: 'ETH' });
  view.accept(reading('b', other, { received: at }), at);
  const fresh = (time: number) =>
    [...view.fresh(time)].map(({ exchange, row }) => exchange + row.market);
  t.strictSame(fresh(at + 5 * minute), ['aA', 'aB', 'bC']);
  t.strictSame(fresh(at + 5 * minute + 1), ['aB']);
  t.match(view.markets('ETH', at), [{ exchange: 'b', row: { market: 'C' }, received: at }]);
  t.strictSame([view.turnover('b', 'ETH'), view.turnover('b', 'NONE')], [1, null]);
});

t.test('markets that are held back are named, with and without a last good price', async (t) => {
  const view = new PricesView();
  const suspect = [
    { market: 'BTCUSDT', symbol: 'BTC' },
    { market: 'NEWUSDT', symbol: 'NEW' },
  ];
  const kept = priceRow({ received: now - minute });
  view.accept({ ...reading('a', [kept, priceRow({ symbol: 'ETH' })]), suspect }, now);
  const data = dataOf(view.one('BTC'));
  t.same(data.suspect, [{ exchange: 'a', market: 'BTCUSDT' }]);
  t.equal(data.exchanges.a.updated_at, now - minute);
  t.same(dataOf(view.one('ETH')).suspect, []);
  t.ok(isStale(view, 'NEW'), 'there is such a symbol, but no price yet');
  view.accept(reading('a', [priceRow({ price: 50 })], { received: now + 1 }), now + 1);
  t.same(dataOf(view.one('BTC')).suspect, [], 'confirmed');
  t.notOk(view.has('NEW'));
  view.accept({ ...reading('a', [priceRow({})], { received: now + 2 }), suspect }, now + 2);
  view.accept(reading('b', [priceRow({})], { received: now + 5 * minute }), now + 5 * minute);
  view.expire(now + 5 * minute + 3);
  t.same(dataOf(view.one('BTC')).suspect, [], 'what a reading said goes with its age');
});
