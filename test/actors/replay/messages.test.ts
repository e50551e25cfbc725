/** Computed messages. */
import t from 'tap';
import type { TradeEvent } from '../../../actors/replay/events.ts';
import { dataTypeOf, Messages } from '../../../actors/replay/messages.ts';
import { LiveBook } from '../../../indicators/order-book/live-book.ts';
import { listed } from '../venues/stream-suite.ts';

const [instrument] = listed([{ market: 'A' }]).values();
if (!instrument) throw new Error('there is none');

const trade = (second: number, price: number, recovered?: true): TradeEvent => ({
  type: 'trade',
  part: 'spot',
  instrument,
  id: null,
  side: 'buy',
  price,
  amount: 1,
  timestamp: second * 1e6,
  local: 90e6 + second,
  ...(recovered && { recovered }),
});

function messagesOf(name: string): Messages {
  const type = dataTypeOf(name);
  if (!type) throw new Error('there is none');
  return new Messages('x', [type], null);
}

t.test('bars by number or amount come with the trade that fills them', async (t) => {
  const amounts = [0.1, 0.2, 0.7, 0.3];
  const given = amounts.map((amount, at): TradeEvent => {
    return { ...trade(at, 10 + at), amount, side: at === 0 ? 'sell' : 'buy' };
  });
  for (const name of ['trade_bar_3ticks', 'trade_bar_1vol']) {
    const messages = messagesOf(name);
    const [one, two, three, four] = given.map((event) => messages.of(event));
    t.strictSame([one, two, four], [[], [], []], name);
    t.match(three, [
      { open: 10, close: 12, volume: 1, buyVolume: 0.9, sellVolume: 0.1, trades: 3 },
    ]);
    t.match(three, [{ timestamp: '1970-01-01T00:00:02.000Z', vwap: 11.6 }]);
    t.match(three, [{ localTimestamp: '1970-01-01T00:01:30.000002Z' }]);
  }
});

t.test(
  'the levels of an interval have the time of its end, the first ones their own',
  async (t) => {
    const messages = messagesOf('book_snapshot_1_1s');
    const times = [0.5, 0.7, 10.3, 10.4].flatMap((second, at) => {
      const book = new LiveBook({ most: 50, window: false });
      const levels = { bids: [10 + at, 1], asks: [20, 1] };
      book.replace(levels);
      const about = { part: 'spot', instrument, local: second * 1e6, timestamp: second * 1e6 };
      const event = { ...about, ...levels, type: 'book_change', isSnapshot: true, book } as const;
      return messages.of(event).map(({ timestamp, localTimestamp, bids }) => {
        return { timestamp, localTimestamp, bids };
      });
    });
    t.strictSame(times, [
      {
        timestamp: '1970-01-01T00:00:00.500Z',
        localTimestamp: '1970-01-01T00:00:00.500Z',
        bids: [{ price: 10, amount: 1 }],
      },
      {
        timestamp: '1970-01-01T00:00:01.000Z',
        localTimestamp: '1970-01-01T00:00:10.300Z',
        bids: [{ price: 11, amount: 1 }],
      },
    ]);
  },
);

t.test(
  'a trade that was asked for later is in the bar of its time alone, and is not its close',
  async (t) => {
    const messages = messagesOf('trade_bar_1m');
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
  const levels = { bids: [0.3, 5, 0.29, 0.1, 0.28, 0.2], asks: [0.7, 2, 0.71, 3] };
  book.replace(levels);
  const about = { part: 'spot', instrument, local: 1_000, timestamp: 1_000 };
  const messages = messagesOf('book_snapshot_2_grouped0.1_0ms');
  const [found] = messages.of({ ...about, ...levels, type: 'book_change', isSnapshot: true, book });
  t.match(found, {
    bids: [
      { price: 0.3, amount: 5 },
      { price: 0.2, amount: 0.3 },
    ],
    asks: [
      { price: 0.7, amount: 2 },
      { price: 0.8, amount: 3 },
    ],
  });
});
