import t from 'tap';
import { BookSet } from '../../../../actors/sources/books/book-set.ts';
import { LiveBooks } from '../../../../actors/sources/books/live-books.ts';
import type { IsSuspectBook } from '../../../../actors/sources/quality/guards.ts';
import { Counter } from '../../../../actors/sources/status/status.ts';
import type { BookStream, MarketUpdate } from '../../../../actors/sources/streams/stream.ts';
import type { BookSnapshot } from '../../../../indicators/order-book/followed-book.ts';
import { bookReader } from '../../../support/book-reader.ts';
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
  const peer = (name: string) => ({
    send: (text: string | null) => void (text !== null && sent.push(`${name} ${text}`)),
  });
  const stream: BookStream = {
    ...{ url: 'wss://x.example', silence: 1, rule: 'counted', most: 9 },
    window: false,
    channels: (markets) => [...markets.keys()].map((market) => `+${market}`),
    unsubscribe: (markets) =>
      [...markets.keys()].flatMap((market) => (market === 'C' ? [] : `-${market}`)),
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
  const take = bookReader({ set: books, stream, counter });
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
  return { books, take, dropped, live, p, q, r, tick, living, asked, answers };
}

/** Subscriptions that bring whole books: those of all markets but A have come. */
function running(more: Partial<BookStream> = {}) {
  const all = setup(more);
  all.take('A1 B!1 C!1', all.p, 0);
  return all;
}

t.test('the books that are wanted, and which of them are right', (t) => {
  const { books, take, p, living, dropped } = setup();
  t.strictSame([books.size, books.live, living()], [3, 0, '']);
  take('A!1 B!1 D!1', p, 5);
  take('pong', p, 5);
  take('nonsense', p, 5);
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
  one.take('C1', one.p, 0);
  t.strictSame(one.tick(15_000), ['p +C'], 'where there is nothing to end');
  t.strictSame(one.tick(16_000), [], 'books without a message have no connection');
  t.end();
});

t.test('a book that broke is asked for at once, after 5 s, and then after a minute', (t) => {
  const { books, take, p, tick, living, dropped } = running();
  books.want(markets('BC'), 0);
  for (let at = 10_000; at <= 190_000; at += 10_000) take(`C${1 + at / 10_000}`, p, at);
  t.strictSame([tick(59_999), living()], [[], 'BC']);
  t.strictSame([tick(60_000), living()], [['p -B', 'p +B'], 'C'], 'silent for a minute');
  take('B!1', p, 61_000);
  take('B2x', p, 62_000);
  t.strictSame([tick(64_999), tick(65_000)], [[], ['p -B', 'p +B']]);
  take('B!1', p, 65_000);
  tick(119_999);
  take('B2x', p, 120_000);
  t.strictSame(tick(120_000), ['p -B', 'p +B'], 'the second in a minute');
  take('B!1', p, 120_000);
  take('B2x', p, 121_000);
  t.strictSame([tick(180_999), tick(181_000)], [[], ['p -B', 'p +B']], 'the third');
  take('B!1', p, 181_000);
  take('B2x', p, 181_000);
  t.strictSame([tick(185_999), tick(186_000)], [[], ['p -B', 'p +B']], 'the first again');
  t.strictSame(dropped(), { silent: 1, crossed: 4 });
  t.end();
});

t.test('a book whose messages are counted from below again is none after the third', (t) => {
  const { take, tick, living, dropped, p } = setup();
  take('A!70', p, 0);
  take('A69 A68 A67 A66', p, 500);
  t.equal(living(), 'A', 'older ones come behind a snapshot');
  take('A71', p, 1_000);
  take('A70 A71 A69 A71', p, 1_500);
  take('A72', p, 2_000);
  t.equal(living(), 'A', 'single ones are repeats');
  take('A1 A2', p, 3_000);
  t.equal(living(), 'A');
  take('A3', p, 3_100);
  t.strictSame([living(), dropped()], ['', { gap: 1 }]);
  t.strictSame(tick(5_000), ['p -A', 'p +A']);
  take('A!9 A10', p, 5_100);
  t.equal(living(), 'A');
  t.end();
});

