/** What markets are about, and the symbols that say so. */

/**
 * What markets are about: `stock` holds funds as well, `pre_launch` coins and shares that are not listed yet, `unknown` is what no list
 * states.
 */
export const marketClasses = [
  'crypto',
  'stock',
  'index',
  'commodity',
  'fx',
  'pre_launch',
  'unknown',
] as const;
export type MarketClass = (typeof marketClasses)[number];

/** What an instrument is about. `leveraged` are tokens whose price follows a multiple of another one's change: they are not followed. */
export type AssetClass = MarketClass | 'leveraged';

/** What stands at the end of the symbol of what is no coin: DASH.STOCK is a share, DASH a coin. */
const endings: Readonly<Partial<Record<AssetClass, string>>> = {
  stock: '.STOCK',
  index: '.INDEX',
  commodity: '.COMMODITY',
  fx: '.FX',
  pre_launch: '.PRE',
};

/** Between a dex of builders and its ticker: XYZ:TSLA. */
export const dexMark = ':';

/**
 * What some exchanges call an index, a metal or energy that most call otherwise: their prices were within 0.3 % of each other (2026-09).
 * Of these classes alone: as a share GOLD is Barrick, and SPX a coin.
 */
const usual: Readonly<Partial<Record<AssetClass, Readonly<Record<string, string>>>>> = {
  index: { SP500: 'SPX500', US500: 'SPX500' },
  commodity: {
    BRENT: 'BZ',
    BRENTOIL: 'BZ',
    GOLD: 'XAU',
    NG: 'NATGAS',
    NGAS: 'NATGAS',
    SILVER: 'XAG',
    USOIL: 'CL',
    WTI: 'CL',
    XCU: 'COPPER',
    XNG: 'NATGAS',
  },
};

/** The symbol of a ticker: one of each class, so that nothing is put together across classes. A market of a builder has its own already. */
export const symbolOf = (ticker: string, asset: AssetClass): string =>
  ticker.includes(dexMark) ? ticker : `${usual[asset]?.[ticker] ?? ticker}${endings[asset] ?? ''}`;

/** The class that a symbol itself states; crypto where it states none, as those of builders do. */
export function classOfSymbol(symbol: string): MarketClass {
  const at = symbol.lastIndexOf('.');
  const ending = symbol.slice(Math.max(at, 0));
  return (at > 0 && marketClasses.find((one) => endings[one] === ending)) || 'crypto';
}

/** A symbol with a name behind its ticker, of the same class. */
export const withName = (symbol: string, name: string): string => {
  const ending = endings[classOfSymbol(symbol)] ?? '';
  return `${symbol.slice(0, symbol.length - ending.length)}${name}${ending}`;
};

/** Whether a symbol is that of a coin on the exchanges' own markets: sums and means of coins are of these alone. */
export const isCoin = (symbol: string): boolean =>
  !symbol.includes(dexMark) && classOfSymbol(symbol) === 'crypto';

/** The symbols that a ticker may stand for where it is no coin's. */
export const symbolsOfTicker = (ticker: string): readonly string[] =>
  marketClasses.filter((one) => endings[one]).map((one) => symbolOf(ticker, one));
