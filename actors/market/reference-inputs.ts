/** The source of what reference rates weigh markets by: 60 one-minute candles of each leading spot market. */
import { minute } from '../../config/time.ts';
import { varianceOf } from '../../indicators/market/reference-rate.ts';
import { type Failure, failed } from '../failure.ts';
import { sleep } from '../kernel/clock.ts';
import type { JobContext, JobSource } from '../sources/context.ts';
import type { Job } from '../sources/job.ts';
import {
  askRound,
  type LeadingMarket,
  type LeadingOptions,
  leadingMarkets,
  roundsJob,
} from '../sources/leading-markets.ts';
import type { Candle, ReferenceInput } from '../topics/index.ts';
import { type FixingOptions, fixingsJob } from './fixings.ts';

/** Between two rounds, ms: volumes of an hour change slowly. */
const every = 5 * minute;
/** Tracked assets that have a reference rate. */
const assets = 30;
/** Before a market that has failed is asked once more, ms: the next round is far. */
const retryAfter = 5_000;
/** Minutes of a volume and a variance. */
const minutes = 60;

type ReferenceInputsOptions = Pick<LeadingOptions, 'market' | 'exchanges'>;
export type ReferenceOptions = ReferenceInputsOptions & FixingOptions;

/**
 * The volume and variance of the 60 minutes before `now` (Unix ms) out of candles, ascending. Minutes without a candle had no
 * trade: their close is the one before. Null without candles that are over.
 */
export function inputOf(
  { market, symbol }: Pick<LeadingMarket, 'market' | 'symbol'>,
  candles: readonly Candle[],
  now: number,
): ReferenceInput | null {
  const through = Math.floor(now / minute) * minute;
  const from = through - minutes * minute;
  const over = candles.filter(({ timestamp }) => timestamp < through);
  const byMinute = new Map(over.map((candle) => [candle.timestamp, candle]));
  let last = over.findLast(({ timestamp }) => timestamp < from)?.close ?? over[0]?.open;
  if (last === undefined) return null;
  const closes = [last];
  let volume = 0;
  for (let at = from; at < through; at += minute) {
    const candle = byMinute.get(at);
    last = candle?.close ?? last;
    volume += candle?.volume ?? 0;
    closes.push(last);
  }
  return { market, symbol, volume, variance: varianceOf(closes) ?? 0, through };
}

function inputsJob(options: ReferenceInputsOptions, { clock, publish, query }: JobContext): Job {
  /** Of each exchange, by symbol. */
  const known = new Map<string, Map<string, ReferenceInput>>();
  const ask = async (exchange: string, target: LeadingMarket): Promise<Failure | null> => {
    const { market, kind } = target;
    const params = { market, kind, interval: '1m', limit: minutes + 2 } as const;
    const reply = await query({ source: exchange, name: 'candles', params });
    if (!reply.ok) return reply.failure;
    if (reply.value.stale) return failed('unavailable', 'the candles are old').failure;
    const input = inputOf(target, reply.value.value.candles, clock.now());
    if (input === null) return failed('shape', 'no candles').failure;
    const own = known.get(exchange) ?? new Map<string, ReferenceInput>();
    known.set(exchange, own.set(target.symbol, input));
    return null;
  };
  const done = async (source: string, targets: readonly LeadingMarket[], asked: number) => {
    const own = known.get(source);
    if (own === undefined) return;
    const asking = new Set(targets.map(({ symbol }) => symbol));
    for (const symbol of own.keys()) if (!asking.has(symbol)) own.delete(symbol);
    const rows = [...own.values()];
    await publish('referenceInputs', source, {
      source,
      part: 'spot',
      asked,
      received: clock.now(),
      rows,
    });
  };
  return roundsJob({
    name: 'inputs',
    every,
    round: ({ now, signal }) =>
      askRound(leadingMarkets({ ...options, assets, kinds: ['spot'] }, now), {
        clock,
        signal,
        ask: async (exchange, target) => {
          if ((await ask(exchange, target)) === null) return null;
          await sleep(clock, retryAfter);
          return ask(exchange, target);
        },
        done,
      }),
  });
}

/** The source `reference-rate`. */
export const referenceSource = (options: ReferenceOptions): JobSource => ({
  id: 'reference-rate',
  jobs: (context) => [inputsJob(options, context), fixingsJob(options, context)],
});
