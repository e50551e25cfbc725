/** The daily closes of the coins of the altcoin season, stored so that a restart does not request them again. */
import { assetOf } from '../../config/assets/resolve.ts';
import { hour, minute } from '../../config/time.ts';
import { fewestCoins } from '../../indicators/market/altcoin-season.ts';
import { lastClosedDay } from '../../indicators/market/daily-closes.ts';
import { type DayClose, dateOf, dayLength, dayOf } from '../../indicators/market/days.ts';
import { isTicker } from '../../indicators/market/market-names.ts';
import { firstRefusal, plausible, rules } from '../../indicators/market/plausible.ts';
import type { CoinRow } from '../../indicators/market/rows.ts';
import type { Failure } from '../failure.ts';
import { positive, text } from '../read.ts';
import { askPoll } from '../sources/polling/ask.ts';
import { coinMarkets } from '../venues/daily-markets.ts';
import type { Universe } from './coins.ts';
import { type Market, missingInput } from './context.ts';
import { columnsOf, rowsOf } from './stored-series.ts';
import { venueDays } from './venue-days.ts';

/** Its rows in `/v1/status`, and its series. */
export const closesName = 'altcoin-closes';

/** Days of closes: a year's change takes one more than its days. */
const span = 366;
/** Number of coins whose closes are requested: more than are compared, to replace those without a live price. */
const wanted = 60;
/** Failures in a row after which an exchange is not asked again in this round. */
const patience = 3;
const deadline = minute;
/** Where the exchanges answer, but not for coins enough, they are asked again after this time, ms. */
const pause = hour;
/** A close that is further from the aggregator's price than this is that of another coin with the same ticker. */
const sameCoin = { above: 0, factor: 3 };

/** Daily closes by coin, Bitcoin's among them, ascending. */
export interface Closes {
  byCoin: ReadonlyMap<string, readonly DayClose[]>;
  sources: readonly string[];
  /** The last day. */
  through: number;
  /** Unix ms. */
  at: number;
}

/** The aggregator's price, US dollars; null where it is not known. */
interface Asked {
  symbol: string;
  price_usd: number | null;
}

interface CoinDays {
  source: string;
  rows: DayClose[];
}

/** One round over the coins: exchanges that keep failing are passed over. */
class Round {
  readonly #at: Market;
  readonly #plan: { from: number; to: number };
  readonly #failures = new Map<string, number>();
  readonly #rows = new Map<string, number>();
  failure: Failure | null = null;

  constructor(at: Market, plan: { from: number; to: number }) {
    this.#at = at;
    this.#plan = plan;
  }

  /** The closes of a coin from the first exchange that has them; null when none does. */
  async ask(coin: Asked, signal: AbortSignal): Promise<CoinDays | null> {
    for (const { venue, market } of coinMarkets) {
      const { id } = venue;
      if (!this.#at.venues.has(id) || (this.#failures.get(id) ?? 0) >= patience) continue;
      // There the ticker is another coin's.
      if (assetOf(coin.symbol, { venue: id, kind: 'spot' }).symbol !== coin.symbol) continue;
      const found = await askPoll(
        this.#at.context,
        {
          upstream: id,
          poll: venueDays(venue, market(coin.symbol)),
          plan: this.#plan,
          deadline,
          doubt: (rows) => closesDoubt(rows, coin.price_usd),
        },
        signal,
      );
      if (signal.aborted) return null;
      if (found.ok) return this.#success(id, found.value);
      this.#fail(id, found.failure);
    }
    return null;
  }

  /** Adds coins by rank until there are as many as are wanted. */
  async fill(found: Map<string, CoinDays>, coins: readonly Asked[], signal: AbortSignal) {
    for (const coin of coins) {
      if (found.size > wanted || signal.aborted) return;
      if (found.has(coin.symbol) || !isTicker(coin.symbol)) continue;
      const closes = await this.ask(coin, signal);
      if (closes) found.set(coin.symbol, closes);
    }
  }

  #success(
    id: string,
    { rows, asked, received }: { rows: DayClose[]; asked: number; received: number },
  ): CoinDays {
    this.#failures.set(id, 0);
    const count = (this.#rows.get(id) ?? 0) + rows.length;
    this.#rows.set(id, count);
    this.#at.context.status.success(closesName, id, { asked, received, rows: count });
    return { source: id, rows };
  }

  /** That a coin is not traded there, or that it is another coin, is not a failure of the exchange. */
  #fail(id: string, failure: Failure): void {
    if (failure.code === 'unknown_instrument' || failure.code === 'shape') return;
    this.#failures.set(id, (this.#failures.get(id) ?? 0) + 1);
    this.#at.context.status.failure(closesName, id, failure);
    this.failure ??= failure;
  }
}

