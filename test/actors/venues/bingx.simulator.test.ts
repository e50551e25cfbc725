/** BingX as it is simulated: what we read is what the model says. */
import t from 'tap';
import { bingx } from '../../../actors/venues/bingx.ts';
import { bingx as simulator } from '../../../scripts/simulator/venues/bingx.ts';
import {
  checkFunding,
  checkMarks,
  checkPrices,
  checkRefusals,
  checkUnknown,
  derivativesOf,
} from '../../support/model-agreement.ts';
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
const reader = new Reader(running, bingx);
const perpetuals = ['linear', 'inverse'] as const;

for (const part of bingx.parts) {
  t.test(`${part}: prices, turnovers and changes`, (t) => checkPrices(t, reader, part));
}

for (const part of perpetuals) {
  t.test(`${part}: mark, index and funding`, async (t) => {
    for (const [market, row] of await derivativesOf(t, reader, part)) {
      checkMarks(t, [market, row]);
      if (part === 'linear') {
        checkFunding(t, [market, row]);
        continue;
      }
      const { next } = market.fundingTimes(now);
      close(t, [row.funding_rate, market.fundingRate(next)], `${market.id} rate`);
      if (row.next_funding !== next) t.fail(`${market.id} next funding`);
      if (row.funding_hours !== null || row.funding_rate_8h !== null) t.fail(market.id);
    }
  });

  t.test(`${part}: open interest`, async (t) => {
    const markets = reader.followed(part);
    const ids = markets.map(({ id }) => id);
    const rows = await reader.rows(t, bingx.feeds.openInterest, part, ids);
    t.strictSame([...rows.keys()], ids);
    for (const market of markets) {
      const [row, base] = [rows.get(market.id), market.openInterest(now)];
      const value = base * market.exact(now);
      // The wire rounds values to cents.
      close(t, [row?.units, base * market.scale], `${market.id} units`, 0.01 / value + 1e-7);
      close(t, [row?.value, value], `${market.id} value`, 0.01 / value + 1e-7);
      t.equal(row?.stated, now);
    }
  });
}

t.test('order books', async (t) => {
  for (const [part, id] of [
    ['spot', 'BTC-USDT'],
    ['linear', 'BTC-USDT'],
    ['linear', '1000PEPE-USDT'],
    ['inverse', 'BTC-USD'],
    ['inverse', 'SOL-USD'],
  ] as const) {
    t.equal(await checkBook(t, reader, reader.market(part, id), 50), now, id);
  }
});

t.test('candles', async (t) => {
  await checkCandles(t, reader, reader.market('spot', 'BTC-USDT'));
  await checkCandles(t, reader, reader.market('linear', '1000PEPE-USDT'), { turnover: false });
  const market = reader.market('inverse', 'BTC-USD');
  const ask = { ...(await reader.ask(t, market)), interval: '1h', limit: 5, now };
  const rows = await reader.page(bingx.queries.candles, ask);
  t.equal(rows.length, 5);
  for (const bar of rows) {
    const truth = market.candle(bar.timestamp, bar.timestamp + 3_600_000, now);
    close(t, [bar.turnover, truth.quantity * 100], 'contracts x 100 USD');
    // Base follows from the mean of four prices, the truth from the volume-weighted one.
    close(t, [bar.volume, truth.base], 'base', 0.01);
  }
});

t.test('refusals', async (t) => {
  for (const part of bingx.parts) await checkUnknown(t, reader, [part, 'NOPE-USD']);
  const [inverse] = bingx.feeds.prices.parts.inverse.requests({ markets: [] });
  const { status, body } = await send(running, bingx, { api: 'rest', path: inverse?.path ?? '' });
  t.match(bingx.apis.rest.fault(status, body), { code: 'refused' }, 'without a timestamp');
  checkRefusals(t, Object.values(bingx.apis), simulator.refusals, 'blocked');
});
