import t from 'tap';
import { phemex } from '../../../../actors/venues/phemex/index.ts';
import { readProduct } from '../../../../actors/venues/phemex/markets.ts';
import { contextOf, received } from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

t.test('decimals and hours that a product can have', async (t) => {
  const row = { settleCurrency: 'BTC', quoteCurrency: 'USD', contractSize: 1 };
  const read = (more: object) => readProduct('inverse', { ...row, ...more }, 'BTCUSD', () => 8);
  const decimals = [16, 17, 0, -1].map((priceScale) => read({ priceScale })?.scale ?? null);
  t.strictSame(decimals, [1e16, null, 1, null]);
  const seconds = [3600, 3599].map((fundingInterval) => read({ priceScale: 4, fundingInterval }));
  t.strictSame(
    seconds.map((one) => one?.funding_hours),
    [1, null],
  );
});

t.test('a product without a scale, or a contract without a size, is dropped', async (t) => {
  const nothing = { received: 0, instruments: new Map() };
  const row = { symbol: 'BTCUSD', type: 'Perpetual', quoteCurrency: 'USD', settleCurrency: 'BTC' };
  const full = { ...row, status: 'Listed', contractSize: 1, priceScale: 4, ratioScale: 8 };
  const parse = (product: object) =>
    phemex.feeds.instruments.parts.inverse.parse(
      [{ code: 0, data: { currencies: [], products: [product], perpProductsV2: [] } }],
      nothing,
    ).instruments;
  t.equal(parse(full).rows[0]?.kind, 'perpetual');
  t.equal(parse({ ...full, ratioScale: 6 }).rows[0]?.kind, 'other', 'rates of another scale');
  t.equal(parse({ ...full, settleCurrency: 'USD' }).rows[0]?.kind, 'other', 'settled in dollars');
  for (const broken of [{ priceScale: null }, { priceScale: 40 }, { contractSize: '1 BTC' }]) {
    const { rows, dropped } = parse({ ...full, ...broken });
    t.strictSame([rows, dropped], [[], [{ key: 'BTCUSD', code: 'bad_row' }]]);
  }
});

wholeVenue(t, phemex);

t.test(
  'a packed message without names has the columns that its connection stated before',
  async (t) => {
    const stream = phemex.live?.prices?.linear;
    if (stream === undefined) throw new Error('no stream of linear prices');
    const names = ['symbol', 'openRp', 'highRp', 'lowRp', 'lastRp', 'volumeRq', 'turnoverRv'];
    const method = 'perp_market24h_pack_p.update';
    const row = (last: string) => ['BTCUSDT', '60100', '62000', '59000', last, '120', '7260000'];
    const at = `${received - 500}000000`;
    const message = (last: string, more: object = {}) => ({
      method,
      data: [row(last)],
      timestamp: Number(at),
      ...more,
    });
    const context = { ...contextOf(phemex, 'linear'), connection: {} };
    const prices = (sent: object, connection = context.connection) =>
      stream.parse(sent, { ...context, connection })?.prices?.rows.map(({ price }) => price);
    t.strictSame(prices(message('60500.5', { fields: names })), [60_500.5]);
    t.strictSame(prices(message('60501.5')), [60_501.5]);
    t.strictSame(prices(message('60502.5', { fields: null })), [60_502.5]);
    t.throws(() => prices(message('60502.5'), {}), { name: 'ShapeError' }, 'another connection');
  },
);
