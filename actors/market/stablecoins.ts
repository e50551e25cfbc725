/** The market of stablecoins: DefiLlama's list and its daily chart. */
import { minute } from '../../config/time.ts';
import { dayAt, dayLength } from '../../indicators/market/days.ts';
import { firstRefusal, plausible, rules } from '../../indicators/market/plausible.ts';
import type { StablecoinDay, StablecoinRow } from '../../indicators/market/rows.ts';
import { largeStablecoins, stablecoinMarket } from '../../indicators/market/stablecoins.ts';
import { coinpaprika } from '../providers/coinpaprika.ts';
import { defillama } from '../providers/defillama/index.ts';
import { optional, positive, required } from '../read.ts';
import type { Job, Round } from '../sources/job.ts';
import { type Candidate, firstOf } from '../sources/polling/ask.ts';
import { type Market, mapped, remaining } from './context.ts';
import { type Form, inRedis, StoredSeries } from './stored-series.ts';

const name = 'stablecoin-mcap';
const chart = 'stablecoin-days';
const every = 15 * minute;

/** Stablecoins are this share of the whole market, at least and at most. */
const shares = { above: 0.005, most: 0.6 };
/** So many of the chart's last days are looked at; the first years grew from nothing. */
const judged = 400;

const totalOf = (rows: readonly StablecoinRow[]) =>
  rows.reduce((sum, { market_cap_usd: value }) => sum + value, 0);

/** Known totals that an answer is checked against, US dollars. */
interface Known {
  before: number | null;
  /** Capitalisation of all coins. */
  market: number | null;
}

function doubtOf(rows: readonly StablecoinRow[], { before, market }: Known): string | null {
  const total = totalOf(rows);
  if (!rows.some(({ symbol, market_cap_usd: cap }) => symbol === 'USDT' && cap > 0)) {
    return 'no USDT';
  }
  const why = plausible(total, before, rules.marketCap);
  if (why || market === null) return why;
  return plausible(total / market, null, shares) && 'no possible share of the market';
}

function chartDoubt(days: readonly StablecoinDay[], total: number | null): string | null {
  const last = [...days].sort((a, b) => a.day - b.day).slice(-judged);
  const totals = last.map((day) => day.total_market_cap_usd);
  const refused = firstRefusal(totals, null, rules.marketCap);
  if (refused) return refused.why;
  return plausible(totals.at(-1) ?? 0, total, rules.marketCap);
}

/** Days that are over, ascending, one each. */
const daysOf = (rows: readonly StablecoinDay[], now: number) =>
  [...new Map(rows.map((row) => [row.day, row])).values()]
    .filter(({ day }) => day < dayAt(now))
    .sort((a, b) => a.day - b.day);

const form: Form<StablecoinDay> = {
  key: chart,
  columns: ['day', 'total_market_cap_usd', 'usd_pegged_usd'],
  read: (row) => ({
    day: required(row.day),
    total_market_cap_usd: positive(row.total_market_cap_usd),
    usd_pegged_usd: required(row.usd_pegged_usd),
  }),
};

/** Asks for the chart once a day: a restart does not ask, and after a failure the known one is used further. */
async function refresh(
  { context }: Market,
  days: StoredSeries<StablecoinDay>,
  total: number,
  { now, signal }: Round,
): Promise<void> {
  if (now - days.at < dayLength) return;
  const candidate: Candidate<StablecoinDay> = {
    upstream: defillama.id,
    poll: defillama.polls.stablecoinDays,
    doubt: (rows) => chartDoubt(daysOf(rows, now), total),
  };
  const found = await firstOf(context, chart, [candidate], { signal });
  if (found.ok) await days.save(daysOf(found.value.rows, now), now);
}

/** The fallback: the large stablecoins of CoinPaprika's list, a part of the market. */
const candidates = (known: Known): Candidate<StablecoinRow>[] => [
  {
    upstream: defillama.id,
    poll: defillama.polls.stablecoins,
    doubt: (rows) => doubtOf(rows, known),
  },
  {
    upstream: coinpaprika.id,
    poll: mapped(coinpaprika.polls.coins, largeStablecoins),
    doubt: (rows) => doubtOf(rows, known),
  },
];

/** Capitalisations of all coins and of Bitcoin as they were last published, US dollars. */
async function marketOf({ context }: Market, now: number) {
  const reading = await context.last('marketIndicators', 'bitcoin-dominance');
  const fields = reading && now - reading.received_at < dayLength ? reading.fields : null;
  return {
    market: optional(fields?.total_market_cap_usd),
    bitcoin: optional(fields?.btc_market_cap_usd),
  };
}

/** The job. */
export function stablecoinJob(at: Market): Job {
  const { context, charts } = at;
  const days = new StoredSeries(inRedis(context, form), ({ rows, at: received }) =>
    context.status.resume(chart, defillama.id, { received, rows: rows.length }),
  );
  return {
    name,
    every,
    also: [chart],
    wait: (now) => remaining(context, { job: name, every }, now),
    async run(round) {
      const { now } = round;
      const { market, bitcoin } = await marketOf(at, now);
      await days.settle();
      const last = days.rows.at(-1);
      const isRecent = last && now - last.day < 7 * dayLength;
      const before = isRecent ? last.total_market_cap_usd : null;
      const found = await firstOf(context, name, candidates({ before, market }), round);
      if (!found.ok) return found.failure;
      const { rows, source, received } = found.value;
      const total = totalOf(rows);
      await refresh(at, days, total, round);
      const history = days.rows;
      const partial = source === coinpaprika.id;
      // Changes of a part against the whole would be wrong.
      const compared = partial ? [] : history;
      return charts.publish({
        reading: {
          name,
          fields: { ...stablecoinMarket(rows, compared, bitcoin, dayAt(now)), partial },
          source,
          updated_at: received,
          received_at: received,
          live: partial
            ? null
            : { timestamp: dayAt(now), total_market_cap_usd: total, provisional: true },
          inputs: rows.map((row) => ({ name: row.symbol, value: row.market_cap_usd })),
        },
        every,
        rows: history.map((row) => ({
          timestamp: row.day,
          total_market_cap_usd: row.total_market_cap_usd,
        })),
        recordedFrom: null,
      });
    },
  };
}
