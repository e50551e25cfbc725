/** How lines of a recording become events: gaps, repeats, and what is told as a whole book. */
import t from 'tap';
import type { ReplayEvent } from '../../../actors/replay/events.ts';
import { Normaliser } from '../../../actors/replay/normaliser.ts';
import type { RecordLine } from '../../../actors/sources/recording/format.ts';
import type {
  BookStream,
  LatestStream,
  TradeStream,
} from '../../../actors/sources/streams/stream.ts';
import type { Venue } from '../../../actors/sources/venue.ts';
import type { LiveTopic } from '../../../actors/topics/index.ts';
import { binance } from '../../../actors/venues/binance/index.ts';
import { derivativeRow } from '../../support/makers.ts';
import { listed } from '../venues/stream-suite.ts';

const place = { url: 'wss://x.example', silence: 1, channels: () => [] };

/** `{"kind": "update", "last": 2, "bids": [...], "asks": [...]}` is about the book of A. */
const bookStream = (rule: 'counted' | 'whole'): BookStream => ({
  ...{ ...place, rule, most: 50, window: true },
  channels: () => [],
  parse(message) {
    const { last = undefined, ...update } = Object(message);
    return { updates: [{ market: 'A', stated: null, first: last, last, ...update }] };
  },
});

/** `{"market": "A", "count": 3, …}`, in which the messages of a connection are counted. */
const countedStream: BookStream = {
  ...{ ...bookStream('counted'), rule: 'none' },
  parse(message) {
    const { count, ...update } = Object(message);
    return { updates: [{ stated: null, ...update }], count };
  },
};

/** `[id, name]` are trades of A, of which either may be null. */
const trades: TradeStream = {
  ...place,
  parse(message, { received: timestamp }) {
    const [id, name] = Object(message);
    const trade = { market: 'A', id, timestamp, price: 2, quantity: 3, bought: true };
    return { rows: [name === null ? trade : { ...trade, name }], dropped: [] };
  },
};

const venue: Venue = {
  ...{
    ...binance,
    books: { spot: bookStream('counted'), linear: bookStream('whole'), inverse: countedStream },
  },
  trades: { spot: trades },
};

const second = 1_000_000;
const file = (name: string, follows: string | null): RecordLine => ({
  ...{ kind: 'file', t: second, version: 1, exchange: 'x', process: 'p', types: [], symbols: [] },
  ...{ follows, name },
});
const list = (part: string): RecordLine => {
  const rows = [...listed([{ market: 'A', scale: 1_000 }, { market: 'B' }]).values()];
  return { kind: 'instruments', t: second, part, rows };
};
const open = (c: number, stream: string): RecordLine => {
  const part = stream.split('/')[1] ?? '';
  return { kind: 'open', t: second, c, stream, part, url: '' };
};
const frame = (t: number, c: number, message: unknown): RecordLine => ({
  ...{ kind: 'frame', t: t * second, c, text: JSON.stringify(message) },
});

/** What the lines say from the second `from` on, as `time type` with what matters of it. */
function told(lines: readonly RecordLine[], from = 0, market = ''): unknown[] {
  const found: unknown[] = [];
  const normaliser = new Normaliser({
    venue,
    types: new Set(['trade', 'book_change'] as const),
    wants: (_part, one) => market === '' || one.market === market,
    from: from * 1_000,
    emit(event: ReplayEvent) {
      const time = event.local / second;
      if (event.type === 'book_change')
        found.push([time, event.isSnapshot ? 'whole' : 'changes', event.bids, event.asks]);
      else found.push([time, event.type, ...('id' in event ? [event.id] : [])]);
    },
  });
  for (const line of lines) normaliser.take(line);
  return found;
}

const head = (stream: string) => [
  ...[file('1', null), list('spot'), list('linear'), list('inverse'), open(1, stream)],
];
const whole = { kind: 'snapshot', last: 1, bids: [9, 1, 8, 1], asks: [11, 1] };
const change = (last: number, bids: number[] = []) => ({ kind: 'update', last, bids, asks: [] });

