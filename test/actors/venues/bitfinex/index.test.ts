import t from 'tap';
import { bitfinex } from '../../../../actors/venues/bitfinex/index.ts';
import { books, live } from '../../../../actors/venues/bitfinex/streams.ts';
import { levels } from '../../../support/makers.ts';
import { sameRows } from '../../../support/table.ts';
import { askFor, contextOf, derivativesOf, fixture, instrumentOf, streamOf } from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const { feeds, queries } = bitfinex;

t.test('pairs and their currencies in the usual words', async (t) => {
  const list = [...contextOf(bitfinex, 'all').instruments.values()];
  t.strictSame(
    list.map(({ market, kind, symbol, quote, scale }) => [market, kind, symbol, quote, scale]),
    [
      ['tBTCUSD', 'spot', 'BTC', 'USD', 1],
      ['tDOGE:USD', 'spot', 'DOGE', 'USD', 1],
      ['tBTCUST', 'spot', 'BTC', 'USDT', 1],
      ['tDSHUSD', 'spot', 'DASH', 'USD', 1],
      ['t1000PEPE:USD', 'spot', 'PEPE', 'USD', 1000],
      ['tETHBTC', 'spot', 'ETH', 'BTC', 1],
      ['tTESTBTC:TESTUSD', 'other', 'TESTBTC', 'TESTUSD', 1],
      ['tUSTUSD', 'spot', 'USDT', 'USD', 1],
      ['tIDLE:USD', 'spot', 'IDLE', 'USD', 1],
      ['tBTCF0:USTF0', 'perpetual', 'BTC', 'USDT', 1],
      ['tALGF0:USTF0', 'perpetual', 'ALGO', 'USDT', 1],
      ['tGERMANY40IXF0:USTF0', 'other', 'GERMANY40IX', 'USDT', 1], // a stock index
      ['tTITAN1:USD', 'other', 'TITAN1', 'USD', 1], // a security
      ['tDOGE:BMN', 'other', 'DOGE', 'BMN', 1],
    ],
  );
  const odd = [['BTC:USD:X'], ['BTCF0'], [':USD'], ['F0:USD']];
  const context = { received: 0, instruments: new Map() };
  const parsed = feeds.instruments.parts.all.parse(
    [[odd, [['BTCF0:USTF0']], [['UST', '']]]],
    context,
  ).instruments;
  t.match(parsed.rows, [{ symbol: 'BTC', quote: 'USDT' }], 'a name is never empty');
  t.strictSame(
    parsed.dropped.map(({ key }) => key),
    ['tBTC:USD:X', 'tBTCF0', 't:USD', 'tF0:USD'],
  );
});

t.test('a list without any pair is no list', async (t) => {
  const context = { received: 0, instruments: new Map() };
  const only = { name: 'ShapeError' };
  t.throws(() => feeds.prices.parts.all.parse([[['fUSD', 1]]], context), only);
});

t.test('funding per 8 hours, mark, index', async (t) => {
  const { rows, dropped } = derivativesOf(bitfinex, 'all');
  t.strictSame(dropped, [], 'a contract that is gone is silent');
  sameRows(t, rows)`
    market       symbol quote mark    index   funding_rate funding_hours funding_rate_8h next_funding      stated
    // Column 12, the rate of the running 8 hours; column 9 has what has accrued so far, 0.00000527.
    tBTCF0:USTF0 BTC    USDT  104_000 103_990 0.00012      8             0.00012         1_750_003_200_000 1_750_000_000_321
    tALGF0:USTF0 ALGO   USDT  0.2     0.201   -            8             -               1_750_003_200_000 1_750_000_000_321
  `;
});

t.test('the book: the sign of an amount is its side', async (t) => {
  const ask = askFor(bitfinex, 'all', 'tBTCUSD');
  t.strictSame(queries.orderBook.parse(fixture(bitfinex, 'all-order-book'), ask), {
    bids: levels([104_000, 0.5], [103_999, 2]),
    asks: levels([104_001, 0.25], [104_002, 3]),
    stated: null,
  });
  t.throws(() => queries.orderBook.parse([], ask), { name: 'ShapeError' }, 'no market is empty');
  t.throws(() => queries.orderBook.parse([[1, 1, 0]], ask), { name: 'ShapeError' });
});

t.test('scaled pairs: price over 1000, quantity times 1000', async (t) => {
  {
    const known = askFor(bitfinex, 'all', 't1000PEPE:USD');
    const { bids, asks } = queries.orderBook.parse(
      [
        [0.0125, 1, 40],
        [0.013, 1, -2],
      ],
      known,
    );
    t.strictSame(bids, [{ price: 0.0125 / 1000, quantity: 40_000 }]);
    t.strictSame(asks, [{ price: 0.013 / 1000, quantity: 2000 }]);
    const [bar] = queries.candles.parse(
      [[1_750_000_000_000, 0.012, 0.0125, 0.013, 0.011, 7]],
      known,
    );
    t.match(bar, { close: 0.0125 / 1000, volume: 7000, turnover: null });
  }
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
  t.equal(books.all.unsubscribe(market, {}), null, 'nothing to end');
  books.all.parse({ ...subscribed, channel: 'book', chanId: 12 }, instruments, by);
  t.equal(books.all.unsubscribe(market, by), '{"event":"unsubscribe","chanId":12}');
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

wholeVenue(t, bitfinex);
