/** Computed messages. */
import t from 'tap';
import { dataTypeOf, Messages } from '../../../actors/replay/messages.ts';
import { LiveBook } from '../../../indicators/order-book/live-book.ts';
import { listed } from '../venues/stream-suite.ts';

t.test('a level whose price is a multiple of the step is joined to itself', async (t) => {
  const book = new LiveBook({ most: 50, window: false });
  const levels = { bids: [0.3, 5, 0.29, 1], asks: [0.7, 2, 0.71, 3] };
  book.replace(levels);
  const [instrument] = listed([{ market: 'A' }]).values();
  const type = dataTypeOf('book_snapshot_2_grouped0.1_0ms');
  if (!instrument || !type) throw new Error('there is none');
  const about = { part: 'spot', instrument, local: 1_000, timestamp: 1_000 };
  const messages = new Messages('x', [type], null);
  const [found] = messages.of({ ...about, ...levels, type: 'book_change', isSnapshot: true, book });
  t.match(found, {
    bids: [
      { price: 0.3, amount: 5 },
      { price: 0.2, amount: 1 },
    ],
    asks: [
      { price: 0.7, amount: 2 },
      { price: 0.8, amount: 3 },
    ],
  });
});
