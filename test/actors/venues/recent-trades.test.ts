/**
 * The newest public trades of every exchange: bodies of our own numbers in the documented form, read by the venue and by ccxt
 * (`fetchTrades`, or `parseTrade` where that asks something else), then genuine recordings where there are any.
 */
import type { Exchange } from 'ccxt';
import t, { type Test } from 'tap';
import { ShapeError } from '../../../actors/failure.ts';
import { asRow } from '../../../actors/read.ts';
import type { Asked, Venue } from '../../../actors/sources/venue.ts';
import type { Instrument, RecentTrades } from '../../../actors/topics/index.ts';
import { type VenueId, venues } from '../../../actors/venues/registry.ts';
import { idOf } from '../../../actors/venues/trades.ts';
import { instrument } from '../../support/makers.ts';
import { absent, recording } from '../../support/recordings.ts';
import { answered, type Library, offline } from './ccxt.ts';
import { cases } from './trades/cases.ts';
import {
  binanceRows,
  type Case,
  gateRow,
  inverse,
  ms,
  okxBody,
  perpetual,
} from './trades/forms.ts';

const now = 1_800_000_000_000;
const askedOf = ({ part, market, is = {} }: Omit<Case, 'body' | 'rows' | 'by'>) =>
  ({
    ...{ part, market, now, limit: 1000 },
    instrument: instrument({ market, kind: 'spot', ...is }),
  }) satisfies Asked<'recentTrades'>;

function read(venue: Venue, one: Omit<Case, 'rows' | 'by'>): RecentTrades {
  const { recentTrades } = venue.queries;
  if (!recentTrades) throw new Error(`${venue.id} has no trades`);
  return recentTrades.parse([one.body], askedOf(one), now);
}

const written = ({ trades }: RecentTrades) =>
  trades.map(({ id, bought, price, quantity }) =>
    [id ?? '-', bought ? 'buy' : 'sell', price, quantity].join(' '),
  );

/** The market as ccxt would have loaded it. */
function marketFor(exchange: Exchange, one: Case) {
  const { contract = 1, inverse: isInverse = false, kind = 'spot', quote = 'USDT' } = one.is ?? {};
  const isSwap = kind === 'perpetual';
  const settle = isInverse ? 'BTC' : quote;
  const market = exchange.safeMarketStructure({
    ...{ id: one.market, base: 'BTC', quote, baseId: 'BTC', quoteId: quote },
    ...{ symbol: isSwap ? `BTC/${quote}:${settle}` : `BTC/${quote}` },
    ...(isSwap && { settle, settleId: settle.toLowerCase(), contractSize: contract }),
    ...{ type: isSwap ? 'swap' : 'spot', spot: !isSwap, swap: isSwap, contract: isSwap },
    ...{ future: false, option: false, active: true },
    ...(isSwap && { linear: !isInverse, inverse: isInverse }),
    precision: { amount: 1e-8, price: 1e-8 },
    info: {},
  });
  if (!market) throw new Error(`no market ${one.market}`);
  return market;
}

/** Id, side, price and base units as ccxt reads them, newest first. */
async function byLibrary(one: Case, library: Library): Promise<string[]> {
  const exchange = await offline(library);
  Object.assign(exchange.options, one.options);
  const market = marketFor(exchange, one);
  exchange.setMarkets([market]);
  const trades =
    one.parse === undefined
      ? await answered(exchange, one.body, () => exchange.fetchTrades(market.symbol))
      : [exchange.parseTrade(asRow(one.parse), market)];
  const { contract = 1, inverse: isInverse = false } = one.is ?? {};
  return trades
    .toSorted((a, b) => (b.timestamp ?? 0) - (a.timestamp ?? 0))
    .map(({ id, side, price = 0, amount, cost }) => {
      const size = (amount ?? 0) * contract;
      // Kraken's inverse contracts have no amount there, and their base as the cost.
      const base = amount === undefined ? cost : isInverse ? size / price : size;
      return [id ?? '-', side, price, base].join(' ');
    });
}

/** Libraries that lack the ids, or make some of their own. */
const unread: ReadonlySet<string> = new Set(['kucoin', 'mexc']);
const withoutId = (row: string) => row.slice(row.indexOf(' '));

async function agrees(t: Test, id: VenueId, one: Case, library: Library): Promise<void> {
  const found = written(read(venues[id], one)).slice(0, one.parse === undefined ? undefined : 1);
  const theirs = await byLibrary(one, library);
  const own = unread.has(library) ? withoutId : String;
  t.strictSame(found.map(own), theirs.map(own), `${id} ${one.part} as ${library} reads it`);
}

for (const id of Object.keys(cases) as VenueId[]) {
  t.test(id, async (t) => {
    for (const one of cases[id]) {
      const whole = read(venues[id], one);
      t.strictSame(written(whole), one.rows, one.part);
      const { kind = 'spot', quote = 'USDT' } = one.is ?? {};
      t.match(whole, { market: one.market, kind, quote });
      const [newest] = whole.trades;
      t.equal(newest?.timestamp, ms, 'its time');
      if (one.by) await agrees(t, id, one, one.by);
      for (const bad of [null, 7, 'no', {}, { data: 7 }])
        t.throws(() => read(venues[id], { ...one, body: bad }), ShapeError);
    }
  });
}

