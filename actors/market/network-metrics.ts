/** Metrics of Bitcoin's and Ethereum's networks by day, as Coin Metrics states them, with their licence. */
import { hour } from '../../config/time.ts';
import { dayAt, dayLength } from '../../indicators/market/days.ts';
import {
  metricsPoint,
  type NetworkDay,
  networkMetrics,
} from '../../indicators/market/network-metrics.ts';
import { firstRefusal, rules } from '../../indicators/market/plausible.ts';
import { coinmetrics } from '../providers/coinmetrics.ts';
import type { Job } from '../sources/job.ts';
import { firstOf } from '../sources/polling/ask.ts';
import { licence } from '../topics/indicators/network-metrics.ts';
import { mostHistory } from '../topics/market-indicators.ts';
import { type Market, remaining } from './context.ts';

const name = 'network-metrics';
/** A day comes about two days after its end. */
const every = 6 * hour;
/** Age of the newest day beyond which an answer is not used, ms. */
const oldest = 10 * dayLength;

function doubtOf(days: readonly NetworkDay[], now: number): string | null {
  const known = days.flatMap(({ mvrv }) => mvrv ?? []);
  const newest = days.findLast(({ mvrv }) => mvrv !== null)?.day ?? 0;
  if (newest > now) return 'the newest day is yet to come';
  if (now - newest > oldest) return 'the newest day is older than ten days';
  return firstRefusal(known, null, rules.mvrv)?.why ?? null;
}

function metricsJob({ context, charts }: Market, symbol: 'BTC' | 'ETH'): Job {
  const key = `${name}/${symbol}`;
  const job = `${name}-${symbol.toLowerCase()}`;
  return {
    name: job,
    every,
    wait: (now) => remaining(context, { job, key, every }, now),
    async run({ now, signal }) {
      const plan = { items: [symbol], from: dayAt(now) - mostHistory * dayLength };
      const candidate = {
        upstream: coinmetrics.id,
        poll: coinmetrics.polls.days,
        plan,
        doubt: (days: readonly NetworkDay[]) => doubtOf(days, now),
      };
      const found = await firstOf(context, job, [candidate], { signal });
      if (!found.ok) return found.failure;
      const { rows, source, received } = found.value;
      const newest = networkMetrics(rows);
      if (newest === null) return null;
      return charts.publish({
        key,
        reading: {
          name,
          fields: { symbol, ...newest.fields, ...licence },
          source,
          updated_at: newest.day + dayLength,
          received_at: received,
          live: null,
        },
        every,
        rows: rows.map(metricsPoint),
        recordedFrom: null,
      });
    },
  };
}

export const metricsJobs = (at: Market): Job[] => [metricsJob(at, 'BTC'), metricsJob(at, 'ETH')];