t.test('a book is whole at first, then changes, and whole again after a gap', (t) => {
  const lines = [
    ...head('books/spot'),
    frame(2, 1, change(0, [5, 5])),
    frame(3, 1, whole),
    frame(4, 1, change(2, [9, 0])),
    frame(5, 1, change(2, [9, 7])),
    frame(6, 1, change(4, [7, 1])),
    frame(7, 1, change(5, [7, 2])),
    frame(8, 1, { ...whole, last: 9 }),
  ];
  t.strictSame(told(lines), [
    [3, 'whole', whole.bids, whole.asks],
    [4, 'changes', [9, 0], []],
    [8, 'whole', whole.bids, whole.asks],
  ]);
  t.strictSame(
    told(lines, 4),
    [
      [4, 'whole', [8, 1], whole.asks],
      [8, 'whole', whole.bids, whole.asks],
    ],
    'a later beginning is a whole book as it is then',
  );
  t.end();
});

t.test('whole books one after the other are told by what differs', (t) => {
  const lines = [
    ...head('books/linear'),
    frame(2, 1, whole),
    frame(3, 1, { ...whole, last: 2, bids: [9, 2, 7, 1] }),
  ];
  t.strictSame(told(lines), [
    [2, 'whole', whole.bids, whole.asks],
    [3, 'changes', [9, 2, 7, 1, 8, 0], []],
  ]);
  t.end();
});

t.test('a connection that ends takes its books along', (t) => {
  const lines: RecordLine[] = [
    ...head('books/spot'),
    frame(2, 1, whole),
    { kind: 'end', t: 3 * second, c: 1, why: 'reset' },
    open(2, 'books/spot'),
    frame(4, 2, change(2, [9, 0])),
    frame(5, 2, whole),
  ];
  t.strictSame(told(lines), [
    [2, 'whole', whole.bids, whole.asks],
    [3, 'disconnect'],
    [5, 'whole', whole.bids, whole.asks],
  ]);
  t.end();
});

t.test('a file that continues another one changes nothing; any other one is a gap', (t) => {
  const restored: RecordLine = {
    ...{ kind: 'book', t: second, c: 1, part: 'spot', market: 'A', bids: [1, 1], asks: [99, 1] },
    ...{ last: 7, stated: null, edges: [null, null] },
  };
  const second_ = (follows: string | null, from: number) => [
    ...[file('2', follows), list('spot'), open(1, 'books/spot'), restored],
    frame(4, 1, change(from, [2, 2])),
  ];
  const first = [...head('books/spot'), frame(2, 1, whole)];
  t.strictSame(told([...first, ...second_('1', 2)]), [
    [2, 'whole', whole.bids, whole.asks],
    [4, 'changes', [2, 2], []],
  ]);
  t.strictSame(told([...first, ...second_(null, 8)]), [
    [2, 'whole', whole.bids, whole.asks],
    [1, 'disconnect'],
    [4, 'whole', [2, 2, 1, 1], [99, 1]],
  ]);
  t.strictSame(told([...second_('0', 8)]), [[4, 'whole', [2, 2, 1, 1], [99, 1]]]);
  t.end();
});

t.test('a book that the service has dropped is whole when it comes again', (t) => {
  const lines: RecordLine[] = [
    ...head('books/spot'),
    frame(2, 1, whole),
    { kind: 'resync', t: 3 * second, part: 'spot', market: 'A', why: 'silent' },
    frame(4, 1, change(2, [9, 0])),
    frame(5, 1, whole),
  ];
  t.strictSame(told(lines), [
    [2, 'whole', whole.bids, whole.asks],
    [5, 'whole', whole.bids, whole.asks],
  ]);
  t.end();
});

t.test('each trade once: by its number, by its name, or by its connection', (t) => {
  const lines: RecordLine[] = [
    ...head('trades/spot'),
    open(2, 'trades/spot'),
    frame(2, 1, [5, null]),
    frame(3, 2, [5, null]),
    frame(4, 2, [6, null]),
    frame(5, 1, [null, 'a']),
    frame(6, 2, [null, 'a']),
    frame(7, 1, [null, null]),
    frame(8, 2, [null, null]),
    { kind: 'end', t: 9 * second, c: 1, why: null },
    frame(10, 2, [null, null]),
  ];
  t.strictSame(told(lines), [
    ...[
      [2, 'trade', '5'],
      [4, 'trade', '6'],
      [5, 'trade', 'a'],
      [7, 'trade', null],
    ],
    ...[
      [9, 'disconnect'],
      [10, 'trade', null],
    ],
  ]);
  t.end();
});

