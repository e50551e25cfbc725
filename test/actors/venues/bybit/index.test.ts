import t from 'tap';
import { bybit } from '../../../../actors/venues/bybit/index.ts';
import { connection, isAbout, subscriptions } from '../../../../actors/venues/bybit/stream.ts';
import { changeOf } from '../../../../actors/venues/rows.ts';
import { askFor, contextOf, fixture, instrumentOf, pricesOf, received } from '../fixtures.ts';
import { context } from '../stream-suite.ts';
import { wholeVenue } from '../suite/index.ts';

const { orderBook, candles } = bybit.queries;
const { derivatives, openInterest } = bybit.feeds;
const nothing = { received, instruments: new Map() };

t.test('the markets that are followed', async (t) => {
  const kinds = (part: string) =>
    Object.fromEntries([...contextOf(bybit, part).instruments].map(([id, i]) => [id, i.kind]));
  t.strictSame(kinds('spot'), {
    ...{ BTCUSDT: 'spot', USDCUSDT: 'spot', ETHBTC: 'spot' },
    MNTUSDC: 'spot', // innovation zone
    TSLAXUSDT: 'other', // a share
    OLDUSDT: 'other', // closed
  });
  t.strictSame(kinds('linear'), {
    ...{ BTCUSDT: 'perpetual', '1000PEPEUSDT': 'perpetual', SHIB1000USDT: 'perpetual' },
    ...{ BTCPERP: 'perpetual', 'BTC-26JUN26': 'other', TSLAUSDT: 'other', OLDUSDT: 'other' },
    NEWUSDT: 'other',
  });
  t.strictSame(instrumentOf(bybit, 'linear', '1000PEPEUSDT'), {
    ...{ market: '1000PEPEUSDT', kind: 'perpetual', symbol: 'PEPE', quote: 'USDT', scale: 1000 },
    ...{ contract: 1, inverse: false },
    funding_hours: 4, // 240 minutes
  });
  t.match(instrumentOf(bybit, 'linear', 'SHIB1000USDT'), { symbol: 'SHIB', scale: 1000 });
  t.match(instrumentOf(bybit, 'linear', 'BTCPERP'), { symbol: 'BTC', quote: 'USDC' });
  t.match(instrumentOf(bybit, 'inverse', 'BTCUSD'), { inverse: true, contract: 1, quote: 'USD' });
});

t.test('a list of instruments that goes on beyond its page is named', async (t) => {
  const { parse } = bybit.feeds.instruments.parts.linear;
  const listed = [
    {
      ...{ symbol: 'BTCUSDT', contractType: 'LinearPerpetual', status: 'Trading' },
      ...{ baseCoin: 'BTC', quoteCoin: 'USDT', fundingInterval: 480 },
    },
  ];
  const parsed = (nextPageCursor: string) =>
    parse([{ retCode: 0, result: { category: 'linear', list: listed, nextPageCursor } }], nothing);
  t.strictSame(parsed('first%3DBTCUSDT').dropped, [{ key: 'list', code: 'list_cut_off' }]);
  t.equal(parsed('first%3DBTCUSDT').rows.length, 1, 'what is there counts');
  t.strictSame(parsed('').dropped, []);
});

t.test('prices: the turnover is quote, on inverse contracts the volume is', async (t) => {
  const spot = pricesOf(bybit, 'spot');
  t.strictSame(spot.dropped, []);
  t.strictSame(
    spot.rows.map((row) => [row.market, row.price, row.volume, row.change, row.stated]),
    [
      ['BTCUSDT', 104000.5, 520_002_500, changeOf(104000.5, 100000), 1750000000500],
      // An empty turnover is unknown, not 0.
      ['USDCUSDT', 0.9998, null, changeOf(0.9998, 0.9999), 1750000000500],
      ['MNTUSDC', 0.8, 80_000, changeOf(0.8, 1), 1750000000500],
    ],
  );
  const linear = pricesOf(bybit, 'linear');
  t.strictSame(
    linear.rows.map((row) => [row.market, row.symbol, row.price, row.volume]),
    [
      ['BTCUSDT', 'BTC', 104000, 9_360_000_000],
      ['1000PEPEUSDT', 'PEPE', 0.0112 / 1000, 33_600_000],
      ['SHIB1000USDT', 'SHIB', 0.013 / 1000, 1_300_000],
      ['BTCPERP', 'BTC', 104020, 10_402_000],
    ],
  );
  t.strictSame(linear.dropped, [], 'what is not followed is silent');
  t.strictSame(
    pricesOf(bybit, 'inverse').rows.map((row) => [row.market, row.price, row.volume]),
    [
      ['BTCUSD', 100000, 15_000_000], // 15,000,000 contracts of 1 USD; the turnover is 150 BTC
      ['ETHUSD', 2500, 50_000],
    ],
  );
});

