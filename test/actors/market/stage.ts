/** The source on a bus in memory, its jobs done by hand at the times of a clock that the test moves; upstreams are functions. */

import { pino } from 'pino';
import { type Failure, failed, success } from '../../../actors/failure.ts';
import { marketSource } from '../../../actors/market/source.ts';
import { Tickers } from '../../../actors/market/tickers.ts';
import type { JobContext } from '../../../actors/sources/context.ts';
import type { Job } from '../../../actors/sources/job.ts';
import { SourceStatus } from '../../../actors/sources/status/status.ts';
import { NewestRows } from '../../../actors/state/newest-rows.ts';
import type { FeedStatus, OpenInterestRow, PriceRow, Topic } from '../../../actors/topics/index.ts';
import type { UpstreamRequest } from '../../../actors/upstream/request.ts';
import { FakeClock } from '../../support/clock.ts';
import { createHistory } from '../../support/history.ts';
import { memoryBus } from '../../support/memory-bus.ts';
import { silentBus } from '../../support/queries.ts';
import { now } from './fixtures.ts';
import { mustFit } from './must-fit.ts';

/** What an upstream answers: a body, or a failure by its code. */
export type Upstream = (request: UpstreamRequest) => unknown;
const unavailable = failed('unavailable', 'down').failure;
export const down: Upstream = () => unavailable;

const isFailure = (value: unknown): value is Failure =>
  typeof value === 'object' && value !== null && 'code' in value && 'message' in value;

const venues = new Set('okx bybit bitget gate bitfinex deribit binance kucoin'.split(' '));

/** A stage of its own. */
export function marketStage() {
  const bus = memoryBus();
  const clock = new FakeClock(now);
  const history = createHistory(clock);
  const upstreams = new Map<string, Upstream>();
  const asked: string[] = [];
  const published: string[] = [];
  const statuses = new Map<string, FeedStatus>();
  const newest = new NewestRows();
  const tickers = new Tickers(newest);
  const client: JobContext['client'] = (id) => ({
    async send(request) {
      asked.push(`${id} ${request.path}`);
      const body = (upstreams.get(id) ?? down)(request);
      if (isFailure(body)) return { ok: false, failure: body };
      return success({ body, asked: clock.now(), received: clock.now() });
    },
    state: () => {
      throw new Error('not asked here');
    },
  });
  const stage = {
    clock,
    bus,
    upstreams,
    asked,
    published,
    statuses,
    newest,
    tickers,
    client,
    /** Redis refuses writes and reads. */
    deaf: false,
    /** No history process answers. */
    alone: false,
    /** A process that takes the source over: its jobs by name. */
    begin() {
      const status = new SourceStatus({
        source: 'market-wide',
        clock,
        publish: (row) => void statuses.set(`${row.topic}/${row.part}`, row),
      });
      status.adopt([...statuses.values()]);
      const context: JobContext = {
        clock,
        log: pino({ level: 'silent' }),
        client,
        status,
        async publish(topic, key, value) {
          if (stage.deaf) return failed('unavailable', 'deaf').failure;
          published.push(`${topic} ${key}`);
          mustFit(topic, value);
          return (await bus.publish(topic, key, value)) === 'published' ? null : unavailable;
        },
        last: async (topic, key) => (stage.deaf ? undefined : bus.lastOf(topic, key)),
        query: (query) => (stage.alone ? silentBus : history).query(query),
      };
      const jobs = marketSource({ tickers, venues }).jobs(context);
      const find = (name: string): Job => {
        const found = jobs.find((job) => job.name === name);
        if (!found) throw new Error(`no job ${name}`);
        return found;
      };
      return {
        names: jobs.map((job) => job.name),
        context,
        /** One round. */
        run: (name: string) =>
          find(name).run({ now: clock.now(), signal: new AbortController().signal }),
        waits: async (name: string) =>
          (await find(name).wait?.(clock.now(), new AbortController().signal)) ?? 0,
      };
    },
    /** Exchanges publish prices of spot and perpetual markets. */
    tell(rows: readonly PriceRow[], source = 'binance', part = 'spot') {
      const at = clock.now();
      newest.accept('prices', { source, part, asked: at, received: at, rows: [...rows] });
    },
    tellInterest(rows: readonly OpenInterestRow[], source = 'binance', part = 'linear') {
      const at = clock.now();
      newest.accept('openInterest', { source, part, asked: at, received: at, rows: [...rows] });
    },
    reading: (key: string) => bus.lastOf('marketIndicators', key),
    chart: (key: string) => bus.lastOf('indicatorHistories', key),
    series: (key: string) => bus.lastOf('series', key),
    history,
    count: (topic: Topic, key: string) =>
      published.filter((each) => each === `${topic} ${key}`).length,
  };
  return stage;
}

export type Stage = ReturnType<typeof marketStage>;