t.test('a row without a time, a price, a quantity or a side is left out', async (t) => {
  const [row] = okxBody('BTC-USDT').data;
  const body = (over: object) => ({
    data: [...Array.from({ length: 9 }, () => row), { ...row, ...over }],
  });
  const about = { part: 'spot', market: 'BTC-USDT' };
  const all = read(venues.okx, { ...about, body: body({}) }).trades.length;
  for (const over of [
    { ts: '' },
    { ts: `${now + 2 * 86_400_000}` },
    { px: '0' },
    { px: null },
    { sz: '0' },
    { sz: 'x' },
    { side: '' },
  ])
    t.equal(read(venues.okx, { ...about, body: body(over) }).trades.length, all - 1);
  t.throws(() => read(venues.okx, { ...about, body: { data: [{ px: '1' }] } }), ShapeError);
  t.strictSame(read(venues.okx, { ...about, body: { data: [] } }).trades, []);
});

t.test('Gate: seconds alone where a trade of a contract has no milliseconds', async (t) => {
  const [one] = cases.gate.filter(({ part }) => part === 'usdt');
  if (!one) throw new Error('no case');
  const body = [undefined, null, ''].map((create_time_ms) => ({
    ...gateRow,
    create_time_ms,
    size: 2,
  }));
  const { trades } = read(venues.gate, { ...one, body });
  t.same(
    trades.map(({ timestamp }) => timestamp),
    body.map(() => gateRow.create_time * 1_000),
  );
});

t.test('an id that was rounded is none', async (t) => {
  t.same(
    [idOf(8), idOf('9007199254740993'), idOf(2 ** 53 - 1)],
    ['8', '9007199254740993', `${2 ** 53 - 1}`],
  );
  t.same([idOf(2 ** 53), idOf(1.5), idOf(''), idOf(null)], [null, null, null, null]);
});

t.test('pages and parts', async (t) => {
  const page = (venue: Venue, part: string, limit: number) =>
    venue.queries.recentTrades?.page?.({ ...askedOf({ part, market: 'X' }), limit }) ?? null;
  t.match(page(venues.binance, 'spot', 5), { limit: 100 }, 'one small page answers every few');
  t.match(page(venues.binance, 'spot', 101), { limit: 1000 });
  t.match(page(venues.bybit, 'spot', 5), { limit: 60 });
  t.equal(page(venues.coinbase, 'perpetual', 5), null);
  t.equal(page(venues.bingx, 'inverse', 5), null);
  t.equal(page(venues.htx, 'linear', 5), null, 'one side or both is not known');
  const { recentTrades } = venues.binance.queries;
  const whole = read(venues.binance, { part: 'spot', market: 'X', body: binanceRows });
  t.strictSame(
    recentTrades.slice?.(whole, { market: 'X', limit: 1 })?.trades.map(({ id }) => id),
    ['8'],
  );
});

t.test('recordings', { skip: absent }, async (t) => {
  const body = (venue: string, name: string) => recording(venue, name)?.response;
  const of = (venue: Venue, part: string, file: string, is: Partial<Instrument>) =>
    written(read(venue, { part, market: 'X', is, body: body(venue.id, file) }));
  t.strictSame(of(venues.binance, 'linear', 'analytics-fapi-agg-trades', perpetual), [
    '154676478 buy 11378.46 0.001',
    '154676477 buy 11379.37 1.672',
    '154676476 buy 11378 0.004',
    '154676475 buy 11376.16 0.001',
  ]);
  t.strictSame(of(venues.bybit, 'linear', 'trades-recent', perpetual), [
    'a905d5c3-1ed0-4f37-83e4-9c73a2fe2f01 buy 27450.5 0.005',
  ]);
  const eth = { ...inverse, contract: 1 };
  t.strictSame(
    of(venues.deribit, 'inverse', 'last-trades', eth).map((row) => row.split(' ', 3)),
    [
      ['ETH-284830844', 'sell', '2968.3'],
      ['ETH-284830843', 'sell', '2968.3'],
      ['ETH-284830839', 'sell', '2968.3'],
    ],
  );
  t.strictSame(of(venues.dydx, 'perp', 'trades', perpetual), [
    '03f89a550000000200000002 buy 89942 0.0001',
    '03f89a53000000020000000e buy 89970 0.0365',
    '03f89a53000000020000000b buy 89969 0.1763',
  ]);
  t.strictSame(of(venues.kraken, 'futures', 'futures-trades', eth), [
    `d0692c0c-742e-4d88-862c-8bd63533e067 sell 61081 ${25 / 61081}`,
  ]);
  t.strictSame(of(venues.lighter, 'all', 'recent-trades', perpetual), [
    '19211490282 sell 2361.31 0.0005',
  ]);
  const frame = asRow(asRow(body('hyperliquid', 'ws-trades'))).data;
  const coin = read(venues.hyperliquid, { part: 'perp', market: 'X', is: perpetual, body: frame });
  t.ok(coin.trades.length > 0, 'the rows of the stream');
});
