import t from 'tap';
import { bitfinex } from '../../../../actors/venues/bitfinex/index.ts';
import { books, liquidations, live, trades } from '../../../../actors/venues/bitfinex/streams.ts';
import { contextOf, fixture, instrumentOf, ownPoll, received, streamOf } from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const { feeds } = bitfinex;

t.test('a list without any pair is no list', async (t) => {
  const context = { received: 0, instruments: new Map() };
  const only = { name: 'ShapeError' };
  t.throws(() => feeds.prices.parts.all.parse([[['fUSD', 1]]], context), only);
});

t.test('a channel has a number, and another one after each subscription', async (t) => {
  const context = { ...contextOf(bitfinex, 'all'), connection: {} };
  const ticker = streamOf(live.prices.all, 'prices');
  const status = streamOf(live.derivatives.all, 'derivatives');
  const subscribed = { event: 'subscribed', channel: 'ticker', chanId: 7, symbol: 'tBTCUSD' };
  t.equal(ticker.acknowledges?.(subscribed), 1);
  t.equal(ticker.acknowledges?.({ event: 'info' }), 0);
  const row = [103_999, 1, 104_001, 1, 4000, 0.04, 104_000, 1500, 105_040, 96_110.4];
  const marketIn = (chanId: number, of = context) => {
    const { rows = [], dropped = [] } = ticker.parse([chanId, row], of) ?? {};
    return [...rows.map(({ market }) => market), ...dropped.map(({ key }) => key)];
  };
  t.equal(ticker.parse(subscribed, context), null);
  t.equal(ticker.parse({ ...subscribed, channel: 'book', chanId: 8 }, context), null);
  t.equal(ticker.parse({ ...subscribed, event: 'unsubscribed', chanId: 9 }, context), null);
  t.strictSame(
    [7, 8, 9].flatMap((id) => marketIn(id)),
    ['tBTCUSD', 'channel 8', 'channel 9'],
  );
  t.strictSame(marketIn(7, { ...context, connection: {} }), ['channel 7'], 'another connection');
  t.equal(ticker.parse({ ...subscribed, chanId: 10 }, context), null);
  t.strictSame(
    [7, 10].flatMap((id) => marketIn(id)),
    ['channel 7', 'tBTCUSD'],
  );

  const key = 'deriv:tBTCF0:USTF0';
  const keyed = { event: 'subscribed', channel: 'status', chanId: 11, key };
  t.equal(status.parse(keyed, context), null);
  const [, ...columns] = (fixture(bitfinex, 'all-derivatives') as unknown[][])[0] ?? [];
  t.match(status.parse([11, columns], context)?.rows, [{ market: 'tBTCF0:USTF0' }]);

  const market = instrumentOf(bitfinex, 'all', 'tBTCUSD');
  const { connection: by, instruments } = context;
  const one = new Map([['tBTCUSD', market]]);
  t.strictSame(books.all.unsubscribe?.(one, {}), [], 'nothing to end');
  books.all.parse({ ...subscribed, channel: 'book', chanId: 12 }, context);
  t.strictSame(books.all.unsubscribe?.(one, by), ['{"event":"unsubscribe","chanId":12}']);
  const two = new Map([...instruments, ['tETHUSD', market]]);
  t.strictSame(
    ticker.unsubscribe?.(two, by),
    ['{"event":"unsubscribe","chanId":12}'],
    'channels are ended by their number',
  );

  const error = { event: 'error', msg: 'symbol: invalid' };
  t.throws(() => ticker.parse(error, context), { name: 'ShapeError', message: /invalid/ });
  t.throws(() => ticker.parse({ ...subscribed, chanId: null }, context), { name: 'ShapeError' });
});

// https://docs.bitfinex.com/reference/rest-public-derivatives-status: column 4 is the middle of its own spot book.
t.test('a spot price that is far from the mark is no index', async (t) => {
  const [row] = fixture(bitfinex, 'all-derivatives') as unknown[][];
  const at = (spot: number) => Object.assign([...(row ?? [])], { 4: spot, 15: 100 });
  const found = [89, 91, 109, 111].flatMap((spot) => {
    const given = [[at(spot)]];
    const { rows } = feeds.derivatives.parts.all.parse(
      given,
      contextOf(bitfinex, 'all'),
    ).derivatives;
    return rows.map(({ mark, index }) => [mark, index]);
  });
  t.strictSame(found, [
    [100, null],
    [100, 91],
    [100, 109],
    [100, null],
  ]);
});

t.test('every connection is replaced when the server is about to stop', async (t) => {
  for (const stream of [live.prices, live.derivatives, trades, books, liquidations]) {
    const ends = (code: number) => stream.all.ends?.({ event: 'info', code, msg: 'Stopping.' });
    t.strictSame([20_051, 20_060, 20_061].map(ends), [true, false, true]);
  }
});

t.test('contracts have no margin history, and spot none of five minutes', async (t) => {
  const { page } = bitfinex.queries.marginHistory;
  const asked = { part: 'all', limit: 100, interval: '1h', now: 1_790_000_000_000 } as const;
  const of = (market: string) => ({ market, instrument: instrumentOf(bitfinex, 'all', market) });
  t.equal(page?.({ ...asked, ...of('tBTCF0:USTF0') }), null);
  t.equal(page?.({ ...asked, ...of('tBTCUSD'), interval: '5m' }), null);
});

t.test('the classes by the names of pairs and the list of securities', async (t) => {
  const pairs = (...names: string[]) => names.map((pair) => [pair, []]);
  const body = [
    pairs('BTCUSD', 'LUNA2:USD', 'TITAN1:USD', 'DOGE:UST'),
    pairs('EURF0:USTF0', 'GERMANY40IXF0:USTF0', 'XAUTF0:USTF0'),
    [['ALG', 'ALGO']],
    ['TITAN1:USD'],
  ];
  const { rows } = ownPoll(bitfinex, 'instruments', 'all').parse([body], {
    received,
    instruments: new Map(),
  });
  t.strictSame(
    rows.map(({ symbol, kind, asset_class = '-' }) => `${symbol} ${kind} ${asset_class}`),
    [
      ...['BTC spot -', 'LUNA spot -', 'TITAN1.STOCK spot stock', 'DOGE spot -'],
      ...['EUR.FX perpetual fx', 'GERMANY40.INDEX perpetual index', 'XAUT perpetual -'],
    ],
  );
});

wholeVenue(t, bitfinex);
