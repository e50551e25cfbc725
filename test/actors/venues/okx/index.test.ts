import t from 'tap';
import { okx } from '../../../../actors/venues/okx/index.ts';
import { connection } from '../../../../actors/venues/okx/stream.ts';
import {
  askFor,
  contextOf,
  derivativesOf,
  fixture,
  instrumentOf,
  openInterestOf,
  pricesOf,
} from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const { orderBook, candles } = okx.queries;
const nothing = { received: 0, instruments: new Map() };

t.test('what is followed: live crypto, spot and perpetual', async (t) => {
  const kinds = (part: string) =>
    Object.fromEntries([...contextOf(okx, part).instruments].map(([id, i]) => [id, i.kind]));
  t.match(kinds('spot'), {
    ...{ 'BTC-USDT': 'spot', 'ETH-BTC': 'spot' },
    'USDC-USD': 'spot', // instCategory ''
    'OLD-USDT': 'other', // suspended
    'TSLAX-USDT': 'other', // instCategory 3, a share
    'NEW-USDT': 'other', // preopen: nothing but its id
  });
  t.strictSame(kinds('swap'), {
    ...{ 'BTC-USD-SWAP': 'perpetual', 'BTC-USDT-SWAP': 'perpetual' },
    ...{ 'PEPE-USDT-SWAP': 'perpetual', 'ETH-USDC-SWAP': 'perpetual' },
    ...{ 'ETH-USD_UM-SWAP': 'other', 'ETH-USD_UM_XPERP-310404': 'other' },
    'SOL-USDT-SWAP': 'other', // xperp
    'MUU-USDT-SWAP': 'other', // a share
    ...{ 'OLD-USDT-SWAP': 'other', 'NEW-USDT-SWAP': 'other' },
    'BTC-USDT-260925': 'other', // dated
  });
  t.strictSame(instrumentOf(okx, 'swap', 'BTC-USD-SWAP'), {
    ...{ market: 'BTC-USD-SWAP', kind: 'perpetual', quote: 'USD', symbol: 'BTC', scale: 1 },
    ...{ contract: 100, inverse: true },
    funding_hours: null, // the funding rates say
  });
  t.equal(instrumentOf(okx, 'swap', 'ETH-USDC-SWAP').contract, 0.01, 'ctVal 0.001 x ctMult 10');
});

t.test('a live contract without a size is dropped', async (t) => {
  const row = { instId: 'BTC-USDT-SWAP', instType: 'SWAP', state: 'live', ctMult: '1' };
  const rows = [
    { ...row, ctType: 'linear', ctVal: '' },
    { ...row, ctType: '', ctVal: '1' },
    { ...row, ctType: 'linear', ctVal: '0' },
    { ...row, instId: 'BTCUSDT', ctType: 'linear', ctVal: '1' },
  ];
  const parsed = okx.feeds.instruments.parts.swap.parse([{ code: '0', data: rows }], nothing);
  t.strictSame(parsed.rows, []);
  t.strictSame(parsed.dropped.at(-1), { key: 'BTCUSDT', code: 'bad_row' }, 'not an OKX id');
});

t.test('swap prices: the volume in coins times the last price', async (t) => {
  const { rows, dropped } = pricesOf(okx, 'swap');
  t.strictSame(dropped, []);
  t.strictSame(
    rows.map((row) => [row.market, row.price, row.volume]),
    [
      ['BTC-USD-SWAP', 100000, 150_000_000], // 1,500 BTC x 100,000 = 1,500,000 contracts x 100 USD
      ['BTC-USDT-SWAP', 104000, 4_680_052_000], // 45,000.5 BTC x 104,000
      ['PEPE-USDT-SWAP', 0.0000112, 2_000_000_000_000 * 0.0000112],
      ['ETH-USDC-SWAP', 2500, 100_000],
    ],
  );
});

