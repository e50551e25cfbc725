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
