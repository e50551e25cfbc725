/** Fields and charts of the market indicators (specification 4.9), by the last segment of their path. */
import type { IndicatorName } from '../indicator-names.ts';
import * as s from '../schema.ts';
import * as bitcoin from './bitcoin.ts';
import { cycleTable } from './cycle.ts';
import * as exchanges from './exchanges.ts';
import { fearGreed } from './fear-greed.ts';
import { networkMetrics } from './network-metrics.ts';
import { index, indexOrNull, pct, pctOrNull, point, usd, usdOrNull } from './units.ts';

const altcoinSeason = {
  fields: s.object({
    index: index('Share of the coins that did better than Bitcoin in 90 days, percent.'),
    classification: s.oneOf(
      ['altcoin_season', 'bitcoin_season', 'neutral'],
      'What the index means.',
    ),
    period_days: s.integer('Days over which the changes are taken.'),
    coins_evaluated: s.integer('Coins that are compared.'),
    coins_outperforming: s.integer('Coins that did better than Bitcoin.'),
    bitcoin_change_pct: s.number("Bitcoin's own change in 90 days, percent."),
    month_index: indexOrNull('The same over 30 days.'),
    year_index: indexOrNull('The same over 365 days.'),
    coins: s.list(
      s.object({
        symbol: s.symbol,
        name: s.string('Of the coin.'),
        rank: s.integer('By market capitalisation.'),
        change_pct: pct,
        outperforms: s.boolean('It did better than Bitcoin.'),
      }),
      'Coins that are compared.',
    ),
  }),
  row: point({
    index: index(),
    backfilled: s.optional(
      s.literal(true, "Made afterwards from today's coins: flatters the altcoins."),
    ),
  }),
};

const dominance = {
  fields: s.object({
    dominance_pct: s.number("Bitcoin's share of all capitalisation, percent."),
    eth_dominance_pct: pctOrNull,
    others_pct: pctOrNull,
    total_market_cap_usd: usd(),
    btc_market_cap_usd: usd(),
    total_volume_24h_usd: usdOrNull,
    change_24h_pct_points: s.numberOrNull('Percentage points.'),
    trend: s.oneOf(
      ['rising', 'falling', 'flat', null],
      'Over 7 days; flat within 0.1 points; null while the record is shorter.',
    ),
  }),
  row: point({ dominance_pct: pct }),
};

const stablecoins = {
  fields: s.object({
    total_market_cap_usd: usd(),
    change_24h_pct: pctOrNull,
    change_7d_pct: pctOrNull,
    change_30d_pct: pctOrNull,
    usd_pegged_usd: s.numberOrNull('Those pegged to the dollar.'),
    stablecoin_supply_ratio: s.numberOrNull("Bitcoin's capitalisation / that of stablecoins."),
    top: s.list(
      s.object({
        symbol: s.string('Symbol of the stablecoin.'),
        name: s.string('Name of the stablecoin.'),
        market_cap_usd: usd(),
        share_pct: pct,
        change_30d_pct: pctOrNull,
      }),
      'The ten largest, the largest first.',
    ),
    signal: s.oneOf(['expanding', 'contracting', 'stable', null], 'By 1 % within 30 days.'),
    partial: s.optional(s.boolean('Only the largest stablecoins are in the sum.')),
  }),
  row: point({ total_market_cap_usd: usd() }),
};

const coefficient = s.numberOrNull(
  "Pearson's coefficient of daily log returns (of the differences for a yield); null with too few of them.",
  { minimum: -1, maximum: 1 },
);

const correlations = {
  fields: s.object({
    base: s.string('The asset that the others are compared with.'),
    assets: s.list(
      s.object({
        id: s.string('Key of its column in `history`.'),
        name: s.string('Name of the asset.'),
        correlation_30d: coefficient,
        correlation_90d: coefficient,
        correlation_365d: coefficient,
        last_price: s.numberOrNull('Index points, US dollars an ounce, or percent a year.'),
        last_date: s.unchecked<string | number | null>({
          type: ['string', 'integer', 'null'],
          description: 'Day of the last price: YYYY-MM-DD, or Unix milliseconds.',
        }),
        source: s.stringOrNull('Where its prices are from; null without any.'),
        strength: s.stringOrNull(
          'Of 90 days: weak, moderate (from 0.3) or strong (from 0.6), with `negative_` below 0.',
        ),
      }),
      'One row an asset.',
    ),
  }),
  row: point({
    sp500: coefficient,
    nasdaq: coefficient,
    gold: coefficient,
    dxy: coefficient,
    us10y: coefficient,
  }),
};

const optionsRatio = {
  ratio: s.numberOrNull('Open interest of options over that of futures, a ratio.'),
  options_oi_usd: usdOrNull,
  futures_oi_usd: usdOrNull,
};

const optionsFutures = {
  fields: s.object({
    symbol: s.optional(s.string('Asset of the ratio.')),
    ...optionsRatio,
    by_asset: s.list(
      s.object({
        symbol: s.symbol,
        ...optionsRatio,
        options_exchanges: s.list(s.string(), 'Exchanges whose options are in the sum.'),
        futures_exchange_count: s.integer('Exchanges whose futures are in the sum.'),
      }),
      'One row an asset.',
    ),
    signal: s.oneOf(
      ['options_dominant', 'futures_dominant', 'balanced', null],
      'Above 1 options, below 0.5 futures.',
    ),
    missing_options_exchanges: s.optional(s.list(s.string(), 'Exchanges that the sums lack now.')),
  }),
  row: point({
    ratio: optionsRatio.ratio,
    options_oi_usd: s.optional(usdOrNull),
    futures_oi_usd: s.optional(usdOrNull),
  }),
};