t.test('a book that is far from all prices is withdrawn and asked for again', (t) => {
  let wrong = '';
  const set = setup({}, (source, { market }) => source === 'x' && wrong.includes(market));
  set.take('A!1 B!1 C!1', set.p, 0);
  t.strictSame([set.tick(1_000), set.living()], [[], 'ABC']);
  wrong = 'B';
  t.strictSame([set.tick(2_000), set.living()], [[], 'AC']);
  t.strictSame(set.tick(5_000), ['p -B', 'p +B']);
  set.take('B!2', set.p, 5_000);
  t.strictSame([set.tick(6_000), set.living()], [[], 'AC'], 'it is as wrong as before');
  t.strictSame(set.dropped(), { suspect: 2 });
  wrong = '';
  t.strictSame(set.tick(11_000), ['p -B', 'p +B']);
  set.take('B!3', set.p, 11_000);
  t.strictSame([set.tick(12_000), set.living()], [[], 'ABC']);
  t.end();
});

t.test('a message that is missing breaks the books of its connection', (t) => {
  const { take, p, q, living, dropped } = setup();
  take('A!1', p, 0);
  take('#4 A2', p, 0);
  take('#5 B!1', p, 0);
  take('#9 C!1', q, 0);
  take('#5 B2x', p, 0);
  t.equal(living(), 'ABC', 'a message that came before is not read');
  take('#7 A!3', p, 0);
  t.strictSame([living(), dropped()], ['AC', { gap: 2 }]);
  take('#8 C2', p, 0);
  t.equal(living(), 'A', 'a change by another connection than that of its book');
  take('#10 C3', p, 0);
  t.strictSame([living(), dropped()], ['', { gap: 3 }], 'of those that were right');
  take('#11 A!5 C!5', p, 0);
  t.strictSame([living(), dropped()], ['AC', { gap: 3 }]);
  take('#12 A8', p, 0);
  t.strictSame([living(), dropped()], ['C', { gap: 4 }], 'its number tells');
  t.end();
});

t.test('messages that are counted from below again follow none of those before', (t) => {
  const { take, p, living, dropped, tick } = setup();
  take('#1000 A!1 B!1', p, 0);
  take('#0 B2', p, 1_000);
  t.strictSame([living(), dropped()], ['', { gap: 2 }]);
  t.strictSame(tick(5_000), ['p -A', 'p +A']);
  take('#1 A!7', p, 5_100);
  take('#2 A8', p, 5_200);
  t.equal(living(), 'A');
  t.end();
});

t.test('an answer that has the number of its question may come later than what follows it', (t) => {
  const { take, p, living, dropped, tick } = setup({ answersWithin: 5_000 });
  take('#1 A!1', p, 0);
  take('#3 A2', p, 100);
  t.strictSame([living(), tick(150)], ['', []], 'what is missing may have been about A');
  take('#2 B!1', p, 200);
  take('#4 B2', p, 300);
  t.strictSame([living(), dropped()], ['AB', {}]);
  take('#6 A3', p, 1_000);
  t.strictSame([tick(5_999), living(), dropped()], [[], '', {}], 'the fifth may come');
  t.strictSame([tick(6_000), living(), dropped()], [['p -A', 'p +A'], '', { gap: 2 }]);
  take('#7 A!5', p, 7_000);
  take('#5 C!1', p, 7_100);
  t.equal(living(), 'AC', 'it comes later still');
  take('#200 A6', p, 7_200);
  t.strictSame([living(), dropped()], ['', { gap: 4 }], 'so many questions are never open');
  take('#201 A!7', p, 8_000);
  take('#203 A9', p, 8_100);
  take('#202 A8', p, 8_200);
  t.strictSame([living(), dropped()], ['', { gap: 5 }], 'only a whole book closes the gap');
  t.end();
});

t.test('a connection that ends takes its books along', (t) => {
  const { books, take, p, q, r, tick, living, dropped } = setup();
  books.want(markets('ABCD'), 0);
  take('#5 A!1 B!1 D1', p, 0);
  take('C!1', q, 0);
  tick(1_000);
  books.ended(p, 2_000);
  t.strictSame([living(), dropped()], ['C', { lost: 2 }]);
  take('#1 A1 B!1', r, 2_000);
  t.equal(living(), 'BC', 'the messages of the next one are counted anew');
  t.strictSame([tick(16_999), tick(17_000)], [[], ['r -A', 'r +A']]);
  t.strictSame(tick(20_000), [], 'nothing is sent about a book without a connection');
  t.end();
});

