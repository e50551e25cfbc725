import t from 'tap';
import type { IsSuspectBook } from '../../../../actors/sources/books/book-guard.ts';
import { BookSet } from '../../../../actors/sources/books/book-set.ts';
import { LiveBooks } from '../../../../actors/sources/books/live-books.ts';
import { Counter } from '../../../../actors/sources/status/status.ts';
import type { BookStream, MarketUpdate } from '../../../../actors/sources/streams/stream.ts';
import type { BookSnapshot } from '../../../../indicators/order-book/followed-book.ts';
import { settle } from '../../../support/clock.ts';
import { listed } from '../../venues/stream-suite.ts';

const levels = { bids: [100, 1], asks: [101, 1] };
const markets = (names: string) =>
  listed([...names].map((name) => ({ market: name, symbol: name })));

/** `A7` is change 7 of the book of A, `A!7` the whole book, `A7x` a change that crosses it; `#5` is message 5. */
function updateOf(word: string): MarketUpdate {
  const [, market = '', whole, last, crossed] = /^(\w)(!?)(\d+)(x?)$/.exec(word) ?? [];
  if (last === undefined) throw new Error('no message');
  const kind = whole ? 'snapshot' : 'update';
  const asks = crossed ? [99, 1] : levels.asks;
  return {
    market,
    kind,
    first: Number(last),
    last: Number(last),
    stated: null,
    bids: levels.bids,
    asks,
  };
}

/** The books of A, B and C with two connections; `tick` looks at them every second up to a time. */
function setup(more: Partial<BookStream> = {}, isSuspect?: IsSuspectBook) {
  const sent: string[] = [];
  const asked: string[] = [];
  const answers: ((snapshot: BookSnapshot | null) => void)[] = [];
  const live = new LiveBooks();
  const peer = (name: string) => ({ send: (text: string) => void sent.push(`${name} ${text}`) });
  const stream: BookStream = {
    ...{ collect: 'books', url: 'wss://x.example', silence: 1, rule: 'counted', most: 9 },
    window: false,
    subscribe: ({ market }) => `+${market}`,
    unsubscribe: ({ market }) => (market === 'C' ? null : `-${market}`),
    parse(message) {
      const words = `${message}`.split(' ');
      const count = words[0]?.startsWith('#') ? Number(words.shift()?.slice(1)) : undefined;
      if (words[0] === 'pong') return null;
      return { updates: words.map(updateOf), ...(count !== undefined && { count }) };
    },
    ...more,
  };
  const ask = (market: string) => {
    asked.push(market);
    return new Promise<BookSnapshot | null>((resolve) => answers.push(resolve));
  };
  const counter = new Counter();
  const around = { source: 'x', part: 'all', live, counter };
  const books = new BookSet({ ...around, stream, ask, isSuspect });
  const [p, q, r] = [peer('p'), peer('q'), peer('r')];
  books.want(markets('ABC'), 0);
  let now = 0;
  const tick = (until: number) => {
    for (now = Math.min(now + 1_000, until); now < until; now += 1_000) books.tick(now);
    now = until;
    books.tick(now);
    return sent.splice(0);
  };
  const living = (names = 'ABC') =>
    [...names].filter((name) => live.read('x', 'all', name) !== null).join('');
  const dropped = () => counter.counts;
  return { books, dropped, live, p, q, r, tick, living, asked, answers };
}

/** Subscriptions that bring whole books: those of all markets but A have come. */
function running(more: Partial<BookStream> = {}) {
  const all = setup(more);
  all.books.take('A1 B!1 C!1', all.p, 0);
  return all;
}

t.test('the books that are wanted, and which of them are right', (t) => {
  const { books, p, living, dropped } = setup();
  t.strictSame([books.size, books.live, living()], [3, 0, '']);
  books.take('A!1 B!1 D!1', p, 5);
  books.take('pong', p, 5);
  books.take('nonsense', p, 5);
  t.strictSame([books.size, books.live, living()], [3, 2, 'AB']);
  t.strictSame(dropped(), { bad_message: 1 });
  const renamed = listed([{ market: 'A', symbol: 'renamed' }]);
  books.want(renamed, 6);
  t.strictSame([books.size, books.live, living()], [1, 1, 'A']);
  t.strictSame(
    [...books.books].map(({ instrument, received }) => [instrument.symbol, received]),
    [['renamed', 5]],
  );
  books.close();
  t.strictSame([books.size, living()], [0, '']);
  t.end();
});

