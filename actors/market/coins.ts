/** The coins of the altcoin season, stored so that a restart does not request them again. */
import { fewestCoins, seasonUniverse } from '../../indicators/market/altcoin-season.ts';
import { dayLength } from '../../indicators/market/days.ts';
import { plausible, rules } from '../../indicators/market/plausible.ts';
import type { CoinRow } from '../../indicators/market/rows.ts';
import { largeStablecoins } from '../../indicators/market/stablecoins.ts';
import type { Failure } from '../failure.ts';
import { coingecko } from '../providers/coingecko.ts';
import { coinpaprika } from '../providers/coinpaprika.ts';
import { defillama } from '../providers/defillama/index.ts';
import { positive, required, text } from '../read.ts';
import { type Candidate, firstOf } from '../sources/polling/ask.ts';
import { type Market, mapped } from './context.ts';
import { type Form, inRedis, StoredSeries } from './stored-series.ts';

/** Their rows in `/v1/status`, and the series of the first. */
export const universeName = 'coin-universe';
export const stablecoinsName = 'stablecoin-symbols';

/** Coins of the aggregator's list that are looked at. */
const listed = 150;
/** Stablecoins smaller than this may share their ticker with a coin that is none, US dollars. */
const smallest = 10_000_000;

/** The coins to compare, by rank, and who named them. */
export interface Universe {
  coins: readonly CoinRow[];
  source: string;
}

type ListedCoin = CoinRow & { source: string };

const form: Form<ListedCoin> = {
  key: universeName,
  columns: ['id', 'symbol', 'name', 'rank', 'price_usd', 'market_cap_usd', 'source'],
  read: (row) => ({
    id: text(row.id),
    symbol: text(row.symbol),
    name: text(row.name),
    rank: required(row.rank),
    price_usd: positive(row.price_usd),
    market_cap_usd: positive(row.market_cap_usd),
    source: text(row.source),
  }),
};

/** The coins, asked for once a day. */
export class CoinList {
  readonly #at: Market;
  readonly #stored: StoredSeries<ListedCoin>;

  constructor(at: Market) {
    const { context } = at;
    this.#at = at;
    this.#stored = new StoredSeries(inRedis(context, form), ({ rows, at: received }) => {
      const source = rows[0]?.source ?? '';
      context.status.resume(universeName, source, { received, rows: rows.length });
      context.status.standby(stablecoinsName, [defillama.id]);
    });
  }

  /** The coins, a day old at most unless all sources fail; the failure when there were never any. */
  async get(now: number, signal: AbortSignal): Promise<Universe | Failure> {
    await this.#stored.settle();
    if (now - this.#stored.at < dayLength) return this.#universe;
    const { context, tickers } = this.#at;
    const price = tickers.price('BTC', now)?.price ?? null;
    const doubt = (rows: readonly CoinRow[]) => coinsDoubt(rows, price);
    const { coins: paprika } = coinpaprika.polls;
    const first = (rows: CoinRow[]) => rows.filter(({ rank }) => rank <= listed);
    const candidates: Candidate<CoinRow>[] = [
      { upstream: coingecko.id, poll: coingecko.polls.coins, doubt },
      { upstream: coinpaprika.id, poll: mapped(paprika, first), doubt },
    ];
    const found = await firstOf(context, universeName, candidates, { signal });
    if (!found.ok) return this.#stored.at > 0 ? this.#universe : found.failure;
    const { rows, source } = found.value;
    const coins = seasonUniverse(rows, await this.#stablecoins(rows, signal));
    const stored = coins.map((coin) => ({ ...coin, source }));
    await this.#stored.save(stored, now);
    return this.#universe;
  }

  get #universe(): Universe {
    const { rows } = this.#stored;
    return { coins: rows.map(({ source: _, ...coin }) => coin), source: rows[0]?.source ?? '' };
  }

  /** Stablecoins; the largest alone when DefiLlama does not answer. */
  async #stablecoins(coins: readonly CoinRow[], signal: AbortSignal) {
    const candidate = { upstream: defillama.id, poll: defillama.polls.stablecoins };
    const found = await firstOf(this.#at.context, stablecoinsName, [candidate], { signal });
    if (!found.ok) return largeStablecoins(coins);
    return found.value.rows.filter(({ market_cap_usd: cap }) => cap >= smallest);
  }
}

function coinsDoubt(rows: readonly CoinRow[], price: number | null): string | null {
  const bitcoin = rows.find(({ symbol }) => symbol === 'BTC');
  if (!bitcoin) return 'no Bitcoin';
  if (rows.length <= fewestCoins) return 'too few coins';
  return plausible(bitcoin.price_usd, price, rules.bitcoinClose);
}
