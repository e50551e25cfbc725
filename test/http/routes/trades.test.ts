/** The newest public trades of a market. */
import t from 'tap';
import { success } from '../../../actors/failure.ts';
import { tradeRoutes } from '../../../http/routes/trades.ts';
import { InstrumentsView } from '../../../http/views/instruments.ts';
import { Markets } from '../../../http/views/markets.ts';
import { PricesView } from '../../../http/views/prices.ts';
import { isApiError } from '../../../http/wire/errors.ts';
import { FakeClock } from '../../support/clock.ts';
import { instrument, now, priceRow, reading } from '../../support/makers.ts';
import { queryBus } from '../../support/queries.ts';
import { contextFor, views } from '../../support/route-stage.ts';
import { type Replies, rowReader } from '../../support/row-reader.ts';
import { sameRows } from '../../support/table.ts';

const [prices, instruments] = [new PricesView(), new InstrumentsView()];
for (const kind of ['spot', 'perpetual'] as const) {
  const market = `BTC-${kind}`;
  prices.accept(reading([priceRow({ kind, market })], { source: 'okx', part: kind }), now);
  instruments.accept(reading([instrument({ kind, market })], { source: 'okx', part: kind }));
}
const markets = new Markets({ instruments, prices });

/** A trade of 2 at 101, then one of 3 at 100.5. */
const trades = [
  { id: 't8', timestamp: now - 1, price: 101, quantity: 2, bought: true },
  { id: null, timestamp: now - 2, price: 100.5, quantity: 3, bought: false },
];

const stage = (reply: Replies) => {
  const context = contextFor(views);
  const exchanges = { ...context.exchanges, recentTrades: ['okx', 'htx'] };
  return rowReader(tradeRoutes({ ...context, exchanges, markets }), { reply });
};

t.test('side, value and market', async (t) => {
  const asked: object[] = [];
  const read = stage(({ source, name, params }) => {
    asked.push({ source, name, ...params });
    return { market: 'BTC-spot', kind: 'spot', quote: 'USDT', trades };
  });
  const found = await read('/v1/trades?exchange=okx&symbol=btc&limit=2');
  t.match(found, { exchange: 'okx', symbol: 'btc', market: 'BTC-spot', kind: 'spot', count: 2 });
  t.strictSame(asked, [
    { source: 'okx', name: 'recentTrades', market: 'BTC-spot', kind: 'spot', limit: 2 },
  ]);
  sameRows(t, Object(found).items)`
    id timestamp  side price quantity value_usd
    t8 ${now - 1} buy  101   2        202
    -  ${now - 2} sell 100.5 3        301.5
  `;
  await read('/v1/trades?exchange=okx&symbol=BTC&kind=perpetual');
  t.match(asked[1], { market: 'BTC-perpetual', limit: 100 });
  t.equal(Object(found).source, 'request');
});

t.test('each trade, and holes, for clients that follow the market', async (t) => {
  const context = contextFor(views);
  const on = { recentTrades: ['okx', 'htx'], spotTrades: ['okx'], perpetualTrades: [] };
  const [newer, older] = trades;
  const tape = { quote: 'USDT', began: now, first: 1, entries: [newer, null, older] };
  const bus = queryBus(() => success({ value: tape, received: now, until: now }));
  const exchanges = { ...context.exchanges, ...on };
  const [row] = tradeRoutes({ ...context, bus, clock: new FakeClock(now), exchanges, markets });
  const log = (exchange: string, symbol = 'BTC') =>
    row && 'query' in row.from ? row.from.log?.({ exchange, symbol, limit: 5 }, '') : undefined;
  t.match(log('htx'), { error: 'bad_parameter', message: /by stream: okx$/ });
  t.match(log('okx', 'NOPE'), { error: 'unknown_symbol', message: /NOPE/ });
  const found = log('okx');
  if (found === undefined || isApiError(found)) throw new Error('no log');
  t.equal(await found.log.ready(), undefined);
  const events = [0, 1, 2].flatMap((at) => found.log.read(at)?.events ?? []);
  t.strictSame(events.map(found.item), [
    { id: 't8', timestamp: now - 1, side: 'buy', price: 101, quantity: 2, value_usd: 202 },
    { hole: 'stream' },
    { id: null, timestamp: now - 2, side: 'sell', price: 100.5, quantity: 3, value_usd: 301.5 },
  ]);
});

t.test('a market that is not quoted in dollars has no values', async (t) => {
  const read = stage(() => ({ market: 'ETHBTC', kind: 'spot', quote: 'BTC', trades }));
  const found = Object(await read('/v1/trades?exchange=okx&symbol=ETHBTC'));
  t.equal(found.quote, 'BTC');
  t.strictSame(
    found.items.map((one: object) => Object(one).value_usd),
    [null, null],
  );
});