const volumeRatio = {
  ratio: s.numberOrNull('24 h turnover of futures over that of spot, a ratio.'),
  futures_volume_24h_usd: usdOrNull,
  spot_volume_24h_usd: usdOrNull,
};

const futuresSpot = {
  fields: s.object({
    ...volumeRatio,
    by_asset: s.list(s.object({ symbol: s.symbol, ...volumeRatio }), 'By base asset.'),
    by_exchange: s.list(s.object({ exchange: s.exchange, ...volumeRatio }), 'By exchange.'),
    signal: s.oneOf(
      ['leverage_driven', 'spot_driven', 'balanced', null],
      'Above 5 leverage, below 2 spot.',
    ),
    excluded_exchanges: s.optional(
      s.list(
        s.string(),
        'Exchanges whose turnover is not accepted, or of which a part is not heard.',
      ),
    ),
  }),
  row: point({
    ratio: volumeRatio.ratio,
    futures_volume_24h_usd: s.optional(usdOrNull),
    spot_volume_24h_usd: s.optional(usdOrNull),
  }),
};

/** Summary, own fields and point of the chart of each indicator. */
export const indicatorTable = {
  'fear-greed': { summary: 'Fear and greed index, 0 to 100', ...fearGreed },
  'altcoin-season': { summary: 'Altcoin season index, 0 to 100', ...altcoinSeason },
  'bitcoin-dominance': { summary: "Bitcoin's share of all capitalisation", ...dominance },
  'stablecoin-mcap': { summary: 'Capitalisation of all stablecoins', ...stablecoins },
  'bitcoin-correlations': {
    summary: 'Correlation of Bitcoin with shares, gold, the dollar and treasuries',
    ...correlations,
  },
  'options-futures-oi-ratio': {
    summary: 'Open interest of options against that of futures',
    ...optionsFutures,
  },
  'futures-spot-volume-ratio': {
    summary: '24 h turnover of futures against that of spot',
    ...futuresSpot,
  },
  ahr999: { summary: 'Price of Bitcoin against its 200-day cost', ...bitcoin.ahr999 },
  'puell-multiple': {
    summary: "Value of a day's issue of Bitcoin against its mean of 365 days",
    ...bitcoin.puell,
  },
  'stock-to-flow': { summary: 'Price of Bitcoin by its scarcity', ...bitcoin.stockToFlow },
  'pi-cycle': {
    summary: 'Crossings of the 111-day mean and twice the 350-day mean',
    ...bitcoin.piCycle,
  },
  'rainbow-chart': {
    summary: 'Bands around a logarithmic regression of the price of Bitcoin',
    ...bitcoin.rainbow,
  },
  'exchange-transparency': {
    summary: 'How much exchanges show of their reserves, 0 to 100',
    ...exchanges.transparency,
  },
  'borrow-interest-rate': {
    summary: 'Mean price of loans over the exchanges',
    ...exchanges.averages,
  },
  'borrow-rates': { summary: 'Price of loans by exchange and asset', ...exchanges.rates },
  'bitfinex-margin': {
    summary: 'Margin positions and their funding on Bitfinex',
    ...exchanges.margin,
  },
  'network-metrics': {
    summary:
      'MVRV, realised price, active addresses and flows of exchanges of Bitcoin and Ethereum',
    ...networkMetrics,
  },
  ...cycleTable,
} satisfies Record<IndicatorName, { summary: string; fields: s.TObject; row: s.TSchema }>;
type Table = typeof indicatorTable;

/** The fields that only this indicator has. */
export type IndicatorFields<N extends IndicatorName> = s.Static<Table[N]['fields']>;
/** A point of its chart. */
export type IndicatorRow<N extends IndicatorName> = s.Static<Table[N]['row']>;

/** The fields that all indicators have, behind their own. */
export const indicatorCommon = s.object({
  updated_at: s.unixMs('Time of the newest input, as its source states it.'),
  received_at: s.unixMs('When the newest input was received.'),
  source: s.either(
    s.string(),
    s.list(s.string()),
    'The source of the inputs; `computed` for an index of our own.',
  ),
  stale: s.boolean('The newest input is older than three times its cadence.'),
  coverage: s.named(
    'ChartCoverage',
    s.object(
      {
        from: s.integerOrNull('Time of the first point, Unix milliseconds.'),
        to: s.integerOrNull('Time of the last point, Unix milliseconds.'),
        points: s.integer('Points of the chart.'),
        recorded_from: s.integerOrNull(
          'Since when this service has recorded the series, Unix milliseconds; null where the sources give it whole.',
        ),
      },
      'The whole chart that `history` is the end of.',
    ),
  ),
});
export type IndicatorCommon = s.Static<typeof indicatorCommon>;

/** `data` of an answer: its own fields, those that all have, and the end of its chart. */
export type IndicatorAnswer<N extends IndicatorName> = IndicatorFields<N> &
  IndicatorCommon & { readonly history: readonly IndicatorRow<N>[] };

/** The schema of an answer. */
export function indicatorAnswer<N extends IndicatorName>(name: N) {
  const { fields, row } = indicatorTable[name];
  const schema = s.object({
    ...fields.properties,
    ...indicatorCommon.properties,
    history: s.list(row, 'Ascending by time; one point a UTC day where not said otherwise.'),
  });
  return s.unchecked<IndicatorAnswer<N>>({ ...schema });
}
