/** Sources behind real leases on a real Redis: another process goes on where one has ended. */
import t from 'tap';
import { createBus } from '../../../actors/bus/bus.ts';
import { defiSources } from '../../../actors/defi/sources.ts';
import { success } from '../../../actors/failure.ts';
import { systemClock } from '../../../actors/kernel/clock.ts';
import type { DefiReading, FeedStatus } from '../../../actors/topics/index.ts';
import { createLogger } from '../../../config/log.ts';
import { noMarkets } from '../../support/markets.ts';
import { startRedis } from '../../support/redis.ts';
import { runAlone } from '../../support/run-alone.ts';
import { until } from '../../support/until.ts';
import { inline, stage } from './stage.ts';

/** Rows of `/v1/status`: source, job and source. */
const sources = [
  'yields/lending/llama-yields',
  'yields/lendingTvl/llama-protocols',
  'yields/uniswap/llama-yields',
  'raydium/raydium/raydium',
  'orca/orca/orca',
  'stablecoins/stablecoins/llama-stablecoins',
];

t.test('what one process published outlives it, its sources and the next process', async (t) => {
  const redis = await startRedis();
  const { client: slow, faults, seen } = await stage(t);
  // The simulator's clock stands still; leases and jobs need one that goes on.
  const client: typeof slow = (upstream) => ({
    async send(request, options) {
      const result = await slow(upstream).send(request, options);
      const at = systemClock.now();
      return result.ok ? success({ ...result.value, asked: at, received: at }) : result;
    },
    state: (api) => slow(upstream).state(api),
  });
  const log = createLogger({ logLevel: 'silent' }, 'test');
  const process = (name: string) => {
    const bus = createBus({ url: redis.url, process: name, clock: systemClock, log });
    const context = { bus, clock: systemClock, random: Math.random, log, process: name, client };
    const markets = noMarkets();
    const sources = defiSources(inline);
    const running = sources.map((source) => runAlone(source, { ...context, ...markets }));
    const readings = new Map<string, DefiReading>();
    const statuses = new Map<string, FeedStatus[]>();
    const following = bus.follow({
      defi: (figure, reading) => void readings.set(figure, reading),
      status: (key, status) => void statuses.set(key, [...(statuses.get(key) ?? []), status]),
    });
    const stop = async () => {
      await Promise.all(running.map((context) => context.stop()));
      await following.stop();
      await bus.close();
    };
    return { readings, statuses, stop };
  };

  const one = process('one');
  let two: ReturnType<typeof process> | null = null;
  t.teardown(async () => {
    await two?.stop();
    await redis.stop();
  });
  await until(() => one.readings.size === 6, 'every figure is published');
  await one.stop();
  const asked = seen.length;
  faults.set([{ host: '*', kind: 'server_error' }]);
  two = process('two');
  const { readings, statuses } = two;
  await until(() => readings.size === 6, 'the other process reads them');
  // The first status of each is what the other left, the next is its own.
  const resumed = (key: string) => {
    const [, ...own] = statuses.get(key) ?? [];
    return own.length > 0 && own.every(({ state }) => state === 'up');
  };
  await until(() => sources.every(resumed), 'it goes on with them');
  t.strictSame([...readings].sort(), [...one.readings].sort());
  t.equal(seen.length, asked, 'nothing that is known is asked for again');
});
