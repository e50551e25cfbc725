/** Samples of order books and the large orders in them. */
import t from 'tap';
import { type BookSample, type LargeOrderRow, topics } from '../../../actors/topics/index.ts';
import { BooksView } from '../../../http/views/books.ts';

const now = 1_750_000_000_000;

t.test('those of an asset, by kind and exchange, while they are young', async (t) => {
  const view = new BooksView();
  const row = (symbol: string, market: string, age: number) =>
    ({ symbol, market, received: now - age }) as BookSample & LargeOrderRow;
  const { orderBooks, largeOrders } = topics;
  for (const [source, part] of [
    ['x', 'spot'],
    ['y', 'spot'],
    ['x', 'perpetual'],
  ] as const) {
    const rows = [
      row('A', '1', 0),
      row('B', '2', 0),
      row('A', '3', orderBooks.maxAge),
      row('A', '4', orderBooks.maxAge + 1),
    ];
    const about = { source, part, asked: now, rows };
    view.acceptSamples(`${source}/${part}`, { ...about, received: now });
    const age = source === 'y' ? largeOrders.maxAge + 1 : largeOrders.maxAge;
    view.acceptOrders(`${source}/${part}`, { ...about, received: now - age });
  }
  const found = (['spot', 'perpetual'] as const).flatMap((kind) =>
    [undefined, 'y'].map((exchange) => {
      const wanted = { kind, symbol: 'A', exchange };
      return [view.samples(wanted, now), view.orders(wanted, now)].map((rows) =>
        rows.map((one) => one.exchange + one.market).join(' '),
      );
    }),
  );
  t.strictSame(found, [
    ['x1 x3 y1 y3', 'x1 x3 x4'],
    ['y1 y3', ''],
    ['x1 x3', 'x1 x3 x4'],
    ['', ''],
  ]);
});

t.test('an order that no look has found for too long is not shown as one that rests', async (t) => {
  const view = new BooksView();
  const order = (price: number, state: LargeOrderRow['state'], age: number) =>
    ({
      market: 'AUSDT',
      symbol: 'A',
      side: 'ask',
      price,
      state,
      last_seen: now - age,
    }) as LargeOrderRow;
  const { maxAge } = topics.largeOrders;
  const rows = [
    order(11, 'active', maxAge),
    order(12, 'active', maxAge + 1),
    order(13, 'cancelled', maxAge + 1),
  ];
  view.acceptOrders('one', { source: 'x', part: 'spot', asked: now, received: now, rows });
  const found = view.orders({ kind: 'spot', symbol: 'A' }, now);
  t.strictSame(
    found.map(({ price }) => price),
    [11, 13],
  );
});

t.test(
  'an order that two processes report is one order; orders that close at one price are several',
  async (t) => {
    const order = (state: LargeOrderRow['state'], last_seen: number) =>
      ({ market: 'AUSDT', symbol: 'A', side: 'bid', price: 9, state, last_seen }) as LargeOrderRow;
    const view = new BooksView();
    const accept = (key: string, rows: LargeOrderRow[]) =>
      view.acceptOrders(key, { source: 'x', part: 'spot', asked: now, received: now, rows });
    accept('one', [order('active', now - 1), order('filled', now - 9), order('filled', now - 5)]);
    accept('two', [order('active', now), order('filled', now - 5), order('cancelled', now - 7)]);
    const found = view.orders({ kind: 'spot', symbol: 'A' }, now);
    t.same(found.map(({ state, last_seen }) => [state, last_seen - now]).sort(), [
      ['active', 0],
      ['cancelled', -7],
      ['filled', -5],
      ['filled', -9],
    ]);
  },
);
