/** What is to be said of single numbers of an asset in the tables: which are old, and of which some exchanges are left out. */
import type { AssetMarket, AssetSummary } from '../../../indicators/market/assets.ts';
import { consensus } from '../../../indicators/market/prices.ts';
import { disputed } from '../../views/market-schemas.ts';
import { s } from '../kit.ts';
import type { Asset } from './common.ts';

/** Age from which a number is old, ms: three polls of 30 seconds. */
const oldFrom = 90_000;

type ByNumber<F> = Readonly<Record<string, F>>;

/** The rules of a table, by the name of a number. */
interface Marks<A, M> {
  /** The markets of which a number is left out, beside a price far from the median. */
  outliers: ByNumber<(asset: A) => readonly M[]>;
  /** When a market stated its part of a number, Unix ms; null where it has none. */
  newest: ByNumber<(market: M) => number | null>;
}

/** The exchanges of markets, each once; undefined without any. */
function exchangesOf(markets: readonly AssetMarket[]): string[] | undefined {
  return markets.length === 0 ? undefined : [...new Set(markets.map(({ exchange }) => exchange))];
}

/** The members that are known; undefined without any. */
function known<V>(members: readonly (readonly [name: string, V | undefined])[]) {
  const own = members.filter((one): one is readonly [string, V] => one[1] !== undefined);
  return own.length === 0 ? undefined : Object.fromEntries(own);
}

/** Whether the exchanges disagree on the price, each with its most traded market (`consensus`). */
function isDisputed(markets: readonly AssetMarket[]): boolean {
  const prices = new Map<string, number>();
  for (const { exchange, price } of markets) if (!prices.has(exchange)) prices.set(exchange, price);
  return consensus([...prices.values()]).disputed;
}

/** The columns of marks, all of them absent as a rule, of the assets of a table; markets are in the order of their turnover. */
export function markCells<A extends AssetSummary<AssetMarket>>({
  outliers,
  newest,
}: Marks<A, A['counted'][number]>) {
  return {
    disputed: [disputed, ({ markets }: A) => isDisputed(markets) || undefined],
    outliers: [
      s.optional(
        s.mapOf(
          s.list(s.string(), 'Exchange ids.'),
          'a number of this row to the exchanges of which a market is left out of it: a price more than 5 % from the median, an open interest that cannot be true; absent without any',
        ),
      ),
      (asset: A) =>
        known([
          ['price', exchangesOf(asset.markets.filter((one) => !asset.counted.includes(one)))],
          ...Object.entries(outliers).map(([name, of]) => [name, exchangesOf(of(asset))] as const),
        ]),
    ],
    old_since: [
      s.optional(
        s.mapOf(
          s.unixMs('When the newest part of the number was received.'),
          'a number of this row that is more than 90 seconds old to the time of its newest part; absent without any',
        ),
      ),
      ({ counted, tables }: A & Asset) =>
        known(
          Object.entries(newest).map(([name, of]) => {
            const at = Math.max(0, ...counted.map((one) => of(one) ?? 0));
            return [name, at > 0 && tables.now - at > oldFrom ? at : undefined] as const;
          }),
        ),
    ],
  } as const;
}
