/** Margin positions in Bitcoin and Ether on Bitfinex, every minute. */
import { hour, minute } from '../../config/time.ts';
import { dayLength } from '../../indicators/market/days.ts';
import type { FundingStats } from '../../indicators/market/rows.ts';
import { optional, required } from '../read.ts';
import type { Job } from '../sources/job.ts';
import { askPoll, firstOf } from '../sources/polling/ask.ts';
import {
  fundingStats,
  marginHours,
  marginPair,
  marginSizes,
} from '../venues/bitfinex/analytics.ts';
import { type Market, remaining } from './context.ts';
import {
  type Funds,
  type MarginRow,
  marginEvery,
  marginFields,
  marginName,
  pointOf,
  pointsOf,
  rowOf,
  sizesDoubt,
} from './margin-answer.ts';
import { ChartRecord } from './records.ts';

const upstream = 'bitfinex';
const fundingName = 'bitfinex-funding';
/** Symbols that are polled; others are answered on demand. */
export const marginSymbols = ['BTC', 'ETH'];
/** The statistics are of whole hours: poll interval and maximum age, ms. */
const funds = { every: 10 * minute, until: 3 * hour };

/** The statistics of the funding market by currency. */
class FundingBook {
  readonly #at: Market;
  readonly #known = new Map<string, { stats: FundingStats; asked: number }>();

  constructor(at: Market) {
    this.#at = at;
  }

  /** Of these currencies those that are known. */
  async of(currencies: readonly string[], now: number, signal: AbortSignal): Promise<Funds> {
    const found: [string, FundingStats][] = [];
    for (const currency of currencies) {
      const known = this.#known.get(currency);
      if (!known || now - known.asked >= funds.every) await this.#ask(currency, now, signal);
      const stats = this.#known.get(currency)?.stats;
      if (stats && now - stats.time <= funds.until) found.push([currency, stats]);
    }
    return new Map(found);
  }

  async #ask(currency: string, now: number, signal: AbortSignal): Promise<void> {
    const doubt = (rows: readonly FundingStats[]) => (rows.length === 0 ? 'no statistics' : null);
    const plan = { items: [currency] };
    const candidate = { upstream, poll: fundingStats, plan, doubt };
    const asked = await firstOf(this.#at.context, fundingName, [candidate], { signal });
    if (!asked.ok) return;
    const [stats] = asked.value.rows.sort((a, b) => b.time - a.time);
    if (stats) this.#known.set(currency, { stats, asked: now });
  }
}

const recorderOf = (at: Market, symbol: string) =>
  new ChartRecord(at, {
    key: `${marginName}/${symbol}`,
    columns: { long_size: required, short_size: required, frr_daily_pct: optional },
    step: hour,
  });

/** Before the first sample: the hours that the exchange itself still has. */
async function backfill(
  at: Market,
  recorder: ReturnType<typeof recorderOf>,
  symbol: string,
  signal: AbortSignal,
) {
  if ((await recorder.rows()).length > 0) return;
  const plan = { items: [marginPair(symbol)] };
  const asked = await askPoll(at.context, { upstream, poll: marginHours, plan }, signal);
  if (!asked.ok) return;
  const rows = pointsOf(asked.value.rows).map(
    (point): MarginRow => ({ ...rowOf(point, new Map()), backfilled: true }),
  );
  // The hour that runs is to be our own.
  await recorder.add(...rows.filter(({ timestamp }) => timestamp < at.context.clock.now() - hour));
}

function marginJob(at: Market, book: FundingBook, symbol: string): Job {
  const { context, charts, tickers } = at;
  const recorder = recorderOf(at, symbol);
  const key = `${marginName}/${symbol}`;
  const job = `${marginName}-${symbol.toLowerCase()}`;
  return {
    name: job,
    every: marginEvery,
    also: [fundingName],
    wait: (now) => remaining(context, { job, key, every: marginEvery }, now),
    async run({ now, signal }) {
      await backfill(at, recorder, symbol, signal);
      const history = await recorder.rows();
      const last = history.at(-1);
      const before = last && now - last.timestamp < dayLength ? last : null;
      const candidate = {
        upstream,
        poll: marginSizes,
        plan: { items: [marginPair(symbol)] },
        doubt: (rows: Parameters<typeof sizesDoubt>[0]) => sizesDoubt(rows, before, now),
      };
      const found = await firstOf(context, job, [candidate], { signal });
      if (!found.ok) return found.failure;
      const point = pointOf(found.value.rows);
      if (!point) return null;
      const stats = await book.of(['USD', symbol], now, signal);
      const row = rowOf(point, stats);
      const price = tickers.price(symbol, now)?.price ?? null;
      await recorder.add(row);
      return charts.publish({
        key,
        reading: {
          name: marginName,
          fields: marginFields({ symbol, point, price, history, funds: stats }),
          source: upstream,
          updated_at: point.timestamp,
          received_at: found.value.received,
          live: { ...row, provisional: true },
        },
        every: marginEvery,
        ...(await recorder.chart()),
      });
    },
  };
}

/** A job per symbol. */
export function marginJobs(at: Market): Job[] {
  const book = new FundingBook(at);
  return marginSymbols.map((symbol) => marginJob(at, book, symbol));
}
