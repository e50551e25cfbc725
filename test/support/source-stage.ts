/** A source at work in memory, under a clock that the test moves. */
import type { Test } from 'tap';
import { failed, type Result, success } from '../../actors/failure.ts';
import type { JobSource } from '../../actors/sources/context.ts';
import type { FeedStatus, Topic, Topics } from '../../actors/topics/index.ts';
import type { HttpClient } from '../../actors/upstream/client.ts';
import type { UpstreamRequest } from '../../actors/upstream/request.ts';
import { createLogger } from '../../config/log.ts';
import { FakeClock } from './clock.ts';
import { noMarkets } from './markets.ts';
import { memoryBus } from './memory-bus.ts';
import { runAlone } from './run-alone.ts';

/** What an upstream answers: the body, or why there is none. */
export type Reply = (upstream: string, request: UpstreamRequest) => Result<unknown>;

export interface SourceStage {
  clock: FakeClock;
  /** Requests so far, as `upstream path`. */
  asked: string[];
  /** Statuses as `job/source` has them now. */
  statuses: Map<string, FeedStatus>;
  /** Everything that was published on a topic but `status`, in order. */
  published: { topic: Topic; key: string; value: unknown }[];
  /** The last value of a key. */
  last<T extends Topic>(topic: T, key: string): Topics[T] | undefined;
  /** Publishing fails from now on, or works again. */
  redis: { up: boolean };
  /** Ends what runs and starts the source again, as another process would. */
  restart(): Promise<void>;
}

/** Starts the source; it ends with the test. */
export async function sourceStage(
  t: Test,
  source: JobSource,
  {
    reply = () => failed('network', 'no reply'),
    clock = new FakeClock(),
    random = () => 0,
  }: { reply?: Reply; clock?: FakeClock; random?: () => number } = {},
): Promise<SourceStage> {
  const asked: string[] = [];
  const statuses = new Map<string, FeedStatus>();
  const published: SourceStage['published'] = [];
  const lasting = new Map<string, unknown>();
  const redis = { up: true };
  const bus = memoryBus(clock, (topic, key, value) => {
    if (!redis.up) return 'unavailable';
    lasting.set(`${topic}/${key}`, structuredClone(value));
    if (topic !== 'status') published.push({ topic, key, value });
    else {
      const status = value as FeedStatus;
      statuses.set(`${status.topic}/${status.part}`, status);
    }
    return undefined;
  });
  const last = <T extends Topic>(topic: T, key: string) =>
    lasting.get(`${topic}/${key}`) as Topics[T] | undefined;
  const client = (upstream: string): Pick<HttpClient, 'send' | 'state'> => ({
    async send(request) {
      asked.push(`${upstream} ${request.path}`);
      const found = reply(upstream, request);
      if (!found.ok) return found;
      return success({ body: found.value, asked: clock.now(), received: clock.now() });
    },
    state: () => ({ breaker: 'closed', pausedUntil: null, host: '' }),
  });
  const log = createLogger({ logLevel: 'silent' }, 'test');
  const markets = noMarkets();
  const begin = () =>
    runAlone(source, {
      ...markets,
      bus,
      client,
      clock,
      random,
      log,
      process: `test-${asked.length}`,
    });
  let running = begin();
  await clock.advance(1);
  const stop = async () => {
    const stopped = running.stop();
    await clock.advance(20_000);
    await stopped;
  };
  t.teardown(stop);
  const restart = async () => {
    await stop();
    running = begin();
    await clock.advance(1);
  };
  return { clock, asked, statuses, published, last, redis, restart };
}
