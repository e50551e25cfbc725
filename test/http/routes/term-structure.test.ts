/** The term structure of perpetuals and dated futures, which are in no other answer. */
import t from 'tap';
import type { FutureRow } from '../../../actors/topics/index.ts';
import { termStructureRoute } from '../../../http/routes/futures/term-structure.ts';
import { InstrumentsView } from '../../../http/views/instruments.ts';
import { OpenInterestView } from '../../../http/views/open-interest.ts';
import { PerpetualsView } from '../../../http/views/perpetuals.ts';
import { PricesView } from '../../../http/views/prices.ts';
import { Readings } from '../../../http/views/view.ts';
import { perpetualsOf } from '../../support/http-makers.ts';
import { instrument, interestRow, now, priceRow, reading } from '../../support/makers.ts';
import { rowReader } from '../../support/row-reader.ts';

const day = 86_400_000;

const future = (more: Partial<FutureRow> = {}): FutureRow => ({
  market: 'BTCUSD_260327',
  symbol: 'BTC',
  quote: 'USD',
  inverse: true,
  expiry: now + 73 * day,
  mark: 101,
  index: 100,
  units: 50,
  value: 5_050,
  volume: 7_000,
  stated: null,
  ...more,
});

function stage() {
  const prices = {
    rates: () =>
      new Map([
        ['USDT', 0.5],
        ['USD', 1],
      ]),
  };
  const perpetuals = new PerpetualsView(prices);
  const view = new Readings<FutureRow>();
  const read = rowReader([termStructureRoute({ perpetuals, futures: view, prices })]);
  view.expire(now);
  return { perpetuals, view, read };
}

t.test('perpetuals first, then by expiry; 1 % of 73 days is 5 % a year', async (t) => {
  const { perpetuals, view, read } = stage();
  t.equal(
    (await read('/v1/futures/term-structure')).error,
    'warming_up',
    'before anything is known',
  );
  perpetualsOf([{ source: 'a', mark: 99.5, index: 100, volume: 300, interest: 200 }], perpetuals);
  const far = future({ market: 'FAR', expiry: now + 100 * day, index: null, value: null });
  const linear = future({ market: 'LIN', quote: 'USDT', inverse: false, volume: null });
  const others = [future({ market: 'GONE', expiry: now }), future({ market: 'E', symbol: 'ETH' })];
  view.accept(reading([far, ...others, future()], { source: 'b', part: 'inverse' }));
  view.accept(reading([linear], { source: 'b', part: 'linear' }));
  const { symbol, count, items } = await read('/v1/futures/term-structure?symbol=btc');
  t.equal(symbol, 'BTC');
  t.equal(count, 4, 'what has expired is left out');
  for (const name of ['XBT', 'BTC/USDT', 'ETH-PERP'])
    t.match(await read(`/v1/futures/term-structure?symbol=${encodeURIComponent(name)}`), {
      symbol: name === 'ETH-PERP' ? 'ETH' : 'BTC',
    });
  const [first, ...dated] = items;
  t.match(first, { exchange: 'a', expiry: null, days_to_expiry: null, annualized_percent: null });
  t.ok(Math.abs(first.basis_percent + 0.5) < 1e-9);
  t.match(first, { open_interest_usd: 100, volume_24h_usd: 150 }, 'dollars at 0.5 a USDT');
  t.strictSame(
    dated.map((one: { contract: string }) => one.contract),
    ['BTCUSD_260327', 'LIN', 'FAR'],
  );
  const [inverse, lin, none] = dated;
  t.match(inverse, { exchange: 'b', margin_type: 'inverse', expiry: now + 73 * day });
  t.match(inverse, { days_to_expiry: 73, mark_price: 101, index_price: 100 });
  t.ok(Math.abs(inverse.basis_percent - 1) < 1e-9);
  t.ok(Math.abs(inverse.annualized_percent - 5) < 1e-9);
  t.match(inverse, { open_interest_usd: 5_050, volume_24h_usd: 7_000 });
  t.match(lin, { margin_type: 'linear', open_interest_usd: 2_525, volume_24h_usd: null });
  t.match(none, { index_price: null, basis_percent: null, annualized_percent: null });
  t.match(none, { open_interest_usd: null });
});

t.test(
  'an asset without contracts is unknown, and what is ten minutes old is left out',
  async (t) => {
    const { view, read } = stage();
    view.accept(reading([future()], { source: 'b', part: 'inverse' }));
    const unknown = await read('/v1/futures/term-structure?symbol=NOSUCHCOIN');
    t.match(unknown, { error: 'unknown_symbol', message: /NOSUCHCOIN/ });
    t.equal((await read('/v1/futures/term-structure')).count, 1);
    view.expire(now + 600_001);
    t.equal((await read('/v1/futures/term-structure')).error, 'unknown_symbol');
  },
);

t.test('averages, sums and lists are the same with dated futures and without', async (t) => {
  const { perpetuals, view } = stage();
  const [prices, instruments] = [new PricesView(), new InstrumentsView()];
  const interest = new OpenInterestView(prices);
  prices.accept(reading([priceRow({ symbol: 'BTC' })], { source: 'a', part: 'spot' }), now);
  interest.accept(reading([interestRow({ symbol: 'BTC' })], { source: 'a', part: 'linear' }), now);
  perpetualsOf([{ source: 'a', mark: 99.5, index: 100, rate: 1e-4, hours: 8 }], perpetuals);
  const listed = instrument({ symbol: 'BTC', market: 'BTCUSDT', kind: 'perpetual' });
  const answers = () => ({
    prices: [prices.one('BTC'), prices.all()],
    interest: [interest.one('BTC'), interest.all()],
    perpetuals: [...perpetuals.all()].map(([id, { rows, stale }]) => [id, rows, [...stale]]),
    fundings: [...perpetuals.fundings()],
    perpetual: instruments.names('a')?.ofAsset('BTC'),
    named: ['BTC', 'BTCUSDT', 'BTC/USDT', 'BTC-PERP'].map((name) =>
      instruments.names('a')?.named(name),
    ),
  });
  instruments.accept(reading([listed], { source: 'a', part: 'linear' }));
  const before = JSON.stringify(answers());
  const dated = instrument({
    symbol: 'BTC',
    market: 'BTCUSDT_260327',
    kind: 'future',
    expiry: now + 73 * day,
  });
  const lists = reading([listed, dated], { source: 'a', part: 'linear', received: now + 1 });
  instruments.accept(lists);
  perpetuals.accept('instruments', lists, now);
  view.accept(reading([future({ mark: 9_999 })], { source: 'a', part: 'linear' }));
  t.equal(JSON.stringify(answers()), before);
  const found = instruments.read({ symbol: 'BTC', kind: 'future' });
  t.match(JSON.parse(Object(found).text), {
    count: 1,
    instruments: [{ market: 'BTCUSDT_260327', kind: 'future', expiry: now + 73 * day }],
  });
  const names = instruments.names('a');
  t.equal(names?.named('btcusdt_260327')?.kind, 'future');
  const date = new Date(now + 73 * day).toISOString().slice(2, 10).replaceAll('-', '');
  t.equal(names?.named(`BTC/USDT:USDT-${date}`)?.kind, 'future', 'by its unified name');
});
