/** The groups of endpoints with their descriptions, in the order of the documentation. */
export const groups = {
  'Prices, order books, bars':
    'Prices and open interest over all exchanges, and the order book and candles of one market.',
  'Order books over exchanges':
    'Order books added up over exchanges, recorded over time and as a heatmap, and large orders.',
  'Markets of an exchange': 'Every market of an exchange with its instruments, prices, funding.',
  Funding: 'Funding rates of perpetuals: current, recorded, weighted, and their differences.',
  Liquidations: 'Forced orders: the newest events, sums by symbol and exchange, recorded sums.',
  'Spot markets': 'Tables of spot markets: turnover, changes, gainers and losers.',
  'Futures markets': 'Tables of perpetuals: turnover, open interest, funding, changes.',
  'Exchange analytics': 'Data of single exchanges about positions, takers and loans.',
  'Open interest over time': 'Recorded open interest of one exchange and of all of them.',
  'Rows of many columns':
    'Candles, funding, open interest, liquidations, takers and order books of several markets in one table.',
  'In the form of Binance':
    'The markets of Binance in the form of its own public API, for programs that are written for it: bodies without an envelope, errors with its codes.',
  'In the form of Hyperliquid':
    'The public market data of Hyperliquid in the form of its own API, for programs that are written for it: many clients behind one address use one budget.',
  'For charting libraries':
    'The datafeed protocol of charting libraries (UDF): bodies without an envelope, times in Unix seconds.',
  Options: 'Option chains, greeks, max pain, volatility surface and gamma exposure.',
  'Technical indicators': 'Indicators computed of the candles of a market or of your own.',
  'Market indicators': 'Indicators of the market as a whole, of Bitcoin above all.',
  'On-chain': 'Blocks, fees, supplies of stablecoins, hot wallets and portfolios of nine chains.',
  'DEX and stablecoins': 'Pools and tokens of decentralised exchanges, and stablecoins.',
  Lending: 'Rates of lending pools.',
  Alerts:
    'Rules that watch values of the API, what they have fired, and its delivery to webhooks and chats.',
  Service: 'The state of the service itself and its documentation.',
  Keys: 'Account, API keys and usage.',
} as const satisfies Readonly<Record<string, string>>;

/** Name of a group of endpoints. */
export type Group = keyof typeof groups;

/** Where the paths of each group begin; a path is in the group of the longest beginning that it has, else it is about the service. */
const beginnings: Readonly<Record<Exclude<Group, 'Service'>, readonly string[]>> = {
  'Prices, order books, bars': [
    ...['/v1/prices', '/v1/open-interest', '/v1/exchanges', '/v1/orderbook', '/v2/orderbook'],
    ...['/v1/bars', '/v1/trades', '/v1/overview', '/v1/reference-rate'],
  ],
  'Order books over exchanges': [
    ...['/v1/spot/orderbook', '/v1/futures/orderbook', '/v1/spot/large-orders'],
    ...['/v1/futures/large-orders', '/v1/liquidity'],
  ],
  'Markets of an exchange': [
    ...['/v1/instruments', '/v2/exchanges', '/v2/funding-rates', '/v2/open-interest'],
    '/v1/exchanges/volume-history',
  ],
  Funding: ['/v1/funding'],
  Liquidations: ['/v1/liquidations', '/v1/analytics/okx/liquidations'],
  'Spot markets': ['/v1/spot'],
  'Futures markets': ['/v1/futures'],
  'Exchange analytics': [
    ...['/v1/analytics', '/v1/long-short-ratio', '/v1/hyperliquid', '/v1/spot/coinbase-premium'],
    ...['taker-buysell', 'cvd', 'netflow', 'footprint'].flatMap((what) =>
      ['spot', 'futures'].map((place) => `/v1/${place}/${what}`),
    ),
  ],
  'Open interest over time': ['/v1/open-interest/'],
  'Rows of many columns': ['/v1/rows'],
  'In the form of Binance': ['/compat/binance'],
  'In the form of Hyperliquid': ['/compat/hyperliquid'],
  'For charting libraries': ['/udf'],
  Options: ['/v1/options', '/v1/volatility'],
  'Technical indicators': [
    ...['/v1/indicators', '/v1/indicators/compute', '/v1/indicators/catalogue'],
    '/v1/screener',
  ],
  'Market indicators': ['/v1/indicators/', '/v1/sentiment'],
  'On-chain': ['/v1/onchain'],
  'DEX and stablecoins': ['/v2/dex', '/v2/defi'],
  Lending: ['/v1/lending'],
  Alerts: ['/v1/alerts'],
  Keys: ['/v1/auth', '/v1/usage'],
};
const isGroup = (name: string): name is Group => Object.hasOwn(groups, name);
/** The longest first. */
const places = Object.entries(beginnings)
  .flatMap(([group, paths]) => paths.map((path) => ({ group, path })))
  .sort((a, b) => b.path.length - a.path.length);

/** The group of a path in the documentation. */
export function groupOf(path: string): Group {
  const found = places.find((place) => path.startsWith(place.path))?.group ?? 'Service';
  return isGroup(found) ? found : 'Service';
}
