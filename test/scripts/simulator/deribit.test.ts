import t from 'tap';
import { deribit } from '../../../scripts/simulator/venues/deribit.ts';
import { absent, recording } from '../../support/recordings.ts';
import { differences } from '../../support/shape.ts';
import { now, simulated } from '../../support/simulated-venue.ts';

const running = await simulated(deribit);
t.teardown(() => running.close());
const get = async (path: string) => {
  const response = await fetch(`${running.url}/www.deribit.com/api/v2/public/${path}`);
  return { status: response.status, body: JSON.parse(await response.text()) };
};
/** Only the rows of perpetuals: the recorded list begins with an option, which nothing here follows. */
const perpetuals = (body: { result: { instrument_name: string }[] }) => ({
  ...body,
  result: body.result.filter((row) => row.instrument_name === 'BTC-PERPETUAL'),
});

// Newer than the recordings, or older; all are documented. `id` echoes that of a POST.
const newer = ['instrument_type', 'underlying_type', 'state', 'price_index', 'id'];
/** A recorded answer to a POST has the id, ours to a GET has none. */
const echo = (extra: readonly string[]) => extra.filter((key) => key === 'id');
const ticker = [
  ...newer,
  'estimated_delivery_price',
  'interest_value',
  'price_change',
  'volume_usd',
  'volume_notional',
];
const range = `start_timestamp=${now - 300_000}&end_timestamp=${now}`;
const table: [file: string, path: string, extra: string[]][] = [
  ['instruments', 'get_instruments?currency=BTC', newer],
  ['book-summary-perpetual', 'get_book_summary_by_instrument?instrument_name=BTC-PERPETUAL', []],
  ['order-book', 'get_order_book?instrument_name=BTC-PERPETUAL&depth=20', ['id']],
  ['ticker-perpetual', 'ticker?instrument_name=BTC-PERPETUAL', ticker],
  ['error-invalid-params', 'get_book_summary_by_currency?currency=NOPE', []],
];

t.test('keys and types are those of the recordings', { skip: absent }, async (t) => {
  for (const [file, path, extra] of table) {
    const real = recording('deribit', file);
    const ours = await get(path);
    t.equal(ours.status, real?.status, `${file}: status`);
    const rows = file === 'instruments' ? perpetuals : (body: unknown) => body;
    const sides = [real?.response, ours.body].map((body) => rows(JSON.parse(JSON.stringify(body))));
    t.same(differences(sides[0], sides[1], { newer: extra, older: echo(extra) }), [], file);
  }
  const real = recording('deribit', 'candles');
  const ours = await get(
    `get_tradingview_chart_data?instrument_name=BTC-PERPETUAL&resolution=1&${range}`,
  );
  // Five bars in both: a column is a row of numbers.
  t.same(differences(real?.response, ours.body, { newer: ['id'], older: ['id'] }), [], 'candles');
});

t.test('what the lists hold', async (t) => {
  const list = async (query: string) =>
    (await get(`get_instruments?${query}`)).body.result.map(
      (row: { instrument_name: string }) => row.instrument_name,
    );
  const linear = await list('currency=USDC&kind=future');
  for (const id of ['BTC_USDC-PERPETUAL', '1000PEPE_USDC-PERPETUAL', 'TSLA_USDC-PERPETUAL']) {
    t.ok(linear.includes(id), id);
  }
  t.ok((await list('currency=any&kind=spot')).includes('ETH_BTC'), 'a pair not in dollars');
  t.ok(
    (await list('currency=BTC&kind=future')).some((id: string) => /^BTC-\d+[A-Z]{3}\d\d$/.test(id)),
  );
  const states = (await get('get_instruments?currency=USDC&kind=future')).body.result;
  t.ok(
    states.some(
      (row: { state: string; is_active: boolean }) => row.state === 'halted' && !row.is_active,
    ),
  );
});

t.test('candles: a range without bars, a bad range, more than 5000', async (t) => {
  const path = 'get_tradingview_chart_data?instrument_name=BTC-PERPETUAL&resolution';
  const none = await get(`${path}=60&start_timestamp=0&end_timestamp=1000`);
  t.match(none.body.result, { status: 'no_data', ticks: [] });
  t.equal((await get(`${path}=60&start_timestamp=x&end_timestamp=1`)).status, 400);
  t.equal((await get(`${path}=7&${range}`)).status, 400);
  const all = await get(`${path}=1&start_timestamp=0&end_timestamp=${now}`);
  t.equal(all.body.result.ticks.length, 5000);
  t.equal((await get('get_order_book?instrument_name=BTC-PERPETUAL&depth=7')).status, 400);
});

t.test('a subscription is acknowledged', async (t) => {
  const channels = ['trades.future.BTC.100ms'];
  const frame = { jsonrpc: '2.0', id: 7, method: 'public/subscribe', params: { channels } };
  t.match(
    deribit.reply?.(JSON.stringify(frame)).map((text) => JSON.parse(text)),
    [{ id: 7, result: channels }],
  );
});
