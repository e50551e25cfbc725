/**
 * Public trades by tables, genuine recordings where there are any; `suite/trades.ts` and `suite/streamed-trades.ts` have what each
 * exchange states.
 */
import t from 'tap';
import { ShapeError } from '../../../actors/failure.ts';
import { asRow, list, text, type WireRow } from '../../../actors/read.ts';
import type { Venue } from '../../../actors/sources/venue.ts';
import type { Instrument } from '../../../actors/topics/index.ts';
import { type VenueId, venues } from '../../../actors/venues/registry.ts';
import {
  idOf,
  recentTrades,
  secondsOrMs,
  takerWord,
  tradeStream,
} from '../../../actors/venues/trades.ts';
import { TradeFold } from '../../../indicators/derivatives/trade-fold.ts';
import { noSessions, sessionOf } from '../../support/book-sessions.ts';
import { instrument } from '../../support/makers.ts';
import { absent, recording } from '../../support/recordings.ts';
import { sameRows } from '../../support/table.ts';
import { unlessRefused } from './fixtures.ts';
import { context, rounded } from './stream-suite.ts';

const now = 1_800_000_000_000;
const columns = { id: 'i', at: 't', price: 'p', quantity: 'q', bought: takerWord('side') };
const row = { m: 'X', i: 'a', n: 5, t: now, p: '50', q: '3', side: 'BUY' };
const market = instrument({ market: 'X', contract: 10, scale: 1_000 });
const asked = { part: 'all', market: 'X', instrument: market, now, limit: 1_000 };
const query = recentTrades({
  all: {
    most: 60,
    request: ({ limit }) => limit,
    rows: 'data',
    columns,
    keep: ({ block }) => block !== true,
  },
  many: { most: 500, request: ({ limit }) => limit, rows: 'data', columns },
});
const read = (...data: unknown[]) => query.parse([{ data }], asked, now);

t.test('trades that are asked for: canonical units, the newest first', async (t) => {
  const found = read({ ...row, t: now - 1, i: 'first', side: 'Sell' }, row, { ...row, i: 'c' });
  t.match(found, { market: 'X', kind: 'perpetual', quote: 'USDT' });
  sameRows(t, found.trades)`
    id    timestamp  price   quantity  bought
    c     ${now}     50/1000 30_000    true
    a     ${now}     50/1000 30_000    true
    first ${now - 1} 50/1000 30_000    false
  `;
  t.strictSame(read(row, { ...row, block: true }).trades.length, 1, 'not of the order book');
  t.strictSame(read().trades, []);
  t.strictSame(
    query.slice?.(found, { market: 'X', limit: 1 })?.trades.map(({ id }) => id),
    ['c'],
  );
  const limits = [
    ['all', 5],
    ['many', 100],
    ['many', 101],
    ['other', 5],
  ] as const;
  t.strictSame(
    limits.map(([part, limit]) => query.page?.({ ...asked, part, limit })?.limit),
    [60, 100, 500, undefined],
    'one small page answers every few',
  );
  t.throws(() => query.parse([{ data: [] }], { ...asked, part: 'other' }, now), ShapeError);
});

const unreadable = [
  ...[{ t: '' }, { t: 0 }, { t: `${now + 2 * 86_400_000}` }, { p: '0' }, { p: null }],
  ...[{ q: '0' }, { q: 'x' }, { p: '1e200', q: '1e200' }, { side: '' }],
];

t.test('a row without a time, a price, a quantity or a side is left out', async (t) => {
  const nine = Array.from({ length: 9 }, () => row);
  for (const over of unreadable)
    t.equal(read(...nine, { ...row, ...over }).trades.length, 9, JSON.stringify(over));
  t.throws(() => read({ p: '1' }), ShapeError, 'of too many rows the answer is refused');
});

t.test('trades of a stream: numbered ones, and those of other markets', async (t) => {
  const { parse } = tradeStream({
    url: 'wss://x.example',
    silence: 60_000,
    channels: () => [],
    rows: (message) => (typeof message === 'string' ? null : list(message, 'rows')),
    market: 'm',
    columns: { ...columns, number: 'n', count: ({ c = 1 }) => c },
    keep: ({ block }) => block !== true,
  });
  const at = context([market]);
  const one = { market: 'X', id: 5, timestamp: now, price: 0.05, quantity: 30_000, bought: true };
  const others = [
    { ...row, m: 'OTHER' },
    { ...row, block: true },
    { ...row, c: 3 },
  ];
  t.strictSame(parse([row, ...others], at), {
    rows: [
      { ...one, name: 'a' },
      { ...one, count: 3, name: 'a' },
    ],
    dropped: [],
  });
  t.equal(parse('pong', at), null);
  for (const n of [0, 1.5, -1, 'x', 2 ** 53 + 2])
    t.match(parse([{ ...row, n }], at), { rows: [], dropped: [{ key: 'X', code: 'bad_row' }] });
  t.match(parse([{ ...row, n: 1 }], at)?.rows, [{ id: 1 }]);
  t.match(parse([{ ...row, m: '' }], at), { rows: [], dropped: [{ key: '', code: 'bad_row' }] });
});

t.test('an id that was rounded is none; times are seconds or ms', async (t) => {
  t.same(
    [idOf(8), idOf('9007199254740993'), idOf(2 ** 53 - 1)],
    ['8', '9007199254740993', `${2 ** 53 - 1}`],
  );
  t.same([idOf(2 ** 53), idOf(1.5), idOf(''), idOf(null)], [null, null, null, null]);
  t.same(
    [1_790_000_000, 1_790_000_000.25, '1790000000250.105', 0, undefined, ''].map(secondsOrMs),
    [1_790_000_000_000, 1_790_000_000_250, 1_790_000_000_250, null, null, null],
  );
});

