/** Order books that are far from all prices of their asset, from the stream and by request to the answers. */

import t from 'tap';
import { success } from '../../../../actors/failure.ts';
import { LiveBooks } from '../../../../actors/sources/books/live-books.ts';
import { InstrumentBook } from '../../../../actors/sources/instruments.ts';
import { bookGuard } from '../../../../actors/sources/quality/guards.ts';
import { venueAnswers } from '../../../../actors/sources/queries/queries.ts';
import { NewestRows } from '../../../../actors/state/newest-rows.ts';
import type { PriceRow } from '../../../../actors/topics/index.ts';
import { okx } from '../../../../actors/venues/okx/index.ts';
import { FollowedBook } from '../../../../indicators/order-book/followed-book.ts';
import { FakeClock } from '../../../support/clock.ts';
import { instrument } from '../../../support/makers.ts';
import { noQuotes } from '../../../support/prices.ts';
import { served } from '../../../support/queries.ts';
import { around } from '../../../support/sources.ts';

const market = instrument({ market: 'BTC-USDT', kind: 'spot' });
const book = (mid: number) => ({
  bids: [{ price: mid - 10, quantity: 1 }],
  asks: [{ price: mid + 10, quantity: 2 }],
});

function stage() {
  const clock = new FakeClock();
  const newest = new NewestRows();
  const tell = (source: string, price: number, frozen?: true) => {
    const row: PriceRow = {
      ...{ market: 'BTC-USDT', kind: 'spot', symbol: 'BTC', quote: 'USDT', price },
      ...{ volume: 1, change: null, stated: null, ...noQuotes },
    };
    const at = { asked: clock.now(), received: clock.now() };
    newest.accept('prices', {
      source,
      part: 'spot',
      ...at,
      rows: [row],
      ...(frozen && { frozen }),
    });
  };
  return { clock, tell, isSuspect: bookGuard({ newest, clock }) };
}

t.test(
  'a book is suspect where it is far from its market and from all other exchanges',
  async (t) => {
    const { clock, tell, isSuspect } = stage();
    const is = (mid: number, about = market) => isSuspect('okx', about, book(mid));
    t.notOk(is(97_870_600), 'no price is known');
    tell('okx', 97_870);
    t.ok(is(97_870_600));
    t.ok(is(97.87));
    t.notOk(is(97_900));
    t.notOk(is(97_870 * 1.29), 'a fast move');
    t.ok(is(97_870 * 1.31));
    tell('binance', 130_000);
    t.notOk(is(97_870 * 1.31), 'another exchange confirms it');
    t.ok(is(97_870_600));
    t.notOk(is(97_870_600, { ...market, quote: 'EUR' }), 'in another unit');
    t.notOk(isSuspect('okx', market, { bids: book(5).bids, asks: [] }), 'without a middle');
    t.notOk(isSuspect('okx', market, { bids: book(5).asks, asks: book(5).bids }), 'crossed');
    await clock.advance(600_000);
    t.notOk(is(97_870_600), 'the prices are too old');
    tell('binance', 97_870);
    t.ok(is(97_870_600), 'only another exchange has a price');
    tell('binance', 97_870, true);
    t.notOk(is(97_870_600), 'a frozen part says nothing');
  },
);

const bodyOf = (mid: number) => ({
  code: '0',
  msg: '',
  data: [
    {
      asks: [[`${mid + 10}`, '2', '0', '4']],
      bids: [[`${mid - 10}`, '1', '0', '3']],
      ts: '1790000000000',
    },
  ],
});

t.test('books by request and by stream are marked in the answer', async (t) => {
  const { clock, tell, isSuspect } = stage();
  tell('okx', 97_870);
  const listed = new NewestRows();
  const lists = new InstrumentBook(listed);
  for (const part of okx.parts) {
    const rows = part === 'spot' ? [market] : [];
    listed.accept('instruments', { source: 'okx', part, asked: 0, received: 0, rows });
  }
  let mid = 97_870;
  const client = {
    send: async () => success({ body: bodyOf(mid), asked: clock.now(), received: clock.now() }),
  };
  const live = new LiveBooks();
  const context = { book: lists, clock, onUnknown: () => {}, ...around(clock), live, isSuspect };
  const bus = served(venueAnswers(okx, client, context), clock);
  const ask = async (name: 'orderBook' | 'fullBook') => {
    await clock.advance(5_000);
    const reply = await bus.query({
      source: 'okx',
      name,
      params: { market: 'BTC-USDT', depth: 5 },
    });
    if (!reply.ok) throw new Error(reply.failure.message);
    const { bids, source, suspect } = reply.value.value;
    return [bids[0]?.price, source, suspect];
  };
  t.strictSame(await ask('orderBook'), [97_860, undefined, undefined]);
  mid = 97_870_000;
  t.strictSame(await ask('orderBook'), [97_869_990, undefined, true]);
  t.strictSame(await ask('fullBook'), [97_869_990, undefined, true]);
  const kept = new FollowedBook({ rule: 'none', most: 5, window: false, asked: false });
  const whole = { kind: 'snapshot', last: 1, stated: null } as const;
  const offered = { instrument: market, book: kept, received: clock.now() };
  live.put('okx', 'spot', market.market, offered);
  kept.take({ ...whole, bids: [97_869_990, 1], asks: [97_870_010, 2] });
  t.strictSame(await ask('orderBook'), [97_869_990, 'live', true]);
  kept.take({ ...whole, last: 2, bids: [97_860, 1], asks: [97_880, 2] });
  t.strictSame(await ask('orderBook'), [97_860, 'live', undefined]);
});
