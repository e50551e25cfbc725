/** Computed messages. */
import t from 'tap';
import type { TradeEvent } from '../../../actors/replay/events.ts';
import { dataTypeOf, Messages } from '../../../actors/replay/messages.ts';
import { LiveBook } from '../../../indicators/order-book/live-book.ts';
import { listed } from '../venues/stream-suite.ts';

const [instrument] = listed([{ market: 'A' }]).values();
if (!instrument) throw new Error('there is none');

t.test(
  'a trade that was asked for later is in the bar of its time alone, and is not its close',
  async (t) => {
    const trade = (second: number, price: number, recovered?: true): TradeEvent => ({
      type: 'trade',
      part: 'spot',
      instrument,
      id: null,
      side: 'buy',
      price,
      amount: 1,
      timestamp: second * 1e6,
      local: 90e6,
      ...(recovered && { recovered }),
    });
    const type = dataTypeOf('trade_bar_1m');
    if (!type) throw new Error('there is none');
    const messages = new Messages('x', [type], null);
    const given = [
      ...[trade(62, 10), trade(59, 1, true), trade(70, 12), trade(65, 9, true)],
      trade(121, 20),
    ];
    const [bar, ...others] = given.flatMap((one) => messages.of(one));
    t.match(bar, { open: 10, high: 12, low: 9, close: 12, volume: 3, trades: 3 });
    t.match(bar, { closeTimestamp: '1970-01-01T00:01:10.000Z' });
    t.strictSame(others, []);
  },
);

t.test('a level whose price is a multiple of the step is joined to itself', async (t) => {
  const book = new LiveBook({ most: 50, window: false });
  const levels = { bids: [0.3, 5, 0.29, 1], asks: [0.7, 2, 0.71, 3] };
  book.replace(levels);
  const type = dataTypeOf('book_snapshot_2_grouped0.1_0ms');
  if (!type) throw new Error('there is none');
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