t.test('a book that does not come is subscribed to again every 15 s', (t) => {
  const { tick } = running();
  t.strictSame(
    [tick(14_999), tick(15_000), tick(29_999), tick(30_000)],
    [...[[], ['p -A', 'p +A'], [], ['p -A', 'p +A']]],
  );
  const one = setup();
  one.books.take('C1', one.p, 0);
  t.strictSame(one.tick(15_000), ['p +C'], 'where there is nothing to end');
  t.strictSame(one.tick(16_000), [], 'books without a message have no connection');
  t.end();
});

t.test('a book that broke is asked for at once, after 5 s, and then after a minute', (t) => {
  const { books, p, tick, living, dropped } = running();
  books.want(markets('BC'), 0);
  for (let at = 10_000; at <= 190_000; at += 10_000) books.take('C2', p, at);
  t.strictSame([tick(59_999), living()], [[], 'BC']);
  t.strictSame([tick(60_000), living()], [['p -B', 'p +B'], 'C'], 'silent for a minute');
  books.take('B!1', p, 61_000);
  books.take('B2x', p, 62_000);
  t.strictSame([tick(64_999), tick(65_000)], [[], ['p -B', 'p +B']]);
  books.take('B!1', p, 65_000);
  tick(119_999);
  books.take('B2x', p, 120_000);
  t.strictSame(tick(120_000), ['p -B', 'p +B'], 'the second in a minute');
  books.take('B!1', p, 120_000);
  books.take('B2x', p, 121_000);
  t.strictSame([tick(180_999), tick(181_000)], [[], ['p -B', 'p +B']], 'the third');
  books.take('B!1', p, 181_000);
  books.take('B2x', p, 181_000);
  t.strictSame([tick(185_999), tick(186_000)], [[], ['p -B', 'p +B']], 'the first again');
  t.strictSame(dropped(), { silent: 1, crossed: 4 });
  t.end();
});

t.test('a book that is far from all prices is withdrawn and asked for again', (t) => {
  let wrong = '';
  const set = setup({}, (source, { market }) => source === 'x' && wrong.includes(market));
  set.books.take('A!1 B!1 C!1', set.p, 0);
  t.strictSame([set.tick(1_000), set.living()], [[], 'ABC']);
  wrong = 'B';
  t.strictSame([set.tick(2_000), set.living()], [[], 'AC']);
  t.strictSame(set.tick(5_000), ['p -B', 'p +B']);
  set.books.take('B!2', set.p, 5_000);
  t.strictSame([set.tick(6_000), set.living()], [[], 'AC'], 'it is as wrong as before');
  t.strictSame(set.dropped(), { suspect: 2 });
  wrong = '';
  t.strictSame(set.tick(11_000), ['p -B', 'p +B']);
  set.books.take('B!3', set.p, 11_000);
  t.strictSame([set.tick(12_000), set.living()], [[], 'ABC']);
  t.end();
});

t.test('a message that is missing breaks the books of its connection', (t) => {
  const { books, p, q, living, dropped } = setup();
  books.take('A!1', p, 0);
  books.take('#4 A2', p, 0);
  books.take('#5 B!1', p, 0);
  books.take('#9 C!1', q, 0);
  books.take('#5 B2x', p, 0);
  t.equal(living(), 'ABC', 'a message that came before is not read');
  books.take('#7 A!3', p, 0);
  t.strictSame([living(), dropped()], ['AC', { gap: 2 }]);
  books.take('#8 C2', p, 0);
  t.equal(living(), 'A', 'a change by another connection than that of its book');
  books.take('#10 C3', p, 0);
  t.strictSame([living(), dropped()], ['', { gap: 3 }], 'of those that were right');
  books.take('#11 A!5 C!5', p, 0);
  t.strictSame([living(), dropped()], ['AC', { gap: 3 }]);
  books.take('#12 A8', p, 0);
  t.strictSame([living(), dropped()], ['C', { gap: 4 }], 'its number tells');
  t.end();
});

