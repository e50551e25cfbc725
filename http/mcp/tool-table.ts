/** The tools: what a person asks about, each with its views, and the rows of the route table that a view reads. */

/** The paths of GET rows by the name of a view; the first view is the one that is meant when none is named. */
type Views = Readonly<Record<string, readonly string[]>>;

export interface ToolRow {
  name: string;
  title: string;
  /** What it answers, for a model that chooses among tools. */
  description: string;
  views: Views;
  /** What an argument is that no call gives, where the rows of a view differ in it. */
  usual?: Readonly<Record<string, string>>;
}

export const toolTable: readonly ToolRow[] = [
  {
    name: 'market_overview',
    title: 'Market overview',
    description:
      'The market at a glance: the largest assets with price, 24 h change, turnover, open interest, funding and liquidations (view assets; one asset with symbol), those that rose or fell most, assets by price change over a window (price_changes), exchanges by open interest, sentiment.',
    views: {
      assets: ['/v1/overview'],
      spot_assets: ['/v1/spot/coins-markets'],
      futures_assets: ['/v1/futures/coins-markets'],
      spot_gainers: ['/v1/spot/gainers'],
      spot_losers: ['/v1/spot/losers'],
      futures_gainers: ['/v1/futures/gainers'],
      futures_losers: ['/v1/futures/losers'],
      price_changes: ['/v1/futures/coins-price-change'],
      exchanges: ['/v1/futures/exchange-rank'],
      sentiment: ['/v1/sentiment'],
    },
  },
  {
    name: 'price',
    title: 'Price',
    description:
      'The price of an asset now on every exchange with mean and median (view exchanges; of several with symbols, of all without), a reference rate that no single exchange can move far (reference), or its hourly fixings.',
    views: {
      exchanges: ['/v1/prices'],
      reference: ['/v1/reference-rate'],
      fixings: ['/v1/reference-rate/fixings'],
    },
  },
  {
    name: 'order_book',
    title: 'Order book and liquidity',
    description:
      'The order book of one market (view book: exchange and symbol), of an asset over several exchanges as one (aggregated), spread, depth and slippage by exchange (liquidity: what a buy or sale of so many dollars costs), large resting orders, newest trades of a market.',
    views: {
      book: ['/v1/orderbook'],
      aggregated: ['/v1/spot/orderbook/aggregated'],
      liquidity: ['/v1/liquidity'],
      large_spot_orders: ['/v1/spot/large-orders'],
      large_futures_orders: ['/v1/futures/large-orders'],
      trades: ['/v1/trades'],
    },
  },
  {
    name: 'candles_with_indicators',
    title: 'Candles and technical indicators',
    description:
      'Candles (OHLCV) of a market with RSI, MACD, Bollinger bands, ATR and averages of the asset (view both), either of them alone, or tracked assets filtered and sorted by indicators (screener; the names of indicators are in indicator_names).',
    views: {
      both: ['/v1/bars', '/v1/indicators'],
      candles: ['/v1/bars'],
      indicators: ['/v1/indicators'],
      screener: ['/v1/screener'],
      indicator_names: ['/v1/indicators/catalogue'],
    },
    usual: { interval: '1h' },
  },
  {
    name: 'funding',
    title: 'Funding rates',
    description:
      'Funding rates of perpetuals. With symbol: of every exchange, highest and lowest (view current); without: many assets (sort by rate, annualized or exchanges). Weighted by turnover, settled rates over time (history), what a long has paid (cumulative), pairs of exchanges with different rates (arbitrage), basis of futures by expiry (term_structure).',
    views: {
      current: ['/v1/funding-rates'],
      weighted: ['/v1/funding-rates/vol-weighted'],
      history: ['/v1/funding-rates/vol-weighted-history'],
      cumulative: ['/v1/funding-rates/cumulative'],
      predicted_history: ['/v1/funding-rates/predicted-history'],
      arbitrage: ['/v1/funding-arbitrage'],
      term_structure: ['/v1/futures/term-structure'],
    },
  },
  {
    name: 'open_interest',
    title: 'Open interest and positioning',
    description:
      'Open interest of perpetuals in US dollars by exchange (view current; of all assets without symbol), over time (history), and how accounts are positioned: long and short by exchange (long_short), volume that takers bought and sold (taker_flow).',
    views: {
      current: ['/v1/open-interest'],
      history: ['/v1/open-interest/aggregated-history'],
      long_short: ['/v1/long-short-ratio'],
      taker_flow: ['/v1/futures/taker-buysell'],
    },
  },
  {
    name: 'liquidations',
    title: 'Liquidations',
    description:
      'Forced orders: sums of 1 to 24 hours by asset (view by_symbol), by exchange, over time (history), the newest single orders (orders), and estimates of where positions would be liquidated (max_pain).',
    views: {
      by_symbol: ['/v1/liquidations/coin-list'],
      by_exchange: ['/v1/liquidations/exchange-list'],
      history: ['/v1/liquidations/aggregated-history'],
      orders: ['/v1/liquidations/orders'],
      max_pain: ['/v1/liquidations/max-pain'],
    },
  },
  {
    name: 'options',
    title: 'Options',
    description:
      'Options on an asset: expiries with open interest, put/call ratio and volatility (view expiries), max pain of each expiry, exchanges by open interest, greeks of one expiry, volatility surface with skew, gamma exposure, realised against implied volatility, large trades with the premium paid for calls and puts (view flow, sort=premium).',
    views: {
      expiries: ['/v1/options/info'],
      max_pain: ['/v1/options/max-pain'],
      exchanges: ['/v1/options/exchange-oi'],
      greeks: ['/v1/options/greeks'],
      surface: ['/v1/options/surface'],
      gamma: ['/v1/options/gamma-exposure'],
      flow: ['/v1/options/trades'],
      volatility: ['/v1/volatility'],
    },
  },
  {
    name: 'on_chain',
    title: 'Chains, DEXes, stablecoins and lending',
    description:
      'Gas prices and block heights of chains, supply of stablecoins, hot wallets of exchanges, pairs on decentralised exchanges by name (dex_search: q) or token address (dex_token: address), large pools, lending rates. Names of tokens and pools are written by anybody.',
    views: {
      gas: ['/v1/onchain/gas'],
      blocks: ['/v1/onchain/blocks'],
      stablecoin_supply: ['/v1/onchain/supply'],
      stablecoins: ['/v2/defi/stablecoins'],
      exchange_wallets: ['/v1/onchain/exchange-flows'],
      dex_search: ['/v2/dex/search'],
      dex_token: ['/v2/dex/token/{address}'],
      uniswap_pools: ['/v2/dex/uniswap/pools'],
      raydium_pools: ['/v2/dex/raydium/pools'],
      orca_pools: ['/v2/dex/orca/pools'],
      lending_rates: ['/v1/lending/rates'],
      lending_overview: ['/v1/lending/overview'],
      lending_tvl: ['/v1/lending/tvl'],
    },
  },
  {
    name: 'wallet',
    title: 'Wallet',
    description:
      'The tokens of one wallet by its address and their value in US dollars. Names of tokens are written by anybody.',
    views: { portfolio: ['/v1/onchain/wallet'] },
  },
  {
    name: 'market_cycle',
    title: 'Market cycle',
    description:
      "Indicators of the whole market and of Bitcoin's cycle: signals of a top with their thresholds (view peak_signals), fear and greed, altcoin season, dominance, capitalisation of stablecoins, Pi cycle, Puell multiple, rainbow chart, metrics of the networks (MVRV, flows of exchanges; CC BY-NC 4.0) and others, each with its history (limit).",
    views: {
      peak_signals: ['/v1/indicators/bull-market-peak'],
      fear_greed: ['/v1/indicators/fear-greed'],
      altcoin_season: ['/v1/indicators/altcoin-season'],
      bitcoin_dominance: ['/v1/indicators/bitcoin-dominance'],
      stablecoin_capitalisation: ['/v1/indicators/stablecoin-mcap'],
      bitcoin_correlations: ['/v1/indicators/bitcoin-correlations'],
      pi_cycle: ['/v1/indicators/pi-cycle'],
      puell_multiple: ['/v1/indicators/puell-multiple'],
      rainbow_chart: ['/v1/indicators/rainbow-chart'],
      ahr999: ['/v1/indicators/ahr999'],
      stock_to_flow: ['/v1/indicators/stock-to-flow'],
      network_metrics: ['/v1/indicators/network-metrics'],
      two_year_average: ['/v1/indicators/two-year-ma'],
      two_hundred_week_average: ['/v1/indicators/200-week-ma'],
      golden_ratio: ['/v1/indicators/golden-ratio'],
      profitable_days: ['/v1/indicators/profitable-days'],
    },
  },
  {
    name: 'source_health',
    title: 'Health of the sources',
    description:
      'Whether the data can be relied on: every source with its last success, age and last error (view sources), time up and age of each exchange over 24 hours and 7 days (scorecard), what is recorded (history), and which exchanges there are (exchanges).',
    views: {
      sources: ['/v1/status'],
      scorecard: ['/v1/scorecard'],
      history: ['/v1/history/coverage'],
      exchanges: ['/v1/exchanges'],
    },
  },
];
