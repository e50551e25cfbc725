/**
 * The widgets for OpenBB Workspace: ordinary paths of this API with the list in their answer, its columns and parameters.
 * https://docs.openbb.co/workspace/developers/json-specs/widgets-json-reference
 */

/** How OpenBB shows a number; `normalizedPercent` multiplies a fraction by 100, `percent` takes what is percent already. */
type Format = 'int' | 'none' | 'percent' | 'normalizedPercent';

/** A column of the list, `field` by its name in the answer. */
interface Column {
  field: string;
  headerName: string;
  cellDataType: 'text' | 'number' | 'date' | 'dateString';
  formatterFn?: Format;
  chartDataType?: 'category' | 'series' | 'time' | 'excluded';
  renderFn?: 'greenRed';
}

const text = (field: string, headerName: string): Column => ({
  field,
  headerName,
  cellDataType: 'text',
  chartDataType: 'category',
});
const number = (field: string, headerName: string, formatterFn: Format = 'none'): Column => ({
  field,
  headerName,
  cellDataType: 'number',
  formatterFn,
  chartDataType: 'series',
});
/** A change or a rate, green above zero and red below. */
const signed = (field: string, headerName: string, formatterFn: Format): Column => ({
  ...number(field, headerName, formatterFn),
  renderFn: 'greenRed',
});
/** Unix milliseconds. */
const time: Column = {
  field: 'timestamp',
  headerName: 'Time (UTC)',
  cellDataType: 'date',
  chartDataType: 'time',
};

interface Param {
  paramName: string;
  type: 'text' | 'number';
  value: string | number;
  label: string;
  options?: { label: string; value: string }[];
}

const choice = (paramName: string, label: string, words: readonly string[], value = ''): Param => ({
  paramName,
  type: 'text',
  value: value || (words[0] ?? ''),
  label,
  options: words.map((word) => ({ label: word, value: word })),
});
const symbol: Param = { paramName: 'symbol', type: 'text', value: 'BTC', label: 'Asset' };
const limit = (value: number): Param => ({
  paramName: 'limit',
  type: 'number',
  value,
  label: 'Rows',
});

interface View {
  name: string;
  description: string;
  subCategory: string;
  /** Path of this API. */
  path: string;
  /** Where the list stands in the answer. */
  dataKey: string;
  params: Param[];
  columns: Column[];
  /** Chart that it begins as; a table when absent. */
  chart?: 'line' | 'column';
  /** Until it is asked again, seconds. */
  every: number;
}

