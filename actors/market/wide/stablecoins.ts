/** The market of stablecoins: DefiLlama's list and its daily chart. */
import type { Duty } from '../../desks/duty.ts';
import { type Candidate, firstFigure } from '../../desks/figure.ts';
import { optional, positive, required } from '../../read.ts';
import { dayAt, dayLength } from '../days.ts';
import { largeStablecoins, stablecoinMarket } from '../formulas/stablecoins.ts';
import { firstRefusal, plausible, rules } from '../plausible.ts';
import { coinpaprika } from '../upstreams/coinpaprika.ts';
import { defillama, type StablecoinDay, type StablecoinRow } from '../upstreams/defillama.ts';
import { mapped, minute, remaining, type Wide } from './context.ts';
import { columnsOf, rowsOf } from './records.ts';

const name = 'stablecoin-mcap';
const chart = 'stablecoin-days';
const every = 15 * minute;

/** Stablecoins are this share of the whole market, at least and at most. */
const shares = { above: 0.005, most: 0.6 };
/** So many of the chart's last days are looked at; the first years grew from nothing. */
const judged = 400;

const totalOf = (rows: readonly StablecoinRow[]) =>
  rows.reduce((sum, { market_cap_usd: value }) => sum + value, 0);

/** What is known of the totals before the answer is judged, US dollars. */
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

const names = ['day', 'total_market_cap_usd', 'usd_pegged_usd'];

/** The stored chart, asked again once a day: a restart does not ask. */
class Chart {
  readonly #at: Wide;
  #kept: { days: readonly StablecoinDay[]; at: number } | null = null;

  constructor(at: Wide) {
    this.#at = at;
  }

  async days(): Promise<readonly StablecoinDay[]> {
    if (this.#kept) return this.#kept.days;
    const stored = await this.#at.desk.last('series', chart);
    if (!stored) return [];
    const days = rowsOf(stored).map((row) => ({
      day: required(row.day),
      total_market_cap_usd: positive(row.total_market_cap_usd),
      usd_pegged_usd: required(row.usd_pegged_usd),
    }));
    this.#kept = { days, at: stored.at };
    const { board } = this.#at.desk;
    board.resume(chart, defillama.id, { received: stored.at, rows: days.length });
    return days;
  }

  /** Asks for the chart, if that is due. What fails leaves the one that is known. */
  async refresh(total: number, now: number, signal: AbortSignal): Promise<void> {
    const { desk } = this.#at;
    await this.days();
    if (this.#kept && now - this.#kept.at < dayLength) return;
    const candidate: Candidate<StablecoinDay> = {
      upstream: defillama.id,
      figure: defillama.figures.stablecoinDays,
      doubt: (rows) => chartDoubt(daysOf(rows, now), total),
    };
    const found = await firstFigure(desk, chart, [candidate], { signal });
    if (!found.ok) return;
    const days = daysOf(found.value.rows, now);
    this.#kept = { days, at: now };
    await desk.publish('series', chart, {
      columns: columnsOf(
        days.map((day) => ({ ...day })),
        names,
      ),
      at: now,
    });
  }
}

/** The large stablecoins of CoinPaprika's list stand in: a part of the market. */
const candidates = (known: Known): Candidate<StablecoinRow>[] => [
  {
    upstream: defillama.id,
    figure: defillama.figures.stablecoins,
    doubt: (rows) => doubtOf(rows, known),
  },
  {
    upstream: coinpaprika.id,
    figure: mapped(coinpaprika.figures.coins, largeStablecoins),
    doubt: (rows) => doubtOf(rows, known),
  },
];

/** Capitalisations of all coins and of Bitcoin as they were last published, US dollars. */
async function marketOf({ desk }: Wide, now: number) {
  const reading = await desk.last('marketIndicators', 'bitcoin-dominance');
  const fields = reading && now - reading.received_at < dayLength ? reading.fields : null;
  return {
    market: optional(fields?.total_market_cap_usd),
    bitcoin: optional(fields?.btc_market_cap_usd),
  };
}

/** The duty. */
export function stablecoinDuty(at: Wide): Duty {
  const { desk, charts } = at;
  const days = new Chart(at);
  return {
    name,
    every,
    figures: [chart],
    wait: (now) => remaining(desk, { duty: name, every }, now),
    async run({ now, signal }) {
      const { market, bitcoin } = await marketOf(at, now);
      const last = (await days.days()).at(-1);
      const isRecent = last && now - last.day < 7 * dayLength;
      const before = isRecent ? last.total_market_cap_usd : null;
      const found = await firstFigure(desk, name, candidates({ before, market }), { signal });
      if (!found.ok) return found.failure;
      const { rows, source, received } = found.value;
      const total = totalOf(rows);
      await days.refresh(total, now, signal);
      const history = await days.days();
      const partial = source === coinpaprika.id;
      // Changes of a part against the whole would be wrong.
      const compared = partial ? [] : history;
      return charts.tell({
        reading: {
          name,
          fields: { ...stablecoinMarket(rows, compared, bitcoin, dayAt(now)), partial },
          source,
          updated_at: received,
          received_at: received,
          live: partial
            ? null
            : { timestamp: dayAt(now), total_market_cap_usd: total, provisional: true },
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
