/** What the reference rate weighs by: 60 minutes of candles, asked for in turn. */
import t from 'tap';
import { failed, success } from '../../../actors/failure.ts';
import { sleep } from '../../../actors/kernel/clock.ts';
import { inputOf, referenceSource } from '../../../actors/market/reference-inputs.ts';
import type { JobContext } from '../../../actors/sources/context.ts';
import { SourceStatus } from '../../../actors/sources/status/status.ts';
import { MarketState } from '../../../actors/state/market-state.ts';
import { NewestRows } from '../../../actors/state/newest-rows.ts';
import type { Candle, Query, Reading, ReferenceInput } from '../../../actors/topics/index.ts';
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

/** An exchange with three markets; `answers` says how long each takes, ms, or that it fails. */
function stage(answers: Record<string, number | 'fails'>) {
  const clock = new FakeClock(now);
  const newest = new NewestRows();
  const asked: string[] = [];
  const published: string[] = [];
  const query = async ({ source, params }: Query<'candles'>) => {
    asked.push(`${params.market} ${params.kind} ${params.interval} ${params.limit}`);
    const answer = answers[params.market] ?? 0;
    if (answer === 'fails') return failed('network', `${source} is away`);
    await sleep(clock, answer);
    const through = Math.floor(clock.now() / minute) * minute;
    const candles = [candle(through - minute, 100, 7)];
    const about = { market: params.market, kind: null, quote: null, received: clock.now() };
    return success({ value: { ...about, candles }, received: clock.now(), until: 0 });
  };
  const context: JobContext = {
    clock,
    log: createLogger({ logLevel: 'silent' }, 'test'),
    status: new SourceStatus({ source: 'reference-rate', clock, publish: () => {} }),
    publish: async (topic, key, value) => {
      const { rows } = value as Reading<ReferenceInput>;
      published.push(`${topic} ${key} ${rows.map((row) => `${row.market}:${row.volume}`)}`);
      return null;
    },
    last: async () => undefined,
    query: query as never,
    client: () => {
      throw new Error('no client is needed');
    },
  };
  const [job] = referenceSource({ market: new MarketState(newest), exchanges: ['x'] }).jobs(
    context,
  );
  if (!job) throw new Error('there is no job');
  const list = () => {
    const at = { asked: clock.now(), received: clock.now() };
    const rows = ['BTC', 'ETH', 'SOL'].flatMap((symbol, rank) =>
      (['spot', 'perpetual'] as const).map((kind) =>
        priceRow({ symbol, kind, market: `${symbol}-${kind}`, volume: 1_000 - rank }),
      ),
    );
    newest.accept('prices', { source: 'x', part: 'all', rows, ...at });
  };
  const run = () => job.run({ now: clock.now(), signal: new AbortController().signal });
  /** What was asked, and published, since the last call. */
  const taken = () => [asked.splice(0), published.splice(0)];
  return { clock, job, list, run, taken };
}

const asks = (...symbols: string[]) => symbols.map((symbol) => `${symbol}-spot spot 1m 62`);

t.test('inputs are published as they come, while other markets are still asked', async (t) => {
  const { clock, job, list, run, taken } = stage({ 'ETH-spot': 40_000 });
  t.equal(await run(), null);
  t.strictSame(taken(), [[], []], 'the first run returns at once: readiness waits for it');
  t.equal(await run(), null);
  t.equal(job.pause?.(), 3_000, 'nothing is listed yet');
  list();
  const running = run();
  await clock.advance(20_000);
  t.strictSame(taken(), [asks('BTC', 'ETH'), ['referenceInputs x BTC-spot:7']]);
  await clock.advance(60_000);
  t.equal(await running, null);
  t.strictSame(taken(), [
    asks('SOL'),
    [
      'referenceInputs x BTC-spot:7,ETH-spot:7',
      'referenceInputs x BTC-spot:7,ETH-spot:7,SOL-spot:7',
    ],
  ]);
});

t.test('a market that failed is asked again after a minute, the others after five', async (t) => {
  const answers: Parameters<typeof stage>[0] = { 'ETH-spot': 'fails' };
  const { clock, job, list, run, taken } = stage(answers);
  list();
  await run();
  const round = async () => {
    const running = run();
    await clock.advance(20_000);
    t.equal(await running, null);
    t.equal(job.pause?.(), minute);
    await clock.advance(minute);
    return taken();
  };
  const both = ['referenceInputs x BTC-spot:7', 'referenceInputs x BTC-spot:7,SOL-spot:7'];
  t.strictSame(await round(), [asks('BTC', 'ETH', 'SOL'), both]);
  answers['ETH-spot'] = 0;
  const all = 'referenceInputs x BTC-spot:7,ETH-spot:7,SOL-spot:7';
  t.strictSame(await round(), [asks('ETH'), [all]]);
  t.strictSame(await round(), [[], []]);
  t.strictSame(await round(), [[], []]);
  t.strictSame(await round(), [asks('BTC', 'SOL'), [all, all]]);
});