const perpetual = instrument({ market: 'X' });
/** A contract of one dollar. */
const inverse = instrument({ market: 'X', quote: 'USD', inverse: true });

t.test('recorded answers', { skip: absent }, async (t) => {
  const of = (venue: Venue, part: string, file: string, about: Instrument) => {
    const body = recording(venue.id, file)?.response;
    const found = venue.queries.recentTrades?.parse(
      [body],
      { ...asked, part, instrument: about },
      now,
    );
    return rounded(found?.trades.map(({ timestamp: _, ...trade }) => trade));
  };
  sameRows(t, of(venues.binance, 'linear', 'analytics-fapi-agg-trades', perpetual))`
    id              price    quantity bought
    ${'154676478'} 11378.46 0.001    true
    ${'154676477'} 11379.37 1.672    true
    ${'154676476'} 11378    0.004    true
    ${'154676475'} 11376.16 0.001    true
  `;
  sameRows(t, of(venues.bybit, 'linear', 'trades-recent', perpetual))`
    id                                   price   quantity bought
    a905d5c3-1ed0-4f37-83e4-9c73a2fe2f01 27450.5 0.005    true
  `;
  t.match(of(venues.deribit, 'inverse', 'last-trades', inverse), [
    { id: 'ETH-284830844', price: 2968.3, bought: false },
    { id: 'ETH-284830843', price: 2968.3, bought: false },
    { id: 'ETH-284830839', price: 2968.3, bought: false },
  ]);
  sameRows(t, of(venues.dydx, 'perp', 'trades', perpetual))`
    id                              price quantity bought
    ${'03f89a550000000200000002'} 89942 0.0001   true
    ${'03f89a53000000020000000e'} 89970 0.0365   true
    ${'03f89a53000000020000000b'} 89969 0.1763   true
  `;
  t.match(of(venues.kraken, 'futures', 'futures-trades', inverse), [
    rounded({
      id: 'd0692c0c-742e-4d88-862c-8bd63533e067',
      price: 61_081,
      quantity: 25 / 61_081,
      bought: false,
    }),
  ]);
  sameRows(t, of(venues.lighter, 'all', 'recent-trades', perpetual))`
    id               price   quantity bought
    ${'19211490282'} 2361.31 0.0005   false
  `;
});

t.test('recorded frames', { skip: absent }, async (t) => {
  const frame = (venue: VenueId, file: string) => recording(venue, file)?.response;
  const of = (venue: Venue, part: string, message: unknown, about: Partial<Instrument>) =>
    venue.trades?.[part]?.parse(message, context([about]))?.rows;
  const akro = asRow(frame('binance', 'ws-perp-agg-trade')).data;
  t.match(of(venues.binance, 'linear', akro, { market: 'AKROUSDT' }), [
    { id: 14_888_302, price: 0.01731, quantity: 312, bought: false, timestamp: 1_626_992_742_134 },
  ]);
  // Single fills, and what the insurance fund trades, come on another channel.
  for (const file of ['ws-perp-trade', 'ws-perp-trade-insurance-fund'])
    t.equal(of(venues.binance, 'linear', asRow(frame('binance', file)).data, {}), undefined);
  const swap = { market: 'BTC-USDT-SWAP', contract: 0.01 };
  t.match(of(venues.okx, 'swap', frame('okx', 'ws-perp-trade'), swap), [
    ...[{ id: 148_266_905, price: 48_938.5, quantity: 0.05, timestamp: 1_640_131_236_050 }],
  ]);
  t.match(of(venues.okx, 'spot', frame('okx', 'ws-spot-trade'), { market: 'CRV-USDT' }), [
    { id: 21_300_150, price: 3.973, quantity: 13.491146, bought: true },
  ]);
  t.match(of(venues.okx, 'spot', frame('okx', 'ws-trade-count'), { market: 'BTC-USD' }), [
    { id: 130_639_474, count: 3, quantity: 0.12060306 },
  ]);
  const bitcoin = { market: 'BTCUSDT' };
  t.match(of(venues.bybit, 'linear', frame('bybit', 'ws-perp-linear-trade'), bitcoin), [
    { id: null, price: 65_114.2, quantity: 0.004, bought: false, timestamp: 1_786_310_819_680 },
  ]);
  t.match(of(venues.bybit, 'spot', frame('bybit', 'ws-spot-trade'), bitcoin), [
    { id: null, price: 65_140.5, quantity: 0.002705, bought: true },
  ]);
});

/** The session, its part, and the market that a message is about. */
const sessions = [
  ['binance', 'linear', 1, ({ s }: WireRow) => text(s)],
  ['coinbase', 'spot', 0, () => 'BTC-USD'],
] as const;

t.test('recorded sessions number their trades one by one', { skip: noSessions }, async (t) => {
  for (const [id, part, session, marketIn] of sessions) {
    const venue: Venue = venues[id];
    const folds = new Map<string, TradeFold>();
    const taken = sessionOf(id, session).flatMap((event) => {
      const message = event.type === 'frame' ? JSON.parse(event.text) : null;
      const name = marketIn(asRow(message));
      const rows = unlessRefused(() => {
        return venue.trades?.[part]?.parse(message, context([{ market: name }]))?.rows;
      });
      const fold = folds.get(name) ?? new TradeFold();
      folds.set(name, fold);
      return rows?.map((trade) => fold.take(trade)) ?? [];
    });
    t.ok(taken.length > 10, id);
    t.strictSame([...new Set(taken)], ['taken'], id);
  }
});