export const views: Readonly<Record<string, View>> = {
  markets: {
    name: 'Crypto markets',
    description: 'Price, changes, turnover, open interest and funding of perpetuals by asset.',
    subCategory: 'Markets',
    path: '/v1/futures/coins-markets',
    dataKey: 'data.items',
    params: [limit(50)],
    columns: [
      text('symbol', 'Asset'),
      number('price', 'Price, USD'),
      signed('price_change_1h_percent', '1 h', 'percent'),
      signed('price_change_24h_percent', '24 h', 'percent'),
      number('volume_24h_usd', 'Turnover 24 h, USD', 'int'),
      number('open_interest_usd', 'Open interest, USD', 'int'),
      signed('open_interest_change_24h_percent', 'Open interest 24 h', 'percent'),
      signed('funding_rate_8h', 'Funding of 8 h', 'normalizedPercent'),
      number('exchange_count', 'Exchanges'),
    ],
    every: 30,
  },
  funding_rates: {
    name: 'Funding rates',
    description: 'Mean, median and yearly funding rates of perpetuals over all exchanges by asset.',
    subCategory: 'Derivatives',
    path: '/v1/funding-rates',
    dataKey: 'data.items',
    params: [limit(50)],
    columns: [
      text('symbol', 'Asset'),
      signed('average_rate_8h', 'Mean of 8 h', 'normalizedPercent'),
      signed('median_rate_8h', 'Median of 8 h', 'normalizedPercent'),
      signed('annualized', 'A year', 'normalizedPercent'),
      number('contract_count', 'Contracts'),
      number('exchange_count', 'Exchanges'),
    ],
    every: 60,
  },
  open_interest: {
    name: 'Open interest',
    description: 'Recorded open interest of an asset over all exchanges, one side, US dollars.',
    subCategory: 'Derivatives',
    path: '/v1/open-interest/aggregated-history',
    dataKey: 'data.points',
    params: [symbol, choice('interval', 'Interval', ['5m', '1h', '1d'], '1h'), limit(100)],
    columns: [
      time,
      number('open_interest_usd', 'Open interest, USD', 'int'),
      { ...signed('change_percent', 'Change', 'percent'), chartDataType: 'excluded' },
      { ...number('exchange_count', 'Exchanges'), chartDataType: 'excluded' },
    ],
    chart: 'line',
    every: 300,
  },
  liquidations: {
    name: 'Liquidations',
    description: 'Recorded liquidations of longs and shorts by asset, of one and of 24 hours.',
    subCategory: 'Derivatives',
    path: '/v1/liquidations/coin-list',
    dataKey: 'data.items',
    params: [limit(50)],
    columns: [
      text('symbol', 'Asset'),
      number('liquidation_usd_1h', '1 h, USD', 'int'),
      number('long_1h_usd', 'Longs 1 h, USD', 'int'),
      number('short_1h_usd', 'Shorts 1 h, USD', 'int'),
      number('liquidation_usd_24h', '24 h, USD', 'int'),
      number('long_24h_usd', 'Longs 24 h, USD', 'int'),
      number('short_24h_usd', 'Shorts 24 h, USD', 'int'),
      number('largest_order_usd_24h', 'Largest 24 h, USD', 'int'),
    ],
    every: 60,
  },
  reference_rate: {
    name: 'Reference rate',
    description:
      'The spot markets that the reference rate of an asset is made of, with their weights.',
    subCategory: 'Markets',
    path: '/v1/reference-rate',
    dataKey: 'data.venues',
    params: [symbol],
    columns: [
      text('exchange', 'Exchange'),
      text('market', 'Market'),
      number('price', 'Price, USD'),
      number('weight', 'Weight', 'normalizedPercent'),
      signed('deviation_percent', 'Off the median', 'percent'),
      number('age_ms', 'Age, ms'),
      text('status', 'Status'),
    ],
    every: 30,
  },
  options: {
    name: 'Options by expiry',
    description: 'Max pain, put/call ratio and open interest of the options of an asset by expiry.',
    subCategory: 'Options',
    path: '/v1/options/max-pain',
    dataKey: 'data.expiries',
    params: [symbol],
    columns: [
      { ...text('date', 'Expiry'), cellDataType: 'dateString' },
      number('days_to_expiry', 'Days'),
      number('max_pain_price', 'Max pain, USD'),
      signed('distance_percent', 'From the price', 'percent'),
      number('call_oi_base', 'Calls, base units'),
      number('put_oi_base', 'Puts, base units'),
      number('put_call_ratio', 'Put/call'),
      number('open_interest_usd', 'Open interest, USD', 'int'),
    ],
    every: 300,
  },
  term_structure: {
    name: 'Futures term structure',
    description: 'Basis of the dated futures and perpetuals of an asset, and the same a year.',
    subCategory: 'Derivatives',
    path: '/v1/futures/term-structure',
    dataKey: 'data.items',
    params: [symbol],
    columns: [
      text('exchange', 'Exchange'),
      text('contract', 'Contract'),
      number('days_to_expiry', 'Days'),
      number('mark_price', 'Mark price, quote'),
      signed('basis_percent', 'Basis', 'percent'),
      signed('annualized_percent', 'Basis a year', 'percent'),
      number('open_interest_usd', 'Open interest, USD', 'int'),
      number('volume_24h_usd', 'Turnover 24 h, USD', 'int'),
    ],
    every: 60,
  },
  liquidity: {
    name: 'Liquidity',
    description: 'Spread of the live order books of an asset by market.',
    subCategory: 'Markets',
    path: '/v1/liquidity',
    dataKey: 'data.items',
    params: [symbol, choice('kind', 'Kind', ['spot', 'perpetual'])],
    columns: [
      text('exchange', 'Exchange'),
      text('market', 'Market'),
      text('kind', 'Kind'),
      number('mid_price', 'Mid price, quote'),
      number('spread_percent', 'Spread', 'percent'),
    ],
    every: 30,
  },
  scorecard: {
    name: 'Scorecard of the exchanges',
    description:
      'How reliable and how fresh the data of each exchange are, as this service recorded them.',
    subCategory: 'Quality of data',
    path: '/v1/scorecard',
    dataKey: 'data.items',
    params: [],
    columns: [
      text('exchange', 'Exchange'),
      text('topic', 'Topic'),
      number('up_24h', 'Up 24 h', 'normalizedPercent'),
      number('up_7d', 'Up 7 days', 'normalizedPercent'),
      number('age_ms_p50', 'Age, median, ms'),
      number('age_ms_p99', 'Age, 99th percentile, ms'),
      number('suspect_24h', 'Held back'),
      number('refused_24h', 'Refused'),
      number('reconnects_24h', 'Reconnects'),
    ],
    every: 300,
  },
  fear_greed: {
    name: 'Fear and greed',
    description: 'The fear and greed index of the market by day, 0 to 100.',
    subCategory: 'Sentiment',
    path: '/v1/indicators/fear-greed',
    dataKey: 'data.history',
    params: [limit(365)],
    columns: [time, number('value', 'Index'), text('classification', 'Meaning')],
    chart: 'line',
    every: 3_600,
  },
};
