/** Names of venues for assets, where ids of markets or other answers are made of them. */
import type { MarketSpec } from '../market.ts';

/** Bitfinex: usual name to its own, for every currency that it names otherwise. */
export const ownNames: ReadonlyMap<string, string> = new Map([
  ['USDT', 'UST'],
  ['USDC', 'UDC'],
  ['ALGO', 'ALG'],
  ['ATOM', 'ATO'],
  ['DASH', 'DSH'],
  ['IOTA', 'IOT'],
  ['MANA', 'MNA'],
  ['QTUM', 'QTM'],
]);

/** Bitfinex: its own name of a currency. */
export const ownName = (symbol: string): string => ownNames.get(symbol) ?? symbol;

/** Deribit: `25SEP26` in UTC. */
export function dayOf(t: number): string {
  const [, month = '', year] = new Date(t).toUTCString().slice(5).split(' ');
  return `${new Date(t).getUTCDate()}${month.toUpperCase()}${year?.slice(2)}`;
}

/** Hyperliquid: tokens that stand for assets of other chains; every other token has its asset's name. */
const wrapped: Readonly<Record<string, string>> = {
  ...{
    BTC: 'UBTC',
    ETH: 'UETH',
    SOL: 'USOL',
    BONK: 'UBONK',
    DOGE: 'UDOGE',
    ENA: 'UENA',
    ZEC: 'UZEC',
    WLD: 'UWLD',
  },
  USDT: 'USDT0',
  XRP: 'FXRP',
  BNB: 'BNB1',
  LINK: 'LINK0',
  AVAX: 'AVAX0',
};
/** The full name of a token: Unit has its name in it. */
export const fullNameOf = (token: string): string | null => {
  const isUnit =
    token.startsWith('U') && token !== 'USDT0' && Object.values(wrapped).includes(token);
  return isUnit ? `Unit ${token.slice(1)}` : null;
};
export const tokenOf = (symbol: string): string => wrapped[symbol] ?? symbol;

const renamed: Readonly<Record<string, string>> = { BTC: 'XBT', DOGE: 'XDG' };
const older = new Set(['BTC', 'ETH', 'LTC', 'XRP', 'XLM', 'ZEC', 'XMR', 'ETC']);
const currencies = new Set(['USD', 'EUR']);

/** Kraken's name of an asset: `XBT` for BTC. */
export const krakenName = (symbol: string): string => renamed[symbol] ?? symbol;

/** Kraken: the name with the prefix that older assets have: `XXBT`, `ZUSD`. */
export const prefixed = (symbol: string): string => {
  if (currencies.has(symbol)) return `Z${symbol}`;
  return older.has(symbol) || symbol === 'DOGE' ? `X${krakenName(symbol)}` : symbol;
};

type Pair = Pick<MarketSpec, 'symbol' | 'quote'>;

/** Kraken: `XBTUSD`, which requests may use as well as the id. */
export const shortName = ({ symbol, quote }: Pair): string =>
  krakenName(symbol) + krakenName(quote);

/** Kraken: `XBT/USD`. */
export const slashName = ({ symbol, quote }: Pair): string =>
  `${krakenName(symbol)}/${krakenName(quote)}`;

/** Kraken: older coins against a currency or BTC have prefixes in their id, and USDT against USD half of them. */
export function krakenId(pair: Pair): string {
  if (pair.symbol === 'USDT') return `USDT${prefixed(pair.quote)}`;
  const plain = !older.has(pair.symbol) || !(currencies.has(pair.quote) || pair.quote === 'BTC');
  return plain ? shortName(pair) : prefixed(pair.symbol) + prefixed(pair.quote);
}

/** KuCoin: Bitcoin has its older ticker in contracts, and some cheap coins are counted in thousands. */
export const nativeBase = ({ symbol, scale }: Pick<MarketSpec, 'symbol' | 'scale'>): string =>
  symbol === 'BTC' ? 'XBT' : `${scale > 1 ? scale : ''}${symbol}`;

/** Phemex: decimals of a currency's amounts: 2 for coins of the smallest prices, as for SHIB. */
export const valueScale = (price: number): number => (price < 1e-3 ? 2 : 8);
