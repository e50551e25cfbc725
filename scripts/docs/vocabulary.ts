/** The words of the answers: one for each thing, and the fields that have another one. */

/** The words that fields use: name or ending, what it means, and its unit. */
const words: readonly (readonly [string, string])[] = [
  ['`symbol`', 'base asset, such as `BTC`; of a request also a market by base and quote'],
  ['`quote`', 'what the price is in, such as `USDT`'],
  ['`market`', "a market by its exchange's own name, such as `BTC-USDT-SWAP`"],
  ['`exchange`', 'an exchange by its id, such as `okx`'],
  [
    '`price`, `mark_price`, `index_price`',
    'of one base asset: of one market in its quote, over markets or assets in US dollars, as its endpoint says; `_usd` where both stand in one answer',
  ],
  ['`quantity`, `_base`', 'an amount in units of the base asset'],
  ['`_usd`', 'an amount in US dollars'],
  [
    '`open_interest_base`, `open_interest_usd`',
    'open contracts, one side, in the base asset and in US dollars',
  ],
  [
    '`volume_base`, `volume_usd`, `volume_24h_usd`',
    'traded, each trade counted once, in a bar or in 24 hours',
  ],
  [
    '`change`',
    'now against a time ago: `price_change_24h_percent`; a difference in the unit of the thing where it ends in no `_percent`',
  ],
  ['`_rate`, `_ratio`, `_share`, `_8h`', 'a fraction: 0.0001 is 0.01 %'],
  ['`_percent`', 'a percentage: 0.01 is 0.01 %. The window stands before it'],
  ['`iv`', 'implied volatility, a fraction a year'],
  [
    '`average_`, `median_`, `total_`',
    'over exchanges or over time, as the endpoint says; written in full',
  ],
  ['`timestamp`, `_at`, `_time`', 'a moment, Unix ms, an integer'],
  ['`_ms`, `_s`, `_minutes`, `_hours`, `_days`', 'a duration, with its unit'],
];

/** Fields with another word: their meaning by name. */
type Exceptions = Readonly<Record<string, string>>;

/** Those that the specification of the API names. */
export const specified: Exceptions = {
  apr_24h: 'of a pool, a percentage a year',
  asset: 'base asset',
  avg_borrow_apy: 'average, a percentage a year',
  avg_supply_apy: 'average, a percentage a year',
  borrow_apy: 'a percentage a year',
  coins: 'base assets',
  contract: 'market',
  fdv: 'fully diluted value, US dollars',
  instrument: 'market of an option',
  oi_contracts: 'open interest, contracts',
  oi_usd: 'open interest, US dollars',
  pair: 'market, or base and quote',
  pairs: 'number of markets, or their list',
  reward_apy: 'a percentage a year',
  spread_pct: 'a percentage',
  supply_apy: 'a percentage a year',
  total_oi_usd: 'open interest, US dollars',
  total_tvl: 'value locked, US dollars',
  tvl: 'value locked, US dollars',
  value: 'of an indicator or an oracle, in the unit that its endpoint states',
  volume_24h: 'traded in 24 hours, US dollars',
};

/** Those that are older than the vocabulary, where a new name would break clients, and words of the field for one thing. */
export const others: Exceptions = {
  account_value: 'value of an account over time, US dollars',
  annual_rate_pct: 'a percentage a year',
  apr: 'of a vault, a fraction a year',
  asset_count: 'number of base assets',
  assets_at_oi_cap: 'base assets whose open interest is at its cap',
  average_annual_rate_pct: 'a percentage a year',
  average_daily_rate_pct: 'a percentage a day',
  bitcoin_change_pct: 'a percentage',
  bucket_size: 'distance of two price levels, in the quote',
  by_asset: 'rows by base asset',
  call_oi_base: 'open interest of calls, in the base asset',
  change_24h_pct: 'a percentage',
  change_24h_pct_points: 'a difference of two percentages',
  change_30d_pct: 'a percentage',
  change_7d_pct: 'a percentage',
  change_pct: 'a percentage',
  coin_margin_usd: 'open interest margined in the base asset, US dollars',
  coins_evaluated: 'number of base assets',
  coins_outperforming: 'number of base assets',
  contract_size: 'base asset, or US dollars where inverse, of one contract',
  currency: 'base asset that is lent',
  daily_rate_pct: 'a percentage a day',
  dominance_pct: 'a percentage',
  eth_dominance_pct: 'a percentage',
  every_seconds: 'a duration, seconds',
  frr_annual_pct: 'flash return rate, a percentage a year',
  frr_daily_pct: 'flash return rate, a percentage a day',
  futures_oi_usd: 'open interest of futures and perpetuals, US dollars',
  gap_pct: 'a percentage',
  hourly_rate_pct: 'a percentage an hour',
  implied_volatility: 'a fraction a year',
  long_pct: 'a percentage',
  long_size: 'in the base asset',
  min_apr: 'the parameter of the same name, a percentage a year',
  min_volume: 'the parameter of the same name, US dollars',
  oi_share: 'share of the open interest, a fraction',
  oi_volume_ratio: 'open interest over the volume of 24 hours',
  oi_weighted_rate_8h: 'weighted by open interest, a fraction',
  open_interest_value: 'open interest, in the quote of the market',
  options_oi_usd: 'open interest of options, US dollars',
  others_pct: 'a percentage',
  price_amplitude_percent_24h: 'high against low of 24 hours, a percentage',
  price_change_percent_12h: 'a percentage',
  price_change_percent_15m: 'a percentage',
  price_change_percent_1h: 'a percentage',
  price_change_percent_24h: 'a percentage',
  price_change_percent_30m: 'a percentage',
  price_change_percent_4h: 'a percentage',
  price_change_percent_5m: 'a percentage',
  put_call_oi_ratio: 'open interest of puts over that of calls',
  put_oi_base: 'open interest of puts, in the base asset',
  settlement_currency: 'base asset or quote in which a contract is settled',
  share_pct: 'a percentage',
  short_pct: 'a percentage',
  short_size: 'in the base asset',
  tick_size: 'smallest step of a price, in the unit of prices',
  underlying_price: 'price of the base asset of an option, US dollars',
  venue_time: 'time that the exchange states, Unix ms',
  venues: 'of a reference rate: its markets, one an exchange',
  vol_weighted_rate_8h: 'weighted by volume, a fraction',
  volume: 'of a bar, in the base asset',
};

const rowsOf = (all: Exceptions) =>
  Object.entries(all).map(([name, meaning]) => `| \`${name}\` | ${meaning} |`);

/** The text of `docs/vocabulary.md`. */
export const vocabularyForDocs = (): string => `# Vocabulary

One word for each thing in the answers. New fields use these words, which a test holds over the schemas of all answers; the fields
with another word are listed below. What each number is made of: [numbers](numbers.md). This page is made from the code by
\`npm run docs\`.

| Name | Meaning and unit |
|---|---|
${words.map(([name, meaning]) => `| ${name} | ${meaning} |`).join('\n')}

## Other words that the specification requires

| Field | Meaning |
|---|---|
${rowsOf(specified).join('\n')}

## Other words that are older than this page, or usual for one thing

A new name would break clients; no other new field takes them.

| Field | Meaning |
|---|---|
${rowsOf(others).join('\n')}
`;
