import type { IndicatorName } from '../../actors/topics.ts';
import {
  answer,
  boolean,
  index,
  indexOrNull,
  type Properties,
  pct,
  pctOrNull,
  usd,
  usdOrNull,
  word,
  wordOrNull,
} from './market-indicators-answer.ts';
import * as lending from './market-indicators-lending.ts';
import * as models from './market-indicators-models.ts';
import type { Schema } from './route.ts';
import * as s from './schemas.ts';

const fearGreedClass = word('extreme_fear', 'fear', 'neutral', 'greed', 'extreme_greed');

const fearGreed = answer(
  {
    value: index,
    classification: fearGreedClass,
    classification_label: s.of(s.string, 'The same in words.'),
    previous_close: indexOrNull,
    week_ago: indexOrNull,
    month_ago: indexOrNull,
    next_update_in_s: s.of(
      s.integerOrNull,
      'Seconds from `received_at` to the next value; null where the source does not say.',
    ),
    computed_from: s.of(
      s.object({
        weight: s.of(s.number, 'Of the parts that are known, 1 at most.'),
        ranks: s.mapOf(s.numberOrNull, 'part to its rank among its last 365 days, percent'),
      }),
      'What our own index is made of.',
    ),
  },
  { value: index, classification: fearGreedClass },
  { fields: ['computed_from'] },
);

const altcoinSeason = answer(
  {
    index: s.of(index, 'Share of the coins that did better than Bitcoin in 90 days, percent.'),
    classification: word('altcoin_season', 'bitcoin_season', 'neutral'),
    period_days: s.integer,
    coins_evaluated: s.integer,
    coins_outperforming: s.integer,
    bitcoin_change_pct: s.of(s.number, "Bitcoin's own change in 90 days, percent."),
    month_index: s.of(indexOrNull, 'The same over 30 days.'),
    year_index: s.of(indexOrNull, 'The same over 365 days.'),
    coins: s.array(
      s.object({
        symbol: s.string,
        rank: s.of(s.integer, 'By market capitalisation.'),
        change_pct: pct,
        outperforms: boolean,
      }),
    ),
  },
  {
    index,
    backfilled: s.of({ const: true }, "Made afterwards from today's coins: flatters the altcoins."),
  },
  { row: ['backfilled'] },
);

const dominance = answer(
  {
    dominance_pct: s.of(s.number, "Bitcoin's share of all capitalisation, percent."),
    eth_dominance_pct: pctOrNull,
    others_pct: pctOrNull,
    total_market_cap_usd: usd(),
    btc_market_cap_usd: usd(),
    total_volume_24h_usd: usdOrNull,
    change_24h_pct_points: s.of(s.numberOrNull, 'Percentage points.'),
    trend: s.of(
      wordOrNull('rising', 'falling', 'flat'),
      'Over 7 days; flat within 0.1 points; null while the record is shorter.',
    ),
  },
  { dominance_pct: pct },
);

const stablecoins = answer(
  {
    total_market_cap_usd: usd(),
    change_24h_pct: pctOrNull,
    change_7d_pct: pctOrNull,
    change_30d_pct: pctOrNull,
    usd_pegged_usd: s.of(s.numberOrNull, 'Those pegged to the dollar, US dollars.'),
    stablecoin_supply_ratio: s.of(
      s.numberOrNull,
      "Bitcoin's capitalisation / that of stablecoins.",
    ),
    top: s.array(
      s.object({
        symbol: s.string,
        name: s.string,
        market_cap_usd: usd(),
        share_pct: pct,
        change_30d_pct: pctOrNull,
      }),
    ),
    signal: s.of(wordOrNull('expanding', 'contracting', 'stable'), 'By 1 % within 30 days.'),
    partial: s.of(boolean, 'Only the largest stablecoins are in the sum.'),
  },
  { total_market_cap_usd: usd() },
  { fields: ['partial'] },
);

const coefficient = s.of(
  { type: ['number', 'null'], minimum: -1, maximum: 1 },
  "Pearson's coefficient of daily log returns (of the differences for a yield); null with too few of them.",
);

