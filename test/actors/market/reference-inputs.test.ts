/** What the reference rate weighs by: 60 minutes of candles, asked for in turn. */
import t from 'tap';
import { failed, success } from '../../../actors/failure.ts';
import { inputOf, referenceSource } from '../../../actors/market/reference-inputs.ts';
import type { JobContext } from '../../../actors/sources/context.ts';
import { SourceStatus } from '../../../actors/sources/status/status.ts';
import { MarketState } from '../../../actors/state/market-state.ts';
import { NewestRows } from '../../../actors/state/newest-rows.ts';
import type { Candle, Query } from '../../../actors/topics/index.ts';
import { createLogger } from '../../../config/log.ts';
import { minute } from '../../../config/time.ts';
import { FakeClock } from '../../support/clock.ts';
import { priceRow } from '../../support/makers.ts';

const hourStart = 1_790_002_800_000;
const now = hourStart + 60 * minute + 12_345;
const market = { market: 'BTCUSDT', symbol: 'BTC' };

const candle = (timestamp: number, close: number, volume: number): Candle => ({
  ...{ timestamp, close, volume, open: close, high: close, low: close },
  turnover: null,
  closed: timestamp + minute <= now,
});

t.test('the sixty minutes that are over, and nothing of the one that runs', async (t) => {
  // From 100 to 110 to 100 and so on, a minute each; the minutes before and after are worth millions.
  const candles = Array.from({ length: 60 }, (_, i) =>
    candle(hourStart + i * minute, i % 2 === 0 ? 110 : 100, 2),
  );
  const before = candle(hourStart - minute, 100, 1e6);
  const running = candle(hourStart + 60 * minute, 500, 1e6);
  const found = inputOf(market, [before, ...candles, running], now);
  t.equal(found?.volume, 120);
  t.equal(found?.through, hourStart + 60 * minute);
  // Sixty returns of ±ln 1.1, half of each: mean 0.
  const expected = (60 * Math.log(1.1) ** 2) / 59;
  t.ok(Math.abs((found?.variance ?? 0) / expected - 1) < 1e-9);
});

t.test('minutes without a trade have the close before them', async (t) => {
  const found = inputOf(market, [candle(hourStart + 30 * minute, 100, 3)], now);
  t.match(found, { volume: 3, variance: 0 });
  t.equal(inputOf(market, [], now), null);
  t.equal(
    inputOf(market, [candle(hourStart + 60 * minute, 5, 1)], now),
    null,
    'only a running one',
  );
});

function stage() {
  const clock = new FakeClock(now);
  const newest = new NewestRows();
  const asked: string[] = [];
  const published: object[] = [];
  const query = async ({ source, params }: Query<'candles'>) => {
    asked.push(`${source} ${params.market} ${params.kind} ${params.interval} ${params.limit}`);
    if (source === 'gone') return failed('network', 'away');
    const candles = [candle(hourStart + 59 * minute, 100, 7)];
    const value = {
      market: params.market,
      kind: null,
      quote: null,
      candles,
      received: clock.now(),
    };
    return success({ value, received: clock.now(), until: 0 });
  };
  const context: JobContext = {
    clock,
    log: createLogger({ logLevel: 'silent' }, 'test'),
    status: new SourceStatus({ source: 'reference-rate', clock, publish: () => {} }),
    publish: async (topic, key, value) => {
      published.push({ topic, key, value });
      return null;
    },
    last: async () => undefined,
    query: query as never,
    client: () => {
      throw new Error('no client is needed');
    },
  };
  const exchanges = ['there', 'gone'];
  const [job] = referenceSource({ market: new MarketState(newest), exchanges }).jobs(context);
  if (!job) throw new Error('there is no job');
  const list = () => {
    for (const source of exchanges) {
      const at = { asked: clock.now(), received: clock.now() };
      const rows = [
        priceRow({ market: 'BTC-spot' }),
        priceRow({ market: 'BTC-perp', kind: 'perpetual' }),
      ];
      newest.accept('prices', { source, part: 'all', rows, ...at });
    }
  };
  const run = () => job.run({ now: clock.now(), signal: new AbortController().signal });
  return { clock, asked, published, job, list, run };
}

t.test(
  'the leading spot market of each exchange is asked; one that fails does not matter',
  async (t) => {
    const { clock, asked, published, job, list, run } = stage();
    t.equal(await run(), null);
    t.strictSame(asked, [], 'the first run returns at once: readiness waits for it');
    t.equal(await run(), null);
    t.equal(job.pause?.(), 3_000, 'nothing is listed yet');
    list();
    const running = run();
    await clock.advance(5_000);
    t.equal(await running, null);
    const gone = 'gone BTC-spot spot 1m 62';
    t.strictSame(asked, ['there BTC-spot spot 1m 62', gone, gone], 'the failed one once more');
    t.match(published, [
      {
        topic: 'referenceInputs',
        key: 'there',
        value: {
          source: 'there',
          part: 'spot',
          rows: [{ market: 'BTC-spot', symbol: 'BTC', volume: 7 }],
        },
      },
    ]);
    t.equal(job.pause?.(), 60_000, 'others may become known');
    const next = run();
    await clock.advance(5_000);
    await next;
    t.equal(job.pause?.(), 300_000);
  },
);