t.test('a connection that ends takes its books along', (t) => {
  const { books, p, q, r, tick, living, dropped } = setup();
  books.want(markets('ABCD'), 0);
  books.take('#5 A!1 B!1 D1', p, 0);
  books.take('C!1', q, 0);
  tick(1_000);
  books.ended(p, 2_000);
  t.strictSame([living(), dropped()], ['C', { lost: 2 }]);
  books.take('#1 A1 B!1', r, 2_000);
  t.equal(living(), 'BC', 'the messages of the next one are counted anew');
  t.strictSame([tick(16_999), tick(17_000)], [[], ['r -A', 'r +A']]);
  t.strictSame(tick(20_000), [], 'nothing is sent about a book without a connection');
  t.end();
});

t.test('a process that runs behind breaks no book, and asks for none at once', (t) => {
  const { books, p, tick, dropped } = running();
  books.take('A!1', p, 14_000);
  books.take('A2x', p, 14_000);
  for (const at of [13_000, 14_000]) t.strictSame(tick(at), at === 14_000 ? ['p -A', 'p +A'] : []);
  books.tick(16_000);
  t.strictSame(dropped(), { crossed: 1 }, 'two seconds are not late');
  books.tick(18_001);
  t.strictSame(dropped(), { crossed: 1, late: 1 });
  const fresh = setup();
  fresh.books.tick(9_000);
  t.strictSame(fresh.dropped(), {}, 'nor is the first look');
  const behind = setup();
  behind.books.take('A1 B1 C!1', behind.p, 0);
  behind.tick(50_000);
  behind.books.take('A2', behind.p, 50_000);
  behind.books.tick(60_000);
  t.equal(behind.living(), 'C', 'what has come meanwhile is not read yet');
  const looks = [64_999, 65_000, 65_000, 66_000].map((at) => behind.tick(at));
  t.strictSame(looks, [[], ['p -A', 'p +A'], ['p -B', 'p +B'], []], 'then one a look');
  behind.tick(119_999);
  t.equal(behind.living(), 'C');
  behind.tick(120_000);
  t.equal(behind.living(), '');
  t.end();
});

t.test('a whole book is requested after its first change', async (t) => {
  const snapshot = { request: (path: string) => ({ api: 'a', path }), parse: () => whole };
  const whole = { ...levels, last: 7, stated: null, limited: false };
  const { books, p, tick, living, asked, answers, dropped } = setup({ snapshot });
  tick(20_000);
  t.strictSame(asked, []);
  books.take('A7', p, 20_000);
  tick(20_000);
  tick(40_000);
  t.strictSame(asked, ['A'], 'once, until it has come');
  answers[0]?.(null);
  await settle();
  t.strictSame(dropped(), { no_snapshot: 1 });
  books.take('A8', p, 40_000);
  tick(40_000);
  books.ended(p, 41_000);
  answers[1]?.({ ...whole, last: 9 });
  await settle();
  t.strictSame([asked.length, living()], [2, ''], 'an answer that comes after a break');
  books.take('A8 B8', p, 41_000);
  tick(55_999);
  t.strictSame(asked, ['A', 'A', 'B']);
  tick(56_000);
  answers[3]?.({ ...whole, last: 7 });
  await settle();
  t.strictSame([asked.length, living()], [4, 'A']);
  const frames = setup({ ask: ({ market }) => `?${market}` });
  frames.books.take('A7', frames.p, 0);
  t.strictSame(frames.tick(0), ['p ?A']);
});

t.test('what waits for a whole book is of no use after a message that is missing', async (t) => {
  const whole = { ...levels, last: 7, stated: null, limited: false };
  const snapshot = { request: (path: string) => ({ api: 'a', path }), parse: () => whole };
  const { books, p, tick, living, asked, answers } = setup({ snapshot });
  books.take('#1 A8', p, 0);
  tick(0);
  books.take('#3 A10', p, 0);
  answers[0]?.(whole);
  await settle();
  t.strictSame([asked, living()], [['A'], ''], 'change 9 may be missing');
  tick(15_000);
  answers[1]?.({ ...whole, last: 10 });
  await settle();
  t.strictSame([asked, living()], [['A', 'A'], 'A']);
});
