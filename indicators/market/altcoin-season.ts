/** The altcoin season index: how many of the large coins did better than Bitcoin. */

import { isAround } from '../digits.ts';
import { type DayClose, dayLength } from './days.ts';
import type { CoinRow, StablecoinRow } from './rows.ts';
import { changePct } from './statistics.ts';

/** Coins that are compared (BlockchainCenter's definition; others take 100). */
export const seasonCoins = 50;
/** Fewer than these, and the index is not made. */
export const fewestCoins = 40;
/** Days of the index and of its two variants. */
export const seasonPeriods = { index: 90, month: 30, year: 365 } as const;

/** Coins that follow another asset by what backs them: no season of their own. */
const backed: ReadonlySet<string> = new Set(
  (
    'WBTC CBBTC BTCB TBTC LBTC SOLVBTC FBTC WETH STETH WSTETH RETH CBETH EETH WEETH EZETH METH RSETH BNSOL JITOSOL ' +
    'MSOL JUPSOL WBNB WTRX PAXG XAUT'
  ).split(' '),
);
const backedIds = ['wrapped-', 'staked-', 'bridged-'];

type SeasonStablecoin = Pick<StablecoinRow, 'symbol' | 'price_usd'>;

/** Share by which the prices of two sources for one stablecoin may differ. */
const sameCoin = 0.2;

/** Tickers are not unique: M is a stablecoin of M0, and MemeCore. */
const isThat = (coin: CoinRow, { symbol, price_usd: price }: SeasonStablecoin) =>
  coin.symbol === symbol && (price === null || isAround(coin.price_usd, price, sameCoin));

/** The coins that can be compared, by rank: without Bitcoin, stablecoins and what is backed by another coin. */
export function seasonUniverse(
  coins: readonly CoinRow[],
  stablecoins: readonly SeasonStablecoin[],
): CoinRow[] {
  return coins
    .filter((coin) => !stablecoins.some((stablecoin) => isThat(coin, stablecoin)))
    .filter(
      ({ id, symbol }) =>
        symbol !== 'BTC' && !backed.has(symbol) && backedIds.every((part) => !id.includes(part)),
    )
    .sort((a, b) => a.rank - b.rank);
}

/** The change of a price over the days before `day`, percent; null where one of both closes is missing. */
export function changeOver(closes: readonly DayClose[], day: number, days: number): number | null {
  const at = (wanted: number) => closes.findLast((row) => row.day === wanted)?.close;
  const now = at(day);
  return now === undefined ? null : changePct(at(day - days * dayLength), now);
}

/** The words for an index. */
export type SeasonClass = 'altcoin_season' | 'bitcoin_season' | 'neutral';

/** From 75 on the altcoins', up to 25 Bitcoin's. */
export function seasonClassOf(index: number): SeasonClass {
  if (index >= 75) return 'altcoin_season';
  return index <= 25 ? 'bitcoin_season' : 'neutral';
}

/** What `season` needs. */
export interface SeasonInputs {
  /** By rank, as `seasonUniverse` gives them. */
  universe: readonly CoinRow[];
  bitcoin: readonly DayClose[];
  /** Ascending, by symbol. A coin without closes is skipped and the next by rank taken. */
  closes: ReadonlyMap<string, readonly DayClose[]>;
}

/**
 * `round(100 x coins that did better / coins)` over the `days` before `day`; null with fewer than 40 coins or without
 * Bitcoin's own change.
 */
export function season({ universe, bitcoin, closes }: SeasonInputs, day: number, days: number) {
  const reference = changeOver(bitcoin, day, days);
  if (reference === null) return null;
  const changes = universe.flatMap(({ symbol, name, rank }) => {
    const change_pct = changeOver(closes.get(symbol) ?? [], day, days);
    return change_pct === null
      ? []
      : [{ symbol, name, rank, change_pct, outperforms: change_pct > reference }];
  });
  const coins = changes.slice(0, seasonCoins);
  if (coins.length < fewestCoins) return null;
  const better = coins.filter(({ outperforms }) => outperforms).length;
  const index = Math.round((100 * better) / coins.length);
  return {
    index,
    classification: seasonClassOf(index),
    coins_evaluated: coins.length,
    coins_outperforming: better,
    bitcoin_change_pct: reference,
    coins,
  };
}
export type Season = NonNullable<ReturnType<typeof season>>;

/** The index of each day from `from` to `to` for which there are closes, made of today's coins, of which none has failed since. */
export function seasonBackfill(inputs: SeasonInputs, { from, to }: { from: number; to: number }) {
  const points: { timestamp: number; index: number; backfilled: true }[] = [];
  for (let day = from; day <= to; day += dayLength) {
    const found = season(inputs, day, seasonPeriods.index);
    if (found) points.push({ timestamp: day, index: found.index, backfilled: true });
  }
  return points;
}
