/** Tokens of Hyperliquid's spot market that stand for an asset of another chain, one for one. */

/** By the index of the token, which nobody else can have. */
const byIndex: ReadonlyMap<unknown, string> = new Map([
  [0, 'USDC'],
  [150, 'HYPE'],
  [197, 'BTC'],
  [221, 'ETH'],
  [235, 'USDE'],
  [254, 'SOL'],
  [268, 'USDT'],
  [269, 'FARTCOIN'],
  [299, 'PUMP'],
  [360, 'USDH'],
]);

/** Tokens of Unit, whose full name begins so; the name without its U is not always the asset. */
const ofUnit: ReadonlyMap<unknown, string> = new Map([
  ['UBTC', 'BTC'],
  ['UETH', 'ETH'],
  ['USOL', 'SOL'],
  ['UFART', 'FARTCOIN'],
  ['UPUMP', 'PUMP'],
  ['UBONK', 'BONK'],
  ['UXPL', 'XPL'],
  ['UDZ', '2Z'],
  ['UUUSPX', 'SPX'],
  ['UENA', 'ENA'],
  ['UMON', 'MON'],
  ['UZEC', 'ZEC'],
  ['UDOGE', 'DOGE'],
  ['UMOG', 'MOG'],
  ['UWLD', 'WLD'],
]);

/** Tokens of other bridges. */
const bridged: ReadonlyMap<unknown, string> = new Map([
  ['HPENGU', 'PENGU'],
  ['MMOVE', 'MOVE'],
  ['XAUT0', 'XAUT'],
  ['USDT0', 'USDT'],
  ['LINK0', 'LINK'],
  ['AVAX0', 'AVAX'],
  ['BNB1', 'BNB'],
  ['FXRP', 'XRP'],
]);

/** Assets of other chains: a token of Hyperliquid's own with one of these names is another coin. */
const foreign: ReadonlySet<unknown> = new Set(
  [byIndex, ofUnit, bridged].flatMap((tokens) => [...tokens.values()]),
);

/** A token as the list states it. */
export interface Token {
  index: unknown;
  name: string;
  fullName: unknown;
}

/**
 * The asset of a token. Anyone may list a token with any name: one that has the name of a coin of another chain, without being its
 * known token, is another coin (PUMP is PUMPHYPERLIQUID, UPUMP is PUMP). Letters are upper-cased: kHYPE is a staked HYPE, not a thousand.
 */
export function assetOfToken({ index, name, fullName }: Token): string {
  const isUnit = typeof fullName === 'string' && fullName.startsWith('Unit ');
  const known = byIndex.get(index) ?? (isUnit ? ofUnit.get(name) : undefined) ?? bridged.get(name);
  if (known !== undefined) return known;
  const symbol = name.toUpperCase();
  return foreign.has(symbol) ? `${symbol}HYPERLIQUID` : symbol;
}