t.test('a contract beyond the page of instruments is read by its id', async (t) => {
  const linear = pricesOf(bybit, 'linear', nothing);
  t.match(linear.rows[0], { symbol: 'BTC', quote: 'USDT', kind: 'perpetual', price: 104000 });
  t.match(linear.rows[3], { market: 'BTCPERP', symbol: 'BTC', quote: 'USDC' });
  t.strictSame(linear.dropped, [
    { key: 'BTC-26JUN26', code: 'unknown_instrument' },
    { key: 'NEWUSDT', code: 'bad_row' }, // an auction price before the listing
  ]);
  const inverse = pricesOf(bybit, 'inverse', nothing);
  t.match(inverse.rows[0], { symbol: 'BTC', quote: 'USD', volume: 15_000_000 });
  t.match(inverse.dropped, [{ key: 'BTCUSDH26' }], 'OLDUSD has neither a price nor a volume');
  t.equal(inverse.dropped.length, 1);
});

const parsed = (feed: typeof derivatives | typeof openInterest, part: 'linear' | 'inverse') =>
  feed.parts[part].parse([fixture(bybit, `${part}-prices`)], contextOf(bybit, part)).rows;

t.test('derivatives: hours of the ticker, else of the instrument', async (t) => {
  const [btc, pepe, , usdc] = parsed(derivatives, 'linear');
  t.strictSame(btc, {
    ...{ market: 'BTCUSDT', symbol: 'BTC', quote: 'USDT', mark: 104010, index: 103990 },
    ...{ funding_rate: 0.0001, funding_hours: 8, funding_rate_8h: 0.0001 },
    ...{ next_funding: 1750003200000, stated: 1750000000500 },
  });
  t.match(pepe, {
    mark: 0.0112 / 1000,
    funding_rate: -0.0003,
    funding_hours: 4, // fundingInterval 240 of the instrument: the ticker's is empty
    funding_rate_8h: (-0.0003 * 8) / 4,
  });
  t.match(usdc, {
    ...{ market: 'BTCPERP', funding_rate: null, funding_rate_8h: null, next_funding: null },
  });
});

t.test('open interest: one side, or half of both', async (t) => {
  t.match(parsed(openInterest, 'linear'), [
    { market: 'BTCUSDT', units: 50_000, value: 5_200_500_000, mark: 104010 },
    // No one-sided number: 4,000,000,000 / 2 x 1000 PEPE, 44,800,000 / 2 USDT.
    { market: '1000PEPEUSDT', units: 2_000_000_000_000, value: 22_400_000 },
    // No value: 100,000,000 x 0.0125 USDT.
    { market: 'SHIB1000USDT', units: 100_000_000_000, value: 1_250_000 },
    { market: 'BTCPERP', units: 10, value: 1_040_100 },
  ]);
  t.match(parsed(openInterest, 'inverse'), [
    { market: 'BTCUSD', units: 1200, value: 120_000_000 }, // in USD; its value in BTC
    { market: 'ETHUSD', units: 200, value: 500_000 }, // half of 400 ETH and of 1,000,000 USD
  ]);
});

t.test('order books', async (t) => {
  const spot = orderBook.parse(fixture(bybit, 'spot-order-book'), askFor(bybit, 'spot', 'BTCUSDT'));
  t.strictSame(spot.bids[0], { price: 104000.4, quantity: 0.5 });
  t.equal(spot.stated, 1750000000340, 'the time of the matching engine');
  const pepe = askFor(bybit, 'linear', '1000PEPEUSDT');
  const linear = orderBook.parse(fixture(bybit, 'linear-order-book'), pepe);
  t.strictSame(linear.asks[0], { price: 0.0113 / 1000, quantity: 250_000 });
  const body = fixture(bybit, 'inverse-order-book');
  for (const instrument of [instrumentOf(bybit, 'inverse', 'BTCUSD'), null]) {
    const inverse = orderBook.parse(body, { market: 'BTCUSD', part: 'inverse', instrument });
    t.strictSame(inverse.bids[0], { price: 100000, quantity: 0.05 }, '5,000 USD / 100,000');
  }
});

