/** Tokens of Hyperliquid's spot market: which of them are coins that the field knows. */
import { assetOf, classOf } from './resolve.ts';

/** Who vouches for a token: the index that nobody else can have, the maker in its full name, or its name alone. */
type By = number | 'unit' | 'name';

/** By name: the asset, one for one, and what else must fit. The name of a token of Unit without its U is not always the asset. */
const tokens: ReadonlyMap<string, readonly [asset: string, ...by: readonly By[]]> = new Map([
  ['USDC', ['USDC', 0]],
  ['HYPE', ['HYPE', 150]],
  ['USDE', ['USDE', 235]],
  ['USDH', ['USDH', 360]],
  ['UBTC', ['BTC', 197, 'unit']],
  ['UETH', ['ETH', 221, 'unit']],
  ['USOL', ['SOL', 254, 'unit']],
  ['UFART', ['FARTCOIN', 269, 'unit']],
  ['UPUMP', ['PUMP', 299, 'unit']],
  ['UBONK', ['BONK', 'unit']],
  ['UXPL', ['XPL', 'unit']],
  ['UDZ', ['2Z', 'unit']],
  ['UUUSPX', ['SPX', 'unit']],
  ['UENA', ['ENA', 'unit']],
  ['UMON', ['MON', 'unit']],
  ['UZEC', ['ZEC', 'unit']],
  ['UDOGE', ['DOGE', 'unit']],
  ['UMOG', ['MOG', 'unit']],
  ['UWLD', ['WLD', 'unit']],
  ['HPENGU', ['PENGU', 'name']],
  ['MMOVE', ['MOVE', 'name']],
  ['XAUT0', ['XAUT', 'name']],
  ['USDT0', ['USDT', 'name']],
  ['LINK0', ['LINK', 'name']],
  ['AVAX0', ['AVAX', 'name']],
  ['BNB1', ['BNB', 'name']],
  ['FXRP', ['XRP', 'name']],
  ['XMR1', ['XMR', 'name']],
  ['FXMR', ['XMR', 'name']],
  ['UANSEM', ['ANSEM', 'unit']],
  ['UMEGA', ['MEGA', 'unit']],
  ['UVIRT', ['VIRTUAL', 'unit']],
  ['UAVAX', ['AVAX', 'unit']],
  ['AAVE0', ['AAVE', 'name']],
  ['TRX0', ['TRX', 'name']],
  ['TRX1', ['TRX', 'name']],
  ['TAO1', ['TAO', 'name']],
]);

/** Coins of other chains, whose names tokens that anyone has listed bear as well. */
const elsewhere = `1INCH AAVE ACH ACT ADA AI16Z AIXBT ALGO ALT ANIME ANKR ANT APE APT AR ARB ARC ASI ASTER ATOM AXS BABYDOGE BAL BANANA BAT BB BCH BERA BGB BIO
  BLUR BOME BRETT BSV CAKE CAT CELO CFX CHEEMS CHZ COMP COTI CREAM CRO CRV DASH DGB DOGS DOT DRIFT DYDX EDU EGLD EIGEN ENJ ENS ETC ETHFI FARM FET FIL
  FLOKI FLOW FLUX FLY FUN G GALA GAS GMX GNO GOAT GRAM GRASS GRIFFAIN GRT H HBAR HIGH HNT HOME HOOK HOT HUMA ICP ID IMX INIT INJ IO IOTA IP JASMY
  JTO JUP KAITO KAS KSM LAYER LDO LINEA LPT LRC LTC LUNA LUNC MAGIC MANTA MASK ME MELANIA MEME MEW MINA MKR MOODENG MOTHER MYRO NEAR NEIRO
  NEO NFT NOT NTRN OKB ONDO ONE OP ORDI PAXG PENDLE PEOPLE PEPE PERP PIXEL PNUT POL POLYX POPCAT PORTAL PROMPT PYTH QTUM RATS RDNT RENDER
  RESOLV ROSE RSR RUNE RVN S SAND SATS SC SEI SENT SHIB SIGN SLERF SNX SOPH SPK STG STRAX STRK STX SUI SUPER SUSHI SWAP TAO THETA TIA TIME TNSR
  TON TRADE TRB TRUMP TRX TURBO UMA UP USTC USUAL VET VINE VIRTUAL W WAR WCT WEN WIF WLFI WOO XEC XLM XMR XTZ YFI ZEN ZEREBRO ZIL ZK ZRO`;

/** Names of coins that a token of Hyperliquid's own may bear as well: it is another coin then. */
const taken: ReadonlySet<string> = new Set([
  ...[...tokens.values()].map(([asset]) => asset),
  ...elsewhere.split(/\s+/),
]);

/** A token as the list states it. */
export interface Token {
  index: unknown;
  name: string;
  fullName: unknown;
}

/** Shares and funds without a full name. 2026-09. */
const shares: ReadonlySet<unknown> = new Set(['GLD', 'META', 'MU', 'QQQM', 'SPCX']);

/** Whether a token is one of a share or of a fund: NVDAX is a "Wrapped NVIDIA xStock", MUX is no coin either. */
export const isShare = ({ name, fullName }: { name?: unknown; fullName?: unknown }): boolean =>
  shares.has(name) || (typeof fullName === 'string' && /xStock|EQX Tokenized/i.test(fullName));

/** Whether a name means something else than itself by the tables of all exchanges: another coin (MONAD, LEND), so many of one, or money. */
function isOther(name: string): boolean {
  const { symbol, scale } = assetOf(name, { venue: 'hyperliquid', kind: 'spot' });
  const isCoinOrShare = ['crypto', 'stock'].includes(classOf({}, name, 'hyperliquid'));
  return taken.has(name) || symbol !== name || scale !== 1 || !isCoinOrShare;
}

/**
 * The asset of a token. Anyone may list a token with any name: one that has the name of a known coin or of a currency, without being
 * its known token, is another coin (PUMP is PUMPHYPERLIQUID, UPUMP is PUMP). Letters are upper-cased: kHYPE is a staked HYPE, not a
 * thousand.
 */
export function assetOfToken({ index, name, fullName }: Token): string {
  const [asset, ...by] = tokens.get(name) ?? [''];
  const isUnit = typeof fullName === 'string' && fullName.startsWith('Unit ');
  const fits = by.some((one) => one === 'name' || one === index || (one === 'unit' && isUnit));
  if (fits) return asset;
  const symbol = name.toUpperCase();
  return isOther(symbol) ? `${symbol}HYPERLIQUID` : symbol;
}
