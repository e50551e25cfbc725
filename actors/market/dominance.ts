/** Bitcoin's share of the market: one series per source, of which the one that answered last is served. */
import { hour, minute } from '../../config/time.ts';
import { dayLength } from '../../indicators/market/days.ts';
import {
  type DominancePoint,
  dominance,
  impliedSupplyDoubt,
} from '../../indicators/market/dominance.ts';
import { plausible, rules } from '../../indicators/market/plausible.ts';
import type { GlobalRow } from '../../indicators/market/rows.ts';
import { coingecko } from '../providers/coingecko.ts';
import { coinlore } from '../providers/coinlore.ts';
import { coinpaprika } from '../providers/coinpaprika.ts';
import { optional, required } from '../read.ts';
import type { Poll } from '../sources/define.ts';
import type { Job } from '../sources/job.ts';
import { type Candidate, firstOf } from '../sources/polling/ask.ts';
import { type Market, remaining } from './context.ts';
import { ChartRecord } from './records.ts';

const name = 'bitcoin-dominance';
const every = 5 * minute;
/** Age of an aggregator's own time beyond which its data is outdated, ms. */
const stopped = hour;

const sources: readonly { id: string; poll: Poll<GlobalRow> }[] = [
  { id: coingecko.id, poll: coingecko.polls.global },
  { id: coinpaprika.id, poll: coinpaprika.polls.global },
  { id: coinlore.id, poll: coinlore.polls.global },
];

const columns = { dominance_pct: required };

/** The recorded shares of each source. */
export class Shares {
  readonly #at: Market;
  readonly #recorders: ReadonlyMap<string, ChartRecord<typeof columns>>;

  constructor(at: Market) {
    this.#at = at;
    const recorder = (id: string) =>
      new ChartRecord(at, { key: `${name}/${id}`, columns, step: hour });
    this.#recorders = new Map(sources.map(({ id }) => [id, recorder(id)]));
  }

  /** Throws for a source that is none. */
  of(source: string): ChartRecord<typeof columns> {
    const found = this.#recorders.get(source);
    if (!found) throw new Error(`${name}: no series of ${source}`);
    return found;
  }

  /** Those of the source that is served now; none before the first answer. */
  async served(): Promise<readonly DominancePoint[]> {
    const reading = await this.#at.context.last('marketIndicators', name);
    const recorder = this.#recorders.get([reading?.source ?? ''].flat()[0] ?? '');
    return recorder ? recorder.rows() : [];
  }
}

/** The last accepted values, of any source, while they are not older than a day. */
async function lastAccepted({ context }: Market, now: number) {
  const reading = await context.last('marketIndicators', name);
  const fields = reading && now - reading.received_at < dayLength ? reading.fields : null;
  return { share: optional(fields?.dominance_pct), total: optional(fields?.total_market_cap_usd) };
}

type Accepted = Awaited<ReturnType<typeof lastAccepted>>;

function doubtOf(row: GlobalRow, before: Accepted, price: number | null, now: number) {
  const { dominance_pct: share, total_market_cap_usd: total, stated } = row;
  if (stated !== null && now - stated > stopped) return 'its own time is older than an hour';
  const why =
    plausible(share, before.share, rules.dominance) ??
    plausible(total, before.total, rules.marketCap);
  return why ?? impliedSupplyDoubt(row, price);
}

/** The job. */
export function dominanceJob(at: Market, shares: Shares): Job {
  const { context, tickers, charts } = at;
  return {
    name,
    every,
    wait: (now) => remaining(context, { job: name, every }, now),
    async run({ now, signal }) {
      const before = await lastAccepted(at, now);
      const price = tickers.price('BTC', now)?.price ?? null;
      const candidates = sources.map(
        ({ id, poll }): Candidate<GlobalRow> => ({
          upstream: id,
          poll,
          doubt: ([row]) => (row ? doubtOf(row, before, price, now) : 'no row'),
        }),
      );
      const found = await firstOf(context, name, candidates, { signal });
      if (!found.ok) return found.failure;
      const { source, received, rows } = found.value;
      const recorder = shares.of(source);
      const history = await recorder.rows();
      for (const row of rows) {
        await recorder.add({ timestamp: received, dominance_pct: row.dominance_pct });
        const failure = await charts.publish({
          reading: {
            name,
            fields: { ...dominance(row, history, received) },
            source,
            updated_at: row.stated ?? received,
            received_at: received,
            live: { timestamp: received, dominance_pct: row.dominance_pct, provisional: true },
          },
          every,
          ...(await recorder.chart()),
        });
        if (failure) return failure;
      }
      return null;
    },
  };
}
