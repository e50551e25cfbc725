import t from 'tap';
import { bybit } from '../../../../actors/venues/bybit/index.ts';
import { sameRows } from '../../../support/table.ts';
import { ownPoll, received } from '../fixtures.ts';
import { context } from '../stream-suite.ts';
import { wholeVenue } from '../suite/index.ts';

const nothing = { received, instruments: new Map() };

t.test('a list of instruments that goes on beyond its page is named', async (t) => {
  const { parse } = ownPoll(bybit, 'instruments', 'linear');
  const listed = [
    {
      symbol: 'BTCUSDT',
      contractType: 'LinearPerpetual',
      status: 'Trading',
      baseCoin: 'BTC',
      quoteCoin: 'USDT',
      fundingInterval: 480,
    },
  ];
  const parsed = (nextPageCursor: string) =>
    parse([{ retCode: 0, result: { category: 'linear', list: listed, nextPageCursor } }], nothing);
  t.strictSame(parsed('first%3DBTCUSDT').dropped, [{ key: 'list', code: 'list_cut_off' }]);
  t.equal(parsed('first%3DBTCUSDT').rows.length, 1, 'what is there counts');
  t.strictSame(parsed('').dropped, []);
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

t.test('the connection: ten topics a request', async (t) => {
  const { channels, acknowledges, parse } = bybit.live.prices.linear;
  const at = context(Array.from({ length: 12 }, (_, i) => ({ market: `C${i}USDT` })));
  const topics = [...at.instruments.keys()].map((market) => `tickers.${market}`);
  sameRows(
    t,
    channels(at.instruments).map((one) => JSON.parse(one)),
  )`
    op        req_id  args
    subscribe ${'10'} ${topics.slice(0, 10)}
    subscribe ${'2'}  ${topics.slice(10)}
  `;
  const said = { op: 'subscribe', success: true, ret_msg: '', req_id: '10' };
  t.equal(acknowledges?.(said), 10);
  t.equal(acknowledges?.({ ...said, req_id: '' }), 1, 'without a number it is one');
  for (const other of [{ ...said, success: false }, { ...said, op: 'pong' }, null])
    t.equal(acknowledges?.(other), 0);
  const no = { ...said, success: false, ret_msg: 'handler not found,topic:tickers.C11USDT' };
  const again = { ...no, ret_msg: 'error:already subscribed,topic:tickers.C11USDT' };
  const read = (message: unknown) => parse(message, { ...at, connection: {} });
  t.equal(read(again), null);
  t.equal(read(said), null);
  const data = { symbol: 'C1USDT', lastPrice: '2' };
  t.match(read({ topic: 'tickers.C1USDT', data })?.prices?.rows, [{ market: 'C1USDT', price: 2 }]);
  for (const bad of [no, { topic: 'orderbook.1.X' }, {}, 'hello'])
    t.throws(() => read(bad), { name: 'ShapeError' });
});

wholeVenue(t, bybit);
