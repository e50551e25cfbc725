/** Scores of the reserves and audits that exchanges publish. */
import { hour } from '../../config/time.ts';
import { dayLength } from '../../indicators/market/days.ts';
import { plausible, rules } from '../../indicators/market/plausible.ts';
import type { ExchangeTrust } from '../../indicators/market/rows.ts';
import {
  type Transparency,
  transparency,
  trustScore,
} from '../../indicators/market/transparency.ts';
import { coingecko } from '../providers/coingecko.ts';
import { defillama } from '../providers/defillama/index.ts';
import { optional } from '../read.ts';
import type { Job } from '../sources/job.ts';
import { type Candidate, firstOf } from '../sources/polling/ask.ts';
import { type Market, mapped, remaining } from './context.ts';
import { ChartRecord } from './records.ts';

const name = 'exchange-transparency';
const every = hour;

const nothingPublished = {
  own_token: null,
  reserves_usd: null,
  clean_reserves_usd: null,
  inflow_24h_usd: null,
  inflow_7d_usd: null,
  inflow_30d_usd: null,
  spot_volume_24h_usd: null,
  derivatives_volume_24h_usd: null,
  open_interest_usd: null,
  auditor: null,
  last_audit_at: null,
  audit_url: null,
  wallets_url: null,
  clean_ratio: null,
  leverage_ratio: null,
  wallets_published: false,
};

/** Exchanges by another's judgement, of which nothing else is known. */
const graded = (rows: readonly ExchangeTrust[]): Transparency[] =>
  rows.flatMap((row) => {
    const found = trustScore(row);
    return found ? [{ exchange: row.exchange, name: row.name, ...nothingPublished, ...found }] : [];
  });

const sumOf = (rows: readonly Transparency[], key: 'reserves_usd' | 'clean_reserves_usd') =>
  rows.reduce((sum, row) => sum + (row[key] ?? 0), 0);

function reservesDoubt(rows: readonly Transparency[], before: number | null): string | null {
  if (rows.length === 0) return 'no exchanges';
  return plausible(sumOf(rows, 'reserves_usd'), before, rules.marketCap);
}

const candidates = (before: number | null, now: number): Candidate<Transparency>[] => [
  {
    upstream: defillama.id,
    poll: mapped(defillama.polls.exchanges, (rows) => rows.map((row) => transparency(row, now))),
    doubt: (rows) => reservesDoubt(rows, before),
  },
  {
    upstream: coingecko.id,
    poll: mapped(coingecko.polls.exchanges, graded),
    doubt: (rows) => (rows.length === 0 ? 'no exchanges' : null),
  },
];

/** The job. */
export function transparencyJob(at: Market): Job {
  const { context, charts } = at;
  const recorder = new ChartRecord(at, {
    key: name,
    columns: {
      reserves_usd: optional,
      clean_reserves_usd: optional,
      exchanges_with_reserves: optional,
    },
    step: dayLength,
  });
  return {
    name,
    every,
    wait: (now) => remaining(context, { job: name, every }, now),
    async run({ now, signal }) {
      const last = (await recorder.rows()).at(-1);
      const isRecent = last && now - last.timestamp < 7 * dayLength;
      const before = isRecent ? last.reserves_usd : null;
      const found = await firstOf(context, name, candidates(before, now), { signal });
      if (!found.ok) return found.failure;
      const { rows, source, received } = found.value;
      const point = {
        timestamp: received,
        reserves_usd: sumOf(rows, 'reserves_usd'),
        clean_reserves_usd: sumOf(rows, 'clean_reserves_usd'),
        exchanges_with_reserves: rows.filter((row) => row.wallets_published).length,
      };
      const own = source === defillama.id;
      if (own) await recorder.add(point);
      const exchanges = rows.sort(
        (a, b) => b.score - a.score || (a.exchange < b.exchange ? -1 : 1),
      );
      return charts.publish({
        reading: {
          name,
          fields: {
            exchanges,
            count: exchanges.length,
            method: own ? 'published_reserves' : 'trust_score',
          },
          source,
          updated_at: received,
          received_at: received,
          live: own ? { ...point, provisional: true } : null,
        },
        every,
        ...(await recorder.chart()),
      });
    },
  };
}
