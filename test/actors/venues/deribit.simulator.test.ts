import t from 'tap';
import { deribit } from '../../../actors/venues/deribit.ts';
import { deribit as simulator } from '../../../scripts/simulator/venues/deribit.ts';
import { checkRefusals, checkUnknown } from '../../support/model-agreement.ts';
import {
  checkBook,
  checkCandles,
  close,
  now,
  Reader,
  send,
  simulated,
} from '../../support/simulated-venue.ts';

const running = await simulated(simulator);
t.teardown(() => running.close());
const reader = new Reader(running, deribit);

t.test('prices and turnovers are those of the model', async (t) => {
  for (const part of deribit.parts) {
    const rows = await reader.rows(t, deribit.feeds.prices, part);
    const followed = reader.followed(part);
    t.same([...rows.keys()].sort(), followed.map((m) => m.id).sort(), part);
    for (const { id, kind } of followed) {
      const truth = running.model.truth('deribit', id, kind);
      const row = rows.get(id);
      if (!truth || !row) throw new Error(id);
      close(t, [row.price, truth.price], `${id} price`);
      const { close: last, turnover, base } = running.model.last24h(reader.market(part, id), now);
      // Spot rows have no turnover: base times last.
      const dollars = truth.priceUsd / truth.price;
      const volume = part === 'spot' ? base * last * dollars : truth.volumeUsd;
      close(t, [(row.volume ?? 0) * dollars, volume], `${id} volume`, 1e-6);
      close(t, [volume / (turnover * dollars), 1], `${id} turnover`, 0.1);
      t.equal(row.symbol, truth.symbol);
      t.equal(row.stated, now);
    }
  }
});

t.test('mark, index, funding, open interest', async (t) => {
  for (const part of ['linear', 'inverse'] as const) {
    const derivatives = await reader.rows(t, deribit.feeds.derivatives, part);
    const interests = await reader.rows(t, deribit.feeds.openInterest, part);
    for (const market of reader.followed(part)) {
      const { id, scale } = market;
      const row = derivatives.get(id);
      close(t, [row?.mark, market.exact(now) / scale], `${id} mark`, 1e-5);
      close(t, [row?.index, market.index(now) / scale], `${id} index`, 1e-5);
      const rate = market.fundingRate(Math.floor(now / 3_600_000) * 3_600_000);
      const per8h = (rate * 8) / market.fundingHours;
      close(t, [row?.funding_rate_8h, per8h], `${id} funding`, 1e-6);
      t.match(row, { funding_hours: 8, next_funding: null });
      const interest = interests.get(id);
      const units = market.openInterest(now) * scale;
      close(t, [interest?.units, units], `${id} units`, 1e-5);
      close(t, [interest?.value, (units * market.exact(now)) / scale], `${id} value`, 1e-5);
    }
    t.equal(derivatives.size, reader.followed(part).length);
    t.equal(interests.size, reader.followed(part).length);
  }
});

t.test('order books', async (t) => {
  await checkBook(t, reader, reader.market('spot', 'BTC_USDC'), 50);
  await checkBook(t, reader, reader.market('linear', '1000PEPE_USDC-PERPETUAL'));
  const stated = await checkBook(t, reader, reader.market('inverse', 'BTC-PERPETUAL'), 50);
  t.equal(stated, now);
});

t.test('candles', async (t) => {
  await checkCandles(t, reader, reader.market('spot', 'ETH_USDC'));
  await checkCandles(t, reader, reader.market('linear', '1000PEPE_USDC-PERPETUAL'));
  await checkCandles(t, reader, reader.market('inverse', 'BTC-PERPETUAL'));
});

t.test('refusals', async (t) => {
  await checkUnknown(t, reader, ['inverse', 'NOPE-PERPETUAL'], 400);
  const request = { api: 'rest', path: '/api/v2/public/get_book_summary_by_currency' };
  const refused = await send(running, deribit, { ...request, query: { currency: 'any' } });
  t.match(deribit.apis.rest.fault(refused.status, refused.body), { code: 'refused' });
  checkRefusals(t, Object.values(deribit.apis), simulator.refusals, 'rate_limited');
});
