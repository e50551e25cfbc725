/** The source of what reference rates weigh markets by: 60 one-minute candles of each leading spot market. */
import { minute } from '../../config/time.ts';
import { varianceOf } from '../../indicators/market/reference-rate.ts';
import { type Failure, failed } from '../failure.ts';
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

/** Between two rounds, and how long an input is good for, ms: volumes of an hour change slowly. */
const every = minute;
const life = 5 * minute;
/** Tracked assets that have a reference rate. */
const assets = 30;
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

/** Whether a market is to be asked: its input is five minutes old, or of another market, or there is none. */
const isDue = (input: ReferenceInput | undefined, { market }: LeadingMarket, now: number) =>
  input === undefined || input.market !== market || now - input.through >= life;

/** Each answer is published as it comes. A market that has failed is asked again a minute later, the others when they are due. */
function inputsJob(options: ReferenceInputsOptions, { clock, publish, query }: JobContext): Job {
  /** Of each exchange, by symbol. */
  const known = new Map<string, Map<string, ReferenceInput>>();
  const ask = async (
    source: string,
    target: LeadingMarket,
    leading: readonly LeadingMarket[],
  ): Promise<Failure | null> => {
    const { market, kind, symbol } = target;
    const params = { market, kind, interval: '1m', limit: minutes + 2 } as const;
    const asked = clock.now();
    const reply = await query({ source, name: 'candles', params });
    if (!reply.ok) return reply.failure;
    if (reply.value.stale) return failed('unavailable', 'the candles are old').failure;
    const received = clock.now();
    const input = inputOf(target, reply.value.value.candles, received);
    if (input === null) return failed('shape', 'no candles').failure;
    const own = known.get(source) ?? new Map<string, ReferenceInput>();
    known.set(source, own.set(symbol, input));
    const rows = leading.flatMap((one) => own.get(one.symbol) ?? []);
    await publish('referenceInputs', source, { source, part: 'spot', asked, received, rows });
    return null;
  };
  return roundsJob({
    name: 'inputs',
    every,
    async round({ now, signal }) {
      const leading = leadingMarkets({ ...options, assets, kinds: ['spot'] }, now);
      const due = new Map<string, LeadingMarket[]>();
      for (const [source, markets] of leading) {
        const own = markets.filter((one) => isDue(known.get(source)?.get(one.symbol), one, now));
        if (own.length > 0) due.set(source, own);
      }
      const { failure } = await askRound(due, {
        clock,
        signal,
        ask: (source, target) => ask(source, target, leading.get(source) ?? []),
      });
      const asked = [...leading.values()].reduce((sum, markets) => sum + markets.length, 0);
      return { asked, failure };
    },
  });
}

/** The source `reference-rate`. */
export const referenceSource = (options: ReferenceOptions): JobSource => ({
  id: 'reference-rate',
  jobs: (context) => [inputsJob(options, context), fixingsJob(options, context)],
});