t.test('messages about other markets count where those of a connection are counted', (t) => {
  const { last: _, ...first } = whole;
  const of = (market: string, count: number, bids: number[]) => ({
    ...{ market, count, kind: 'update' },
    bids,
    asks: [],
  });
  const lines = (third: number) => [
    ...head('books/inverse'),
    frame(2, 1, { market: 'A', count: 1, ...first }),
    frame(3, 1, of('B', 2, [1, 1])),
    frame(4, 1, of('A', third, [9, 0])),
  ];
  const begin = [2, 'whole', whole.bids, whole.asks];
  t.strictSame(told(lines(3), 0, 'A'), [begin, [4, 'changes', [9, 0], []]]);
  t.strictSame(told(lines(4), 0, 'A'), [begin], 'a message is missing: of which book is not known');
  const part = (symbols: string[]) =>
    lines(4).map((line) => (line.kind === 'file' ? { ...line, symbols } : line));
  const resync: RecordLine = {
    kind: 'resync',
    t: 5 * second,
    part: 'inverse',
    market: 'A',
    why: 'gap',
  };
  t.strictSame(
    told([...part(['A']), resync, frame(6, 1, of('A', 9, [8, 0]))], 0, 'A'),
    [begin, [4, 'changes', [9, 0], []]],
    'where some markets were recorded alone, the word of the service for a gap counts',
  );
  const restored: RecordLine = {
    ...{ kind: 'book', t: second, c: 1, part: 'inverse', market: 'A', bids: [9, 1], asks: [11, 1] },
    ...{ last: null, stated: null, edges: [null, null] },
  };
  const later = [
    ...[file('2', 'another'), list('inverse')],
    { ...open(1, 'books/inverse'), earlier: [JSON.stringify(of('B', 2, [1, 1]))] },
    ...[restored, frame(4, 1, of('A', 99, [9, 3]))],
  ];
  t.strictSame(
    told(later),
    [[4, 'whole', [9, 3], [11, 1]]],
    'what the head repeats is not counted',
  );
  t.end();
});

t.test('after lost lines the next file has the whole book again', (t) => {
  const restored: RecordLine = {
    ...{
      kind: 'book',
      t: 5 * second,
      c: 1,
      part: 'spot',
      market: 'A',
      bids: [7, 1],
      asks: [11, 1],
    },
    last: 2,
    stated: null,
    edges: [null, null],
  };
  const lines: RecordLine[] = [
    ...head('books/spot'),
    frame(2, 1, whole),
    { kind: 'lost', t: 3 * second, lines: 4 },
    frame(4, 1, change(2, [9, 0])),
    ...[file('2', '1'), open(1, 'books/spot'), restored],
    frame(6, 1, change(3, [7, 5])),
  ];
  t.strictSame(told(lines), [
    [2, 'whole', whole.bids, whole.asks],
    [3, 'disconnect'],
    [6, 'whole', [7, 5], [11, 1]],
  ]);
  t.end();
});

t.test('what was known of a perpetual before a gap is not known after it', (t) => {
  const tickers: LatestStream<LiveTopic> = {
    ...place,
    parse(message) {
      const row = derivativeRow({ market: 'A', symbol: 'A', ...Object(message) });
      return { derivatives: { rows: [row], dropped: [] } };
    },
  };
  const found: unknown[] = [];
  const normaliser = new Normaliser({
    venue: { ...venue, live: { prices: {}, derivatives: { linear: tickers } } },
    types: new Set(['derivative_ticker']),
    wants: () => true,
    from: 0,
    emit(event) {
      if (event.type === 'derivative_ticker') found.push([event.mark, event.index]);
    },
  });
  const stream = 'derivativeChanges/linear';
  const begun = (name: string) => [file(name, null), list('linear'), open(1, stream)];
  const lines = [
    ...begun('1'),
    frame(2, 1, { mark: 100, index: 99 }),
    frame(3, 1, { mark: 101, index: null }),
    ...begun('2'),
    frame(9, 1, { mark: 110, index: null }),
  ];
  for (const line of lines) normaliser.take(line);
  t.strictSame(found, [
    [100, 99],
    [101, 99],
    [110, null],
  ]);
  t.end();
});