t.test('the id states base and quote, so prices work before the list is there', async (t) => {
  const spot = pricesOf(okx, 'spot', nothing);
  t.match(spot.rows[0], { market: 'BTC-USDT', kind: 'spot', symbol: 'BTC', quote: 'USDT' });
  t.strictSame(spot.dropped, [], 'OLD-USDT has neither a price nor a volume');
  const swap = pricesOf(okx, 'swap', nothing);
  t.match(swap.rows[0], { market: 'BTC-USD-SWAP', kind: 'perpetual', symbol: 'BTC', quote: 'USD' });
  t.equal(swap.rows[0]?.volume, 150_000_000);
  t.notOk(swap.rows.some((row) => row.market.includes('USD_UM')));
});

t.test('BTC-USDT-SWAP: contracts of 0.01 BTC', async (t) => {
  const ask = askFor(okx, 'swap', 'BTC-USDT-SWAP');
  const book = orderBook.parse(fixture(okx, 'swap-order-book'), ask);
  t.strictSame(book.asks[0], { price: 104000.1, quantity: 2.5 }, '250 x 0.01');
  t.strictSame(book.bids[0], { price: 104000, quantity: 1 }, '100 x 0.01');
  t.equal(book.stated, 1750000000340);
});

t.test('BTC-USD-SWAP: contracts of 100 USD', async (t) => {
  const ask = askFor(okx, 'swap', 'BTC-USD-SWAP');
  const body = { code: '0', data: [{ bids: [['100000', '50', '0', '1']], asks: [], ts: '' }] };
  t.strictSame(orderBook.parse(body, ask), {
    bids: [{ price: 100000, quantity: 0.05 }], // 50 x 100 USD / 100,000
    asks: [],
    stated: null,
  });
  const [open, closed] = candles.parse(fixture(okx, 'swap-candles'), ask);
  t.strictSame([open?.volume, open?.turnover], [0.4998, 50_000]);
  t.strictSame([closed?.volume, closed?.turnover], [20.1, 2_000_000], '20,000 contracts');
});

t.test(
  'spot candles: a zero turnover beside a volume is absent, beside none it is zero',
  async (t) => {
    const rows = candles.parse(fixture(okx, 'spot-candles'), askFor(okx, 'spot', 'BTC-USDT'));
    t.strictSame(
      rows.map((row) => [row.volume, row.turnover]),
      [
        [2, 208450],
        [10, 1042000],
        [4, null],
        [0, 0],
      ],
    );
  },
);

t.test('contracts of a market that the list does not hold have no size', async (t) => {
  const ask = { market: 'NEW-USDT-SWAP', part: 'swap', instrument: null };
  t.throws(() => orderBook.parse(fixture(okx, 'swap-order-book'), ask), { name: 'ShapeError' });
  t.equal(candles.parse(fixture(okx, 'swap-candles'), ask).length, 2, 'candles state coins');
  const spot = { market: 'NEW-USDT', part: 'spot', instrument: null };
  t.equal(orderBook.parse(fixture(okx, 'spot-order-book'), spot).bids.length, 2);
});

t.test('derivatives: hours from the two funding times, the index of the spot pair', async (t) => {
  const { rows, dropped } = derivativesOf(okx, 'swap');
  t.strictSame(dropped, [], 'a share and a suspended swap are silent');
  t.strictSame(rows[0], {
    ...{ market: 'BTC-USD-SWAP', symbol: 'BTC', quote: 'USD', mark: 100010, index: 99995 },
    ...{ funding_rate: 0.0001, funding_hours: 8, funding_rate_8h: 0.0001 },
    ...{ next_funding: 1750003200000, stated: 1750000000400 },
  });
  t.strictSame(
    rows
      .slice(1)
      .map((row) => [
        row.market,
        row.mark,
        row.index,
        row.funding_rate,
        row.funding_hours,
        row.funding_rate_8h,
      ]),
    [
      ['BTC-USDT-SWAP', 104010, 104005.5, 0.00012, 8, 0.00012],
      ['PEPE-USDT-SWAP', 0.0000112, 0.00001119, -0.00005, 4, -0.0001], // -0.00005 x 8 / 4
      ['ETH-USDC-SWAP', null, null, 0.00002, null, null], // nothing but a rate
    ],
  );
});

