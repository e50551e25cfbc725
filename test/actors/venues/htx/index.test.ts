import t from 'tap';
import { htx } from '../../../../actors/venues/htx/index.ts';
import { liquidations, notification, notified } from '../../../../actors/venues/htx/streams.ts';
import { contextOf, fixture, ownPoll } from '../fixtures.ts';
import { listed } from '../stream-suite.ts';
import { wholeVenue } from '../suite/index.ts';

const { derivatives } = htx.feeds;
const stated = 1_750_000_000_321;

t.test('derivatives: what fails costs nothing else', async (t) => {
  const body = fixture(htx, 'linear-derivatives');
  const [index, funding, mark, ...second] = Object(body).bodies.slice(0, 5);
  const context = contextOf(htx, 'linear');
  const { linear } = derivatives.parts;
  const rate = { funding_rate: 0.00012, funding_hours: 8, next_funding: 1_750_003_200_000 };
  const unknown = { funding_rate: null, funding_hours: null, next_funding: null };
  const read = (...bodies: unknown[]) => {
    const { rows, dropped } = linear.parse([index, ...bodies], context).derivatives;
    t.strictSame(dropped, []);
    return rows;
  };
  t.match(read(undefined, undefined, funding, mark), [
    { market: 'BTC-USDT', mark: 103_301.5, index: 103_284.7, ...rate },
  ]);
  t.match(
    read(funding, undefined, ...second),
    [{ market: 'BTC-USDT', mark: null, index: 103_284.7, ...rate }, { mark: 0.01204 / 1000 }],
    'no mark',
  );
  t.match(
    read(undefined, mark, ...second),
    [
      { market: 'BTC-USDT', mark: 103_301.5, index: 103_284.7, ...unknown, stated: stated + 5 },
      { funding_rate: -0.00005 },
    ],
    'no rate: the market is that of the channel, the time that of the candle',
  );
  const broken = linear.parse([index, {}, undefined, ...second], context).derivatives;
  t.match(broken.rows, [{ market: '1000PEPE-USDT', index: 0.01201 / 1000 }]);
  t.strictSame(broken.dropped, [{ key: '', code: 'bad_row' }]);
  for (const useless of [
    [{}, {}],
    ['<html>', undefined],
    [undefined, undefined],
  ]) {
    t.throws(() => linear.parse([index, ...useless], context), { name: 'ShapeError' });
  }
});

t.test('notifications: pings, acknowledgements, data and refusals', async (t) => {
  const { url, reply, acknowledges, channels } = notification('linear-swap-notification', 'a.b');
  t.equal(url, 'wss://api.hbdm.com/linear-swap-notification');
  t.strictSame(channels(), ['{"op":"sub","cid":"1","topic":"a.b"}']);
  const read = (message: unknown) => [reply(message), acknowledges(message), notified(message)];
  t.strictSame(read({ op: 'ping', ts: '17' }), ['{"op":"pong","ts":"17"}', 0, null]);
  const acknowledged = { op: 'sub', cid: '1', 'err-code': 0, topic: 'a.b' };
  t.strictSame(read(acknowledged), [null, 1, null]);
  t.equal(acknowledges({ ...acknowledged, 'err-code': 2_011 }), 0);
  const data = [{ contract_code: 'BTC-USDT' }, {}, 7];
  t.strictSame(read({ op: 'notify', data }), [null, 0, data]);
  for (const bad of [{ ...acknowledged, 'err-code': 2_011 }, { data }, { op: 'notify' }, null])
    t.throws(() => notified(bad), { name: 'ShapeError' });
});

t.test('liquidations of dated linear contracts', async (t) => {
  const { parse } = liquidations.linear;
  const own = { symbol: 'BTC', contract: 0.001 };
  const instruments = listed([
    { ...own, market: 'BTC-USDT', kind: 'perpetual' },
    { ...own, market: 'BTC-USDT-260327', kind: 'future' },
  ]);
  const row = {
    contract_code: 'BTC-USDT-260327',
    business_type: 'futures',
    contract_type: 'quarter',
    direction: 'buy',
    offset: 'close',
    created_at: 1_790_134_831_587,
    volume: 40,
    amount: 0.04,
    price: 58_769.9,
    trade_turnover: 2_350.796,
  };
  const message = { op: 'notify', topic: 'public.*.liquidation_orders', data: [row] };
  t.match(parse(message, { received: 0, instruments })?.rows, [
    { contract: 'BTC-USDT-260327', side: 'short', quantity_base: 0.04, value_usd: 2_350.796 },
  ]);
});

const { prices } = htx.feeds;

t.test('a turnover counts within a factor of two, hours of a funding above zero', async (t) => {
  const linear = contextOf(htx, 'linear');
  const volumes = [99, 100, 400, 401].map((trade_turnover) => {
    const row = { contract_code: 'BTC-USDT', close: 100, amount: 2, trade_turnover };
    return prices.parts.linear.parse([{ ticks: [row] }], linear).prices.rows[0]?.volume;
  });
  t.strictSame(volumes, [100, 50, 200, 100]);
  const funding_time = 1_750_003_200_000;
  const data = [0, 1_800_000].map((later, at) => ({
    contract_code: ['BTC-USD', 'ETH-USD'][at],
    funding_rate: '0.0001',
    funding_time,
    next_funding_time: funding_time + later,
  }));
  const context = contextOf(htx, 'inverse');
  const { rows } = derivatives.parts.inverse.parse([{ data }, undefined], context).derivatives;
  t.match(rows, [{ funding_hours: 8 }, { funding_hours: 0.5 }]);
});

t.test('contracts stay listed while they settle', async (t) => {
  const listed = (contract_status: number) => {
    const about = { contract_status, contract_size: 10, price_tick: 0.1 };
    const swaps = { data: [{ ...about, contract_code: 'BTC-USD' }] };
    const dated = { ...about, contract_code: 'BTC260327', symbol: 'BTC' };
    const bodies = [swaps, { data: [{ ...dated, delivery_time: '1774598400000' }] }];
    const context = { received: stated, instruments: new Map() };
    const { rows } = ownPoll(htx, 'instruments', 'inverse').parse(bodies, context);
    return rows.map(({ kind }) => kind);
  };
  for (const settling of [1, 5, 7]) t.strictSame(listed(settling), ['perpetual', 'future']);
  for (const other of [0, 2, 3, 4, 6, 8]) t.strictSame(listed(other), ['other', 'other']);
});

wholeVenue(t, htx);
