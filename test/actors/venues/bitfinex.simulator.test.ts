import t from 'tap';
import { bitfinex } from '../../../actors/venues/bitfinex.ts';
import { bitfinex as simulator } from '../../../scripts/simulator/venues/bitfinex.ts';
import { checkRefusals, checkUnknown } from '../../support/model-agreement.ts';
import {
  checkBook,
  checkCandles,
  close,
  now,
  Reader,
  simulated,
} from '../../support/simulated-venue.ts';

const running = await simulated(simulator);
t.teardown(() => running.close());
const reader = new Reader(running, bitfinex);
const market = (id: string) => reader.market('all', id);
const followed = reader.followed('all');

t.test('prices, and turnover as volume times last', async (t) => {
  const rows = await reader.rows(t, bitfinex.feeds.prices, 'all');
  t.same([...rows.keys()].sort(), followed.map((m) => m.id).sort());
  for (const { id, kind } of followed) {
    const truth = running.model.truth('bitfinex', id, kind);
    const row = rows.get(id);
    if (!truth || !row) throw new Error(id);
    close(t, [row.price, truth.price], `${id} price`);
    const { close: last, open, turnover, base } = running.model.last24h(market(id), now);
    close(t, [row.volume, base * last], `${id} volume`, 1e-6);
    close(t, [row.volume, turnover], `${id} turnover`, 0.1);
    close(t, [1 + (row.change ?? 0) / 100, last / open], `${id} change`, 1e-6);
    t.match(row, { symbol: truth.symbol, quote: truth.quote, kind });
  }
});

t.test('mark, index, funding, open interest', async (t) => {
  const derivatives = await reader.rows(t, bitfinex.feeds.derivatives, 'all');
  const interests = await reader.rows(t, bitfinex.feeds.openInterest, 'all');
  const perpetuals = followed.filter(({ kind }) => kind === 'perpetual');
  const ids = perpetuals.map(({ id }) => id).sort();
  t.same([...derivatives.keys()].sort(), ids);
  t.same([...interests.keys()].sort(), ids);
  const next = Math.ceil(now / 28_800_000) * 28_800_000;
  for (const perpetual of perpetuals) {
    const { id } = perpetual;
    const row = derivatives.get(id);
    close(t, [row?.mark, perpetual.exact(now)], `${id} mark`, 1e-6);
    close(t, [row?.index, perpetual.index(now)], `${id} index`, 1e-6);
    const rate = (perpetual.fundingRate(next) * 8) / perpetual.fundingHours;
    close(t, [row?.funding_rate_8h, rate], `${id} funding`, 1e-6);
    t.match(row, { funding_hours: 8, next_funding: next, stated: now });
    const units = perpetual.openInterest(now);
    close(t, [interests.get(id)?.units, units], `${id} units`, 1e-6);
    close(t, [interests.get(id)?.value, units * perpetual.exact(now)], `${id} value`, 1e-6);
  }
});

t.test('order books', async (t) => {
  t.equal(await checkBook(t, reader, market('tBTCUSD'), 50), null, 'the venue gives no time');
  await checkBook(t, reader, market('tETHUST'));
  await checkBook(t, reader, market('tBTCF0:USTF0'));
});

t.test('candles', async (t) => {
  await checkCandles(t, reader, market('tBTCUSD'), { turnover: false });
  await checkCandles(t, reader, market('tETHF0:USTF0'), { turnover: false });
});

t.test('refusals', async (t) => {
  await checkUnknown(t, reader, ['all', 'tNOPE:USD'], 500);
  checkRefusals(t, Object.values(bitfinex.apis), simulator.refusals, 'rate_limited');
});