function closesDoubt(rows: readonly DayClose[], price: number | null): string | null {
  const last = rows.at(-1);
  if (!last) return 'no days';
  const closes = rows.map(({ close }) => close);
  return firstRefusal(closes, null, rules.coinClose)?.why ?? plausible(last.close, price, sameCoin);
}

interface Renewal {
  now: number;
  /** The last day wanted. */
  to: number;
  signal: AbortSignal;
}

/** The closes, asked for when a day has ended. */
export class CloseBook {
  readonly #at: Market;
  #known: Closes | null = null;
  /** Not before, Unix ms. */
  #again = 0;

  constructor(at: Market) {
    this.#at = at;
  }

  /** Closes up to the last day that is over, or the last ones known, with why there are no newer ones. */
  async get(
    { coins }: Universe,
    now: number,
    signal: AbortSignal,
  ): Promise<{ closes: Closes | null; failure: Failure | null }> {
    this.#known ??= await this.#recall();
    const to = lastClosedDay(now);
    const isDue = now >= this.#again && (this.#known?.through ?? 0) < to;
    const failure = isDue ? await this.#renew(coins, { now, to, signal }) : null;
    return { closes: this.#known, failure };
  }

  async #renew(coins: readonly CoinRow[], { now, to, signal }: Renewal): Promise<Failure | null> {
    const { tickers } = this.#at;
    const round = new Round(this.#at, { from: to - (span - 1) * dayLength, to });
    const bitcoin = { symbol: 'BTC', price_usd: tickers.price('BTC', now)?.price ?? null };
    const days = await round.ask(bitcoin, signal);
    if (!days)
      return signal.aborted ? null : (round.failure ?? missingInput('no closes of Bitcoin'));
    const found = new Map([['BTC', days]]);
    await round.fill(found, coins, signal);
    if (signal.aborted) return null;
    if (found.size > fewestCoins) {
      await this.#keep(found, to, now);
      return null;
    }
    this.#again = now + pause;
    return round.failure ?? missingInput('closes of too few coins');
  }

  /** A row a coin, a column a day. */
  async #keep(found: ReadonlyMap<string, CoinDays>, through: number, now: number): Promise<void> {
    this.#known = {
      byCoin: new Map([...found].map(([symbol, { rows }]) => [symbol, rows])),
      sources: [...new Set([...found.values()].map(({ source }) => source))],
      through,
      at: now,
    };
    const days = Array.from({ length: span }, (_, at) => through - (span - 1 - at) * dayLength);
    const stored = [...found].map(([symbol, { source, rows }]) => ({
      symbol,
      source,
      ...Object.fromEntries(rows.map(({ day, close }) => [dateOf(day), close])),
    }));
    const names = ['symbol', 'source', ...days.map(dateOf)];
    const columns = columnsOf(stored, names);
    await this.#at.context.publish('series', closesName, { columns, at: now });
  }

  async #recall(): Promise<Closes | null> {
    const stored = await this.#at.context.last('series', closesName);
    if (!stored) return null;
    const days = Object.keys(stored.columns).filter((name) => dayOf(name) > 0);
    const byCoin = new Map<string, DayClose[]>();
    const sources = new Set<string>();
    for (const row of rowsOf(stored)) {
      const rows = days.map((date) => ({ day: dayOf(date), close: positive(row[date]) }));
      byCoin.set(
        text(row.symbol),
        rows.filter(({ close }) => close > 0),
      );
      sources.add(text(row.source));
    }
    const through = Math.max(0, ...days.map(dayOf));
    for (const source of sources) {
      const rows = byCoin.size * days.length;
      this.#at.context.status.resume(closesName, source, { received: stored.at, rows });
    }
    return { byCoin, sources: [...sources], through, at: stored.at };
  }
}
