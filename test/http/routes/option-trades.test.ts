/** Trades of options over a view of our own: answers by hand, and the log. */
import t from 'tap';
import { tradesRoute } from '../../../http/routes/options/trades.ts';
import { OptionTradesView } from '../../../http/views/option-trades.ts';
import { OptionsView } from '../../../http/views/options.ts';
import { day, now, optionRow } from '../../indicators/options/rows.ts';
import { optionTrade } from '../../support/makers.ts';
import { rowReader } from '../../support/row-reader.ts';
import { sameRows } from '../../support/table.ts';

const minute = 60_000;

/** 30 days from now. */
const date = '2025-07-15';
const expiry = now + 30 * day;

const streams = new Map([
  ['deribit', ['linear', 'inverse']],
  ['okx', ['swap']],
]);

/** The row and its view; chains of options on BTC and SOL, where they are known. */
function setUp(chains: readonly (readonly [exchange: string, symbol: string])[]) {
  const options = new OptionsView(new Map([['deribit', ['BTC']]]));
  for (const [source, symbol] of chains) {
    const rows = [optionRow({ symbol })];
    options.accept({ source, part: symbol, asked: now, received: now, rows }, now);
  }
  const optionTrades = new OptionTradesView(streams, now);
  optionTrades.expire(now);
  const row = tradesRoute({ options, optionTrades });
  const read = rowReader([row]);
  return { row, optionTrades, get: (query = '') => read(`/v1/options/trades?${query}`) };
}

/** Of 2 BTC for 5,000 dollars each at an index of 100,000, where nothing else is given. */
const made = [
  optionTrade({ id: 'a', expiry, timestamp: now - 3 }),
  optionTrade({ id: 'b', side: 'sell', type: 'put', price: 7_000, timestamp: now - 2 }),
  optionTrade({ id: 'c', symbol: 'SOL', price: 1, quantity: 30, index: 200, timestamp: now - 1 }),
  optionTrade({ id: 'd', price: 9_000, timestamp: now - 2 * 3_600_000 }),
];

function traded() {
  const stage = setUp([
    ['deribit', 'BTC'],
    ['deribit', 'SOL'],
    ['okx', 'BTC'],
  ]);
  const tell = (source: string, part: string, events: typeof made, seq: number) => {
    const entry = { source, part, at: now, since: now - 60 * minute, events };
    stage.optionTrades.accept(entry, { id: `${now}-${seq}`, seq });
  };
  tell('deribit', 'inverse', made, 1);
  // Once more, as another process may have published it; and of another exchange.
  tell('deribit', 'inverse', made.slice(0, 1), 2);
  tell('okx', 'swap', [optionTrade({ id: 'a', side: 'sell', timestamp: now })], 3);
  tell('elsewhere', 'swap', [optionTrade({ id: 'x' })], 4);
  stage.optionTrades.expire(now);
  return stage;
}

t.test('trades: what was paid in dollars, the newest or the largest premium first', async (t) => {
  const { get } = traded();
  const data = await get('hours=1');
  sameRows(t, data.items[1])`
    exchange instrument          expiry             strike  type settlement_currency symbol side
    deribit  BTC-27JUN25-110000-C ${made[2]?.expiry} 110_000 call BTC                 SOL    buy

    price_usd price_base quantity_base premium_usd notional_usd implied_volatility mark_price_usd
    1         0.05       30            30          6000         0.5                4900

    index_price block timestamp  id
    200         false ${now - 1} c
  `;
  t.match(data, {
    count: 4,
    total_count: 4,
    call_premium_bought_usd: 10_030,
    call_premium_sold_usd: 10_000,
    put_premium_bought_usd: 0,
    put_premium_sold_usd: 14_000,
  });
  const ids = async (query: string) =>
    (await get(`${query}`)).items.map((one: { id: string }) => one.id).join('');
  t.equal(await ids('hours=1'), 'acba', 'of both exchanges, each once');
  t.equal(await ids('sort=premium'), 'dbaac');
  t.equal(await ids('sort=premium&limit=1'), 'd');
  t.equal(await ids('symbol=sol'), 'c');
  t.equal(await ids('symbol=XBT&exchange=okx'), 'a');
  t.equal(await ids('type=put'), 'b');
  t.equal(await ids('side=sell'), 'ab');
  t.equal(await ids(`expiry=${date}`), 'a');
  t.equal(await ids('min_premium_usd=14000'), 'bd');
  t.match(await get('symbol=DOGE'), { error: 'unknown_symbol' });
  t.match(await get('symbol=SOL&exchange=okx'), { error: 'unknown_symbol' });
  t.match(await get('exchange=binance'), { error: 'bad_parameter' });
});

t.test('trades: for how long they were heard, and what is not heard now', async (t) => {
  const { get, optionTrades } = traded();
  const data = await get();
  t.match(data, { recording_since: now - 60 * minute, connected: false });
  // Of three streams two were heard for an hour of 24.
  t.match(data.coverage, { expected: 3 * 24 * 60, present: 120, complete: false });
  t.strictSame(data.disconnected_exchanges, ['deribit']);
  t.strictSame((await get('exchange=okx')).disconnected_exchanges, []);
  optionTrades.expire(now + 5 * minute);
  t.strictSame((await get('exchange=okx')).disconnected_exchanges, ['okx']);
  optionTrades.expire(now + day);
  t.match(await get(), { count: 1 }, 'older trades are left out');
  const cold = await setUp([]).get();
  t.match(cold, { count: 0, call_premium_bought_usd: 0, connected: false });
});

t.test('trades: the log has those that are asked for', async (t) => {
  const { from } = traded().row;
  const wanted = { limit: 5, hours: 1, sort: 'premium', symbol: 'BTC', min_premium_usd: 11_000 };
  const log = 'view' in from ? from.log?.(wanted, '') : undefined;
  if (log === undefined || !('item' in log)) throw new Error('no log');
  const of = (one: object | undefined) => log.item({ exchange: 'deribit', ...one });
  t.match(of(made[1]), { id: 'b', premium_usd: 14_000 });
  t.strictSame([of(made[0]), of(made[2])], [null, null]);
  t.equal(log.limit, 5);
  t.match(log.log.read(0)?.events, made);
});
