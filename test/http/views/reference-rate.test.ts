/** The reference rate out of readings of prices and of inputs. */
import { createHash } from 'node:crypto';
import t from 'tap';
import type { PriceRow, Reading, ReferenceInput } from '../../../actors/topics/index.ts';
import { Snapshot } from '../../../http/answers/snapshots.ts';
import { referenceRateRoute } from '../../../http/routes/reference-rate.ts';
import { PricesView } from '../../../http/views/prices.ts';
import { ReferenceRateView } from '../../../http/views/reference-rate.ts';
import { FakeClock } from '../../support/clock.ts';
import { now, priceRow } from '../../support/makers.ts';

const reading = <Row>(
  source: string,
  rows: Row[],
  more: Partial<Reading<Row>> = {},
): Reading<Row> => ({
  source,
  part: 'spot',
  asked: now - 50,
  received: now,
  rows,
  ...more,
});

const input = (more: Partial<ReferenceInput> = {}): ReferenceInput => ({
  market: 'BTCUSDT',
  symbol: 'BTC',
  volume: 40,
  variance: 3e-7,
  through: now - 20_000,
  ...more,
});

const row = (price: number, more: Partial<PriceRow> = {}) =>
  priceRow({ price, bid: price - 1, ask: price + 1, ...more });

/** Three exchanges at 100,000, 100,010 and 100,020 dollars. */
function stage() {
  const prices = new PricesView();
  const view = new ReferenceRateView(prices);
  for (const [i, source] of ['a', 'b', 'c'].entries()) {
    prices.accept(reading(source, [row(100_000 + 10 * i)]), now);
    view.accept(reading(source, [input()]));
  }
  const read = (at = now) => {
    view.expire(at);
    const found = view.one('BTC');
    if (found === null) throw new Error('there is no rate');
    return JSON.parse(found.text);
  };
  return { prices, view, read };
}

t.test('the rate, its inputs, and the hash of them', async (t) => {
  const { read } = stage();
  const data = read(now + 800);
  t.match(data, {
    symbol: 'BTC',
    rate: 100_010,
    reason: null,
    method: 'weighted-median',
    as_of: now + 800,
    used: 3,
  });
  t.match(data.venues[0], { exchange: 'a', market: 'BTCUSDT', age_ms: 800, volume_60m_base: 40 });
  const lines = data.venues.map(
    (one: Record<string, unknown>) =>
      `${one.exchange} ${one.market} ${one.price} ${one.weight} ${one.age_ms} ${one.status}\n`,
  );
  t.equal(data.inputs_hash, createHash('sha256').update(lines.join('')).digest('hex'));
});

t.test('prices older than ten seconds are stale, and without three there is no rate', async (t) => {
  const { read } = stage();
  t.equal(read(now + 10_000).rate, 100_010);
  const late = read(now + 10_001);
  t.match(late, { rate: null, used: 0, reason: /0 of 3 markets/ });
  t.ok(late.venues.every(({ status }: { status: string }) => status === 'stale'));
});

t.test('a frozen reading and a market that is held back are suspended', async (t) => {
  const { prices, view, read } = stage();
  prices.accept(reading('d', [row(100_000)], { frozen: true }), now);
  prices.accept(
    reading('e', [row(100_000)], { suspect: [{ market: 'BTCUSDT', symbol: 'BTC' }] }),
    now,
  );
  for (const source of ['d', 'e']) view.accept(reading(source, [input()]));
  t.match(read().venues.slice(3), [
    { exchange: 'd', status: 'suspended', weight: 0 },
    { exchange: 'e', status: 'suspended', weight: 0 },
  ]);
});

t.test('an exchange that was too far stays out until it is near', async (t) => {
  const { prices, view, read } = stage();
  view.accept(reading('d', [input()]));
  const status = (price: number, at: number) => {
    prices.accept(reading('d', [row(price)], { received: at }), at);
    return read(at).venues[3].status;
  };
  t.equal(status(106_000, now + 1), 'outlier');
  t.equal(status(104_000, now + 2), 'outlier');
  t.equal(status(102_000, now + 3), 'used');
  t.equal(status(104_000, now + 4), 'used');
});

t.test('inputs older than a quarter of an hour give no weight', async (t) => {
  const { prices, view, read } = stage();
  const later = now + 900_001;
  for (const source of ['a', 'b', 'c'])
    prices.accept(reading(source, [row(100_000)], { received: later }), later);
  t.match(read(later), { rate: null, venues: [{ status: 'no_volume' }, {}, {}] });
  view.accept(reading('a', [], { received: later }));
  t.equal(read(later).venues.length, 2, 'an exchange that no longer leads in the asset is gone');
});

t.test('each second is announced to those who follow an asset', async (t) => {
  const { view } = stage();
  let changes = 0;
  const end = view.source.listen(['BTC'], () => changes++);
  view.expire(now);
  view.expire(now + 1_000);
  t.equal(changes, 2);
  end();
  view.expire(now + 2_000);
  t.equal(changes, 2);
});

t.test('an asset that no exchange leads in any more has no answer left', async (t) => {
  const { prices, view } = stage();
  view.expire(now);
  const { from } = referenceRateRoute({ prices, clock: new FakeClock(now), referenceRates: view });
  if (!('view' in from)) throw new Error('not from memory');
  t.ok(from.view({ symbol: 'BTC' }) instanceof Snapshot);
  for (const source of ['a', 'b', 'c']) view.accept(reading(source, []));
  view.expire(now + 1_000);
  t.match(from.view({ symbol: 'BTC' }), { error: 'warming_up' });
});

t.test('a client that follows another name of an asset gets its first rate', (t) => {
  const prices = new PricesView();
  const view = new ReferenceRateView(prices);
  const { from } = referenceRateRoute({ prices, clock: new FakeClock(now), referenceRates: view });
  if (!('view' in from)) throw new Error('not from memory');
  let changes = 0;
  from.listen({ symbol: 'xbt' }, () => changes++);
  prices.accept(reading('a', [row(100_000)]), now);
  view.accept(reading('a', [input()]));
  view.expire(now);
  t.equal(changes, 1);
  t.end();
});

t.test('names of assets, and those without a rate', async (t) => {
  const { prices, view } = stage();
  const around = { prices, clock: new FakeClock(now) };
  const early = referenceRateRoute({ ...around, referenceRates: new ReferenceRateView(prices) });
  view.expire(now);
  const { from } = referenceRateRoute({ ...around, referenceRates: view });
  if (!('view' in from) || !('view' in early.from)) throw new Error('not from memory');
  t.match(early.from.view({ symbol: 'BTC' }), { error: 'warming_up' });
  const [asset, pair] = ['btc', 'BTC-USDT'].map((symbol) => from.view({ symbol }));
  t.ok(asset instanceof Snapshot && pair instanceof Snapshot && asset.etag === pair.etag);
  t.match(from.view({ symbol: 'nosuch' }), { error: 'unknown_symbol', message: /NOSUCH/ });
});