const correlations = answer(
  {
    base: s.string,
    assets: s.array(
      s.object({
        id: s.string,
        name: s.string,
        correlation_30d: coefficient,
        correlation_90d: coefficient,
        correlation_365d: coefficient,
        last_price: s.of(s.numberOrNull, 'Index points, US dollars an ounce, or percent a year.'),
        last_date: s.of(
          { type: ['string', 'integer', 'null'] },
          'Day of the last price: YYYY-MM-DD, or Unix milliseconds.',
        ),
        source: s.stringOrNull,
        strength: s.of(
          s.stringOrNull,
          'Of 90 days: weak, moderate (from 0.3) or strong (from 0.6), with `negative_` below 0.',
        ),
      }),
    ),
  },
  {
    sp500: coefficient,
    nasdaq: coefficient,
    gold: coefficient,
    dxy: coefficient,
    us10y: coefficient,
  },
);

const optionsRatio: Properties = {
  ratio: s.of(s.numberOrNull, 'Open interest of options / open interest of futures.'),
  options_oi_usd: usdOrNull,
  futures_oi_usd: usdOrNull,
};

const optionsFutures = answer(
  {
    symbol: s.of(s.string, 'Asset of the ratio.'),
    ...optionsRatio,
    by_asset: s.array(
      s.object({
        symbol: s.string,
        ...optionsRatio,
        options_exchanges: s.array(s.string),
        futures_exchange_count: s.integer,
      }),
    ),
    signal: s.of(
      wordOrNull('options_dominant', 'futures_dominant', 'balanced'),
      'Above 1 options, below 0.5 futures.',
    ),
    missing_options_exchanges: s.of(s.array(s.string), 'Exchanges that the sums lack now.'),
  },
  optionsRatio,
  { fields: ['symbol', 'missing_options_exchanges'], row: ['options_oi_usd', 'futures_oi_usd'] },
);

const volumeRatio: Properties = {
  ratio: s.of(s.numberOrNull, '24 h turnover of futures / that of spot.'),
  futures_volume_24h_usd: usdOrNull,
  spot_volume_24h_usd: usdOrNull,
};

const futuresSpot = answer(
  {
    ...volumeRatio,
    by_asset: s.array(s.object({ symbol: s.string, ...volumeRatio })),
    by_exchange: s.array(s.object({ exchange: s.string, ...volumeRatio })),
    signal: s.of(
      wordOrNull('leverage_driven', 'spot_driven', 'balanced'),
      'Above 5 leverage, below 2 spot.',
    ),
    excluded_exchanges: s.of(s.array(s.string), 'Exchanges whose turnover is not believed.'),
  },
  volumeRatio,
  { fields: ['excluded_exchanges'], row: ['futures_volume_24h_usd', 'spot_volume_24h_usd'] },
);

/** One line of documentation and the schema of `data`, by the last segment of the path. */
export const indicatorTable: Readonly<Record<IndicatorName, { summary: string; answer: Schema }>> =
  {
    'fear-greed': { summary: 'Fear and greed index, 0 to 100', answer: fearGreed },
    'altcoin-season': { summary: 'Altcoin season index, 0 to 100', answer: altcoinSeason },
    'bitcoin-dominance': { summary: "Bitcoin's share of all capitalisation", answer: dominance },
    'stablecoin-mcap': { summary: 'Capitalisation of all stablecoins', answer: stablecoins },
    'bitcoin-correlations': {
      summary: 'Correlation of Bitcoin with shares, gold, the dollar and treasuries',
      answer: correlations,
    },
    'options-futures-oi-ratio': {
      summary: 'Open interest of options against that of futures',
      answer: optionsFutures,
    },
    'futures-spot-volume-ratio': {
      summary: '24 h turnover of futures against that of spot',
      answer: futuresSpot,
    },
    ahr999: { summary: 'Price of Bitcoin against its 200-day cost', answer: models.ahr999 },
    'puell-multiple': {
      summary: "Value of a day's issue of Bitcoin against its mean of 365 days",
      answer: models.puell,
    },
    'stock-to-flow': { summary: 'Price of Bitcoin by its scarcity', answer: models.stockToFlow },
    'pi-cycle': {
      summary: 'Crossings of the 111-day mean and twice the 350-day mean',
      answer: models.piCycle,
    },
    'rainbow-chart': {
      summary: 'Bands around a logarithmic regression of the price of Bitcoin',
      answer: models.rainbow,
    },
    'exchange-transparency': {
      summary: 'How much exchanges show of their reserves, 0 to 100',
      answer: lending.transparency,
    },
    'borrow-interest-rate': {
      summary: 'Mean price of loans over the exchanges',
      answer: lending.averages,
    },
    'borrow-rates': { summary: 'Price of loans by exchange and asset', answer: lending.rates },
    'bitfinex-margin': {
      summary: 'Margin positions and their funding on Bitfinex',
      answer: lending.margin,
    },
  };