t.test('derivatives: one quote may have no index, all of them may not', async (t) => {
  const { swap } = okx.feeds.derivatives.parts;
  const body = (...data: object[]) => ({ code: '0', msg: '', data });
  const marks = body({ instId: 'A-USDT-SWAP', markPx: '2', ts: '9' });
  const funding = body({ instId: 'B-USDT-SWAP', fundingRate: '0.1' });
  const index = body({ instId: 'A-USDT', idxPx: '3' });
  const { rows } = swap.parse([marks, funding, body(), index, body()], nothing);
  t.match(rows, [{ symbol: 'A', mark: 2, index: 3, funding_rate: null, next_funding: null }]);
  for (const bodies of [
    [marks, funding, body(), body(), body()],
    [marks, body(), index, index, index],
    [body(), funding, index, index, index],
    [undefined, funding, index, index, index],
  ]) {
    t.throws(() => swap.parse(bodies, nothing), { name: 'ShapeError' });
  }
  const alone = swap.parse([marks, undefined, undefined, undefined, undefined], nothing);
  t.match(alone.rows, [{ symbol: 'A', mark: 2, index: null, funding_rate: null }]);
});

t.test('open interest: coins that the contracts beside them contradict are doubted', async (t) => {
  const { swap } = okx.feeds.openInterest.parts;
  const found = (instId: string, oi: string, oiCcy: string) => {
    const body = { code: '0', data: [{ instId, oi, oiCcy }] };
    const marks = { code: '0', data: [{ instId, markPx: '100000' }] };
    return swap.parse([body, marks], contextOf(okx, 'swap')).rows[0]?.doubt;
  };
  t.equal(found('BTC-USDT-SWAP', '2500000', '25000'), undefined, 'of 0.01 BTC each');
  t.equal(found('BTC-USDT-SWAP', '2500000', '25000000000'), 'unit');
  t.equal(found('BTC-USD-SWAP', '2000000', '2000'), undefined, 'of 100 USD each');
  t.equal(found('BTC-USD-SWAP', '2000000', '2'), 'unit');
});

t.test('open interest: coins, valued at the mark in the quote', async (t) => {
  const { rows, dropped } = openInterestOf(okx, 'swap');
  t.strictSame(dropped, []);
  t.strictSame(
    rows.map((row) => [row.market, row.units, row.value, row.mark]),
    [
      ['BTC-USD-SWAP', 2000, 200_020_000, 100010], // 2,000,200 contracts x 100 USD
      ['BTC-USDT-SWAP', 25_000, 2_600_250_000, 104010], // 2,500,000 x 0.01 BTC x 104,010
      ['PEPE-USDT-SWAP', 1e12, 11_200_000, 0.0000112], // 100,000 x 1e7 PEPE
      ['ETH-USDC-SWAP', 500, 1_250_000, null], // no mark: the venue's own dollars
    ],
  );
  t.ok(
    rows.every(({ doubt }) => doubt === undefined),
    'contracts and coins agree',
  );
  const body = { code: '0', data: [{ instId: 'A-USDT-SWAP', oi: '1', oiCcy: '', oiUsd: '5' }] };
  const marks = { code: '0', data: [{ instId: 'A-USDT-SWAP', markPx: '' }] };
  const { swap } = okx.feeds.openInterest.parts;
  t.match(swap.parse([body, marks], nothing).rows, [{ units: null, value: 5, mark: null }]);
  const without = { code: '0', data: [{ ...body.data[0], oiUsd: '' }] };
  t.strictSame(swap.parse([without, marks], nothing), {
    rows: [],
    dropped: [{ key: 'A-USDT-SWAP', code: 'bad_row' }],
  });
});

t.test('the streams are on the connection of the exchange', async (t) => {
  t.equal(okx.live.prices.spot.url, connection.url);
});

wholeVenue(okx);