t.test('candles: base and quote, on inverse contracts the other way round', async (t) => {
  const pepe = askFor(bybit, 'linear', '1000PEPEUSDT');
  const [running] = candles.parse(fixture(bybit, 'linear-candles'), pepe);
  t.match(running, { open: 0.0112 / 1000, volume: 1_000_000, turnover: 11.2 });
  const btc = askFor(bybit, 'inverse', 'BTCUSD');
  const [, closed] = candles.parse(fixture(bybit, 'inverse-candles'), btc);
  t.match(closed, { timestamp: 1749996000000, volume: 20.1, turnover: 2_000_000 });
  const spot = candles.parse(fixture(bybit, 'spot-candles'), askFor(bybit, 'spot', 'BTCUSDT'));
  t.match(spot[0], { volume: 2, turnover: 208_450 });
});

t.test('a refused topic leaves the request that it was in', (t) => {
  const { channels, refuses, parse } = bybit.live.prices.spot;
  const markets = ['A', 'B', 'C'].map((market) => ({ market }));
  const at = { ...context(markets), connection: {} };
  const sent = channels(at.instruments);
  const refusal = (ret_msg: string) => ({ success: false, ret_msg, op: 'subscribe', conn_id: 'x' });
  const rest = '{"op":"subscribe","req_id":"2","args":["tickers.A","tickers.C"]}';
  for (const said of ['error:handler not found,topic:tickers.B', 'Invalid symbol :[tickers.B]']) {
    t.strictSame(refuses?.(refusal(said), sent), { of: sent[0], rest });
    t.throws(() => parse(refusal(said), at), { message: `refused: ${said}` });
  }
  const both = refusal('Invalid symbol :[tickers.A,tickers.B,tickers.C]');
  t.strictSame(refuses?.(both, sent), { of: sent[0], rest: null });
  const known = refusal('error:already subscribed,topic:tickers.A');
  for (const message of [known, refusal('error:invalid op'), { success: true }, null, 7])
    t.equal(refuses?.(message, sent), null);
  t.equal(parse(known, at), null);
  t.end();
});

t.test('the connection: ten topics a request, refused topics leave the others', async (t) => {
  const { acknowledges, refuses } = connection('linear');
  const topics = Array.from({ length: 12 }, (_, i) => `tickers.C${i}USDT`);
  const sent = subscriptions(topics);
  t.strictSame(
    sent.map((one) => JSON.parse(one)),
    [
      { op: 'subscribe', req_id: '10', args: topics.slice(0, 10) },
      { op: 'subscribe', req_id: '2', args: topics.slice(10) },
    ],
  );
  const said = { op: 'subscribe', success: true, ret_msg: '', req_id: '10' };
  t.equal(acknowledges(said), 10);
  t.equal(acknowledges({ ...said, req_id: '' }), 1, 'without a number it is one');
  for (const other of [{ ...said, success: false }, { ...said, op: 'pong' }, null])
    t.equal(acknowledges(other), 0);
  const no = { ...said, success: false, ret_msg: 'handler not found,topic:tickers.C11USDT' };
  const [, second = ''] = sent;
  t.strictSame(refuses(no, sent), { of: second, rest: subscriptions(['tickers.C10USDT'])[0] });
  t.strictSame(refuses(no, subscriptions(['tickers.C11USDT'])), {
    of: subscriptions(['tickers.C11USDT'])[0],
    rest: null,
  });
  t.equal(refuses(no, []), null);
  t.equal(refuses(said, sent), null);
  const again = { ...no, ret_msg: 'error:already subscribed,topic:tickers.C11USDT' };
  t.equal(refuses(again, sent), null);
  t.notOk(isAbout(again, 'tickers.'));
  t.notOk(isAbout(said, 'tickers.'));
  t.ok(isAbout({ topic: 'tickers.BTCUSDT' }, 'tickers.'));
  for (const bad of [no, { topic: 'orderbook.1.X' }, {}, 'hello'])
    t.throws(() => isAbout(bad, 'tickers.'), { name: 'ShapeError' });
});

wholeVenue(bybit);
