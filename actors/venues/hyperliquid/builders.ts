/**
 * Perpetuals that builders list on dexes of their own (HIP-3): shares, indices, metals, currencies and coins. A market is `dex:COIN`, in
 * every request and message. https://hyperliquid.gitbook.io/hyperliquid-docs/hyperliquid-improvement-proposals-hips/hip-3-builder-deployed-perpetuals
 */
import { classOfTicker, classOfWord } from '../../../config/assets/classes.ts';
import type { AssetClass } from '../../../config/assets/symbols.ts';
import { minute } from '../../../config/time.ts';
import { asRow, bulk, list, text, type WireRow } from '../../read.ts';
import type { InstrumentMap } from '../../sources/define.ts';
import { listing } from '../listings.ts';
import { type Ask, assetsIn, info, perp, perpetualFacts } from './markets.ts';

/** The markets of the dexes; the first of both lists is the exchange itself. A dex that is not in both yet comes with the next reading. */
function marketsIn([dexes, metas]: readonly unknown[]): WireRow[] {
  const all = bulk(metas, 'metas').map(asRow);
  return bulk(dexes, 'dexes').flatMap((value, i) => {
    const dex = text(asRow(value).name);
    const { universe, collateralToken } = all[i] ?? {};
    if (dex === '' || universe === undefined) return [];
    return list(universe, 'universe').map((row) => ({ ...asRow(row), dex, collateralToken }));
  });
}

/** The words of the deployers for what their markets are about, by market; none where they are not known. */
const wordsIn = (body: unknown): ReadonlyMap<unknown, string> =>
  new Map(
    body === undefined
      ? []
      : list(body, 'categories').map((pair) => [asRow(pair)[0], text(asRow(pair)[1])]),
  );

/** The class by the deployer's word, else by a ticker that no coin has. */
const classIn = (word: string | undefined, ticker: string): AssetClass =>
  classOfWord(word ?? '') ?? classOfTicker.get(ticker) ?? 'unknown';

/** New dexes and markets appear at the next reading; delisted ones stay in the list. */
const instruments = listing({
  venue: 'hyperliquid',
  requests: () => [
    info({ type: 'perpDexs' }, 20),
    info({ type: 'allPerpMetas' }, 20),
    info({ type: 'spotMeta' }, 20),
    { ...info({ type: 'perpCategories' }, 20), optional: true as const },
  ],
  rows: marketsIn,
  id: 'name',
  extra: ([, , tokens, categories]) => ({
    assets: assetsIn(tokens, 'tokens'),
    words: wordsIn(categories),
  }),
  read(row, market, { assets, words }) {
    const dex = text(row.dex);
    if (!market.startsWith(`${dex}:`)) return null;
    const asset_class = classIn(words.get(market), market.slice(dex.length + 1));
    return {
      ...perpetualFacts(row, market),
      dex,
      quote: assets.get(row.collateralToken) ?? '',
      ...(asset_class !== 'crypto' && { asset_class }),
    };
  },
});

/** The dexes with a market that is not delisted. */
const dexesIn = (listed: InstrumentMap): readonly string[] => [
  ...new Set(
    [...listed.values()].flatMap(({ kind, dex }) =>
      kind === 'perpetual' && dex !== undefined ? [dex] : [],
    ),
  ),
];

/** Most dexes that are polled: eleven were listed in 2026, most of them without a market. */
const most = 12;

/** No question has the contexts of all dexes. The streams have: these come at a start, and while there is no stream. */
const contexts = {
  ...perp.poll(
    ({ markets: dexes }): Ask[] =>
      dexes.map((dex) => ({ ...info({ type: 'metaAndAssetCtxs', dex }, 20), market: dex })),
    { names: dexesIn, most },
  ),
  every: 4 * minute,
};

export const builders = { instruments, contexts };