t.test('a whole book is requested after its first change', async (t) => {
  const snapshot = { request: (path: string) => ({ api: 'a', path }), parse: () => whole };
  const whole = { ...levels, last: 7, stated: null, limited: false };
  const { books, take, p, tick, living, asked, answers, dropped } = setup({ snapshot });
  tick(20_000);
  t.strictSame(asked, []);
  take('A7', p, 20_000);
  tick(20_000);
  tick(40_000);
  t.strictSame(asked, ['A'], 'once, until it has come');
  answers[0]?.(null);
  await settle();
  t.strictSame(dropped(), { no_snapshot: 1 });
  take('A8', p, 40_000);
  tick(40_000);
  books.ended(p, 41_000);
  answers[1]?.({ ...whole, last: 9 });
  await settle();
  t.strictSame([asked.length, living()], [2, ''], 'an answer that comes after a break');
  take('A8 B8', p, 41_000);
  tick(55_999);
  t.strictSame(asked, ['A', 'A', 'B']);
  tick(56_000);
  answers[3]?.({ ...whole, last: 7 });
  await settle();
  t.strictSame([asked.length, living()], [4, 'A']);
  const frames = setup({ ask: ({ market }) => `?${market}` });
  frames.take('A7', frames.p, 0);
  t.strictSame(frames.tick(0), ['p ?A']);
});

t.test('what waits for a whole book is of no use after a message that is missing', async (t) => {
  const whole = { ...levels, last: 7, stated: null, limited: false };
  const snapshot = { request: (path: string) => ({ api: 'a', path }), parse: () => whole };
  const { take, p, tick, living, asked, answers } = setup({ snapshot });
  take('#1 A8', p, 0);
  tick(0);
  take('#3 A10', p, 0);
  answers[0]?.(whole);
  await settle();
  t.strictSame([asked, living()], [['A'], ''], 'change 9 may be missing');
  tick(15_000);
  answers[1]?.({ ...whole, last: 10 });
  await settle();
  t.strictSame([asked, living()], [['A', 'A'], 'A']);
});

t.test('a book follows the rules of the address that brings it', (t) => {
  const first: BookStream = {
    ...{
      url: 'wss://x.example',
      silence: 1,
      rule: 'none',
      most: 1,
      window: true,
    },
    channels: (markets) => [...markets.keys()].map((market) => `+${market}`),
    unsubscribe: (markets) => [...markets.keys()].map((market) => `-${market}`),
    parse: () => null,
  };
  const old: BookStream = { ...first, rule: 'counted', most: 9, window: false };
  const sent: (string | null)[] = [];
  const live = new LiveBooks();
  const books = new BookSet({
    source: 'x',
    part: 'all',
    live,
    counter: new Counter(),
    ask: async () => null,
    stream: {
      ...first,
      behind: {
        ...old,
        channels: (markets) => [...markets.keys()].map((market) => `old ${market}`),
      },
    },
  });
  const send = (text: string | null) => void sent.push(text);
  const [own, behind] = [
    { send, isBehind: false },
    { send, isBehind: true },
  ];
  books.want(markets('A'), 0);
  const whole = { ...updateOf('A!1'), bids: [100, 1, 99, 2] };
  const bids = () => live.read('x', 'all', 'A')?.book.book.native(9).bids;
  books.take({ updates: [whole] }, own, 1);
  books.take({ updates: [updateOf('A5')] }, own, 2);
  t.strictSame(bids(), [100, 1], 'one level, whatever its number');
  books.ended(own, 3);
  t.equal(bids(), undefined);
  books.take({ updates: [whole] }, behind, 4);
  t.strictSame(bids(), [100, 1, 99, 2]);
  books.take({ updates: [updateOf('A5')] }, behind, 5);
  t.equal(bids(), undefined, 'a number is missing');
  books.tick(6_000);
  t.strictSame(sent, ['-A', 'old A']);
  t.end();
});
