/** The dexes of builders on Hyperliquid, in the order of the list; one has delisted markets alone. */
export const dexes = ['xyz', 'flx', 'hyna'] as const;

/** The exchange's own perpetuals, and those of each dex. */
export const groups = ['perp', ...dexes];

/** Tokens that margin them by their index. */
export const collateral: Readonly<Record<string, number>> = { USDC: 0, USDH: 360, USDE: 235 };

/** `perpCategories`: what deployers call their markets; nothing of GOLD. */
export const categories = [
  ['xyz:TSLA', 'stocks'],
  ['xyz:NVDA', 'stocks'],
  ['xyz:SP500', 'indices'],
  ['xyz:EUR', 'fx'],
  ['hyna:BTC', 'crypto'],
  ['hyna:ETH', 'crypto'],
] as const;

/** `perpDexs`: the first is the exchange itself. */
export const builders = () => [
  null,
  ...dexes.map((name, i) => ({
    name,
    fullName: `Builder of ${name}`,
    deployer: `0x${'d'.repeat(39)}${i}`,
    oracleUpdater: null,
    feeRecipient: null,
    assetToStreamingOiCap: [],
    subDeployers: [],
    deployerFeeScale: '1.0',
    assetToFundingMultiplier: [],
  })),
];
