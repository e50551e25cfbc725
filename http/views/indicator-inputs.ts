/** What the main number of each indicator of the market is made of, out of its published fields and inputs. */
import type * as topics from '../../actors/topics/index.ts';
import type { IndicatorFields } from '../../actors/topics/indicators/table.ts';
import { ahr999Days } from '../../indicators/market/ahr999.ts';
import { ratesOf } from '../../indicators/market/borrow.ts';
import { goldenDays, twoYearDays } from '../../indicators/market/cycle-averages.ts';
import { dayLength } from '../../indicators/market/days.ts';
import { houseParts } from '../../indicators/market/fear-greed.ts';
import { transparencyPoints } from '../../indicators/market/transparency.ts';
import type { MadeInput, MadeSeries, MainNumber } from './indicator-methods.ts';

/** What is published beside the fields. */
export interface Parts {
  /** The last point of the chart, of a day or hour that still runs. */
  live: topics.HistoryRow | null;
  inputs: readonly topics.IndicatorInput[];
  /** Up to the last day that is over. */
  days: readonly topics.InputDays[];
  /** Unix ms. */
  received_at: number;
}

const usd = 'US dollars';

const input = (name: string, value: number | null, unit: string, weight = 1): MadeInput => ({
  name,
  value,
  unit,
  weight,
});

/** The main number with its method and what it is made of. */
const mainNumber = (
  [field, result, method]: readonly [string, number | null, MainNumber['method']],
  parts: Pick<MainNumber, 'rule'> & Partial<Pick<MainNumber, 'threshold' | 'inputs' | 'series'>>,
): MainNumber => ({ field, result, method, threshold: null, inputs: [], ...parts });

const stated = (field: string, result: number, unit: string): MainNumber =>
  mainNumber([field, result, 'stated'], {
    rule: 'As the source states it: nothing of it is computed here.',
    inputs: [input(field, result, unit)],
  });

/** Inputs that are left out, by name. */
const leftOut = (names: readonly string[] | undefined, unit: string) =>
  (names ?? []).map((name) => input(name, null, unit, 0));

/** The last values of days, `every` days apart. */
function lastOf(
  { from, values, ...days }: topics.InputDays,
  count: number,
  every = 1,
): MadeSeries | null {
  const first = values.length - 1 - (count - 1) * every;
  if (first < 0) return null;
  return {
    ...days,
    weight: 1,
    from: from + first * dayLength,
    step_ms: every * dayLength,
    values: values.filter((_, i) => i >= first && (i - first) % every === 0),
  };
}

/** The closes with the price of the day that still runs as the last; null while they are not published. */
function closesOf({ days, live }: Parts): topics.InputDays | null {
  const found = days.find(({ name }) => name === 'close');
  if (found === undefined) return null;
  const price = live?.price_usd ?? live?.price;
  if (live === null || typeof price !== 'number') return found;
  const over = Math.round((live.timestamp - found.from) / dayLength);
  return { ...found, values: [...found.values.slice(0, over), price] };
}

const lastCloses = (parts: Parts, count: number, every?: number): MadeSeries | null => {
  const closes = closesOf(parts);
  return closes && lastOf(closes, count, every);
};

/** A mean of closes. */
function meanOf(field: string, result: number, closes: MadeSeries | null): MainNumber | null {
  if (closes === null) return null;
  return mainNumber([field, result, 'weighted_mean'], {
    rule: 'Daily closes of Bitcoin (00:00 UTC); the last is the price now while its day runs. Closes are of the first source that has the day, as `sources` lists them.',
    series: [closes],
  });
}

/** The days on which both coins were issued and a close is known. */
function minersDays({ days }: Parts): MadeSeries[] | null {
  if (days.length === 0) return null;
  return days.map((one) => lastOf(one, one.values.length)).filter((one) => one !== null);
}

/** A maker for each indicator; null while the inputs are not published. */
type Makers = {
  readonly [N in topics.IndicatorName]: (
    fields: IndicatorFields<N>,
    parts: Parts,
  ) => MainNumber | null;
};

export const makers: Makers = {
  'fear-greed'({ value, computed_from }) {
    if (computed_from === undefined) return stated('value', value, 'index points');
    return mainNumber(['value', value, 'rounded_weighted_mean'], {
      rule: 'Ranks among their own last 365 days; unrest and the change of dominance are turned over (100 less the rank). Parts with too few days are left out.',
      inputs: houseParts.map(({ name, weight, inverted }) => {
        const rank = computed_from.ranks[name] ?? null;
        const turned = rank !== null && inverted ? 100 - rank : rank;
        return input(name, turned, 'percent', rank === null ? 0 : weight);
      }),
    });
  },
  'altcoin-season': ({ index, bitcoin_change_pct, coins }) =>
    mainNumber(['index', index, 'rounded_share_above'], {
      threshold: bitcoin_change_pct,
      rule: 'Changes of the prices in 90 days of the 50 largest coins without stablecoins and coins backed by others, against that of Bitcoin.',
      inputs: coins.map(({ symbol, change_pct }) => input(symbol, change_pct, 'percent')),
    }),
  'bitcoin-dominance': ({ dominance_pct }) => stated('dominance_pct', dominance_pct, 'percent'),
  'stablecoin-mcap': ({ total_market_cap_usd: result }, { inputs }) =>
    inputs.length === 0
      ? null
      : mainNumber(['total_market_cap_usd', result, 'sum'], {
          rule: 'Capitalisation of each stablecoin as the source states it, in US dollars at its price.',
          inputs: inputs.map(({ name, value }) => input(name, value, usd)),
        }),
  'bitcoin-correlations'({ assets }, { days }) {
    if (days.length === 0) return null;
    const first = assets[0]?.correlation_90d ?? null;
    return mainNumber(['assets[].correlation_90d', first, 'correlation'], {
      rule: "`of` is the id of an asset; the series without it is Bitcoin's closes (00:00 UTC). Days without a value of the asset drop out: a return is that between two days that follow each other among the days that both have. Returns of the 90 days up to the newest such day count, 40 at least. `correlation_30d` and `correlation_365d` are the same of 30 days (15 returns) and 365 days (150).",
      series: days.flatMap((one) => lastOf(one, one.values.length) ?? []),
    });
  },
  'options-futures-oi-ratio'({ ratio, missing_options_exchanges: missing }, { inputs }) {
    if (inputs.length === 0) return null;
    return mainNumber(['by_asset[].ratio', ratio, 'ratio_of_sums'], {
      rule: 'Open interest by asset and exchange, one side, in US dollars: options at the forward of each, futures at their mark. `ratio` is that of BTC. Exchanges whose chain is missing, or whose sum jumped, are left out.',
      inputs: [
        ...inputs.map(({ side, of, ...one }) => ({ ...input(one.name, one.value, usd), of, side })),
        ...leftOut(missing, usd),
      ],
    });
  },
  'futures-spot-volume-ratio'(fields) {
    const { ratio, by_exchange, futures_volume_24h_usd, spot_volume_24h_usd } = fields;
    if (ratio === null) return null;
    const all = { exchange: 'all', futures_volume_24h_usd, spot_volume_24h_usd };
    const rows = by_exchange.length > 0 ? by_exchange : [all];
    if (futures_volume_24h_usd === null) return stated('ratio', ratio, 'ratio');
    return mainNumber(['ratio', ratio, 'ratio_of_sums'], {
      rule: 'Turnover of 24 hours by exchange, the sum of its markets of the last minutes: in US dollars by the rate of the quote. Exchanges whose sum jumped are left out.',
      inputs: [
        ...rows.map((row) => ({
          ...input(row.exchange, row.futures_volume_24h_usd, usd),
          side: 'above' as const,
        })),
        ...rows.map((row) => ({
          ...input(row.exchange, row.spot_volume_24h_usd, usd),
          side: 'below' as const,
        })),
        ...leftOut(fields.excluded_exchanges, usd),
      ],
    });
  },
  ahr999({ value, price_usd, age_days }, parts) {
    const closes = lastCloses(parts, ahr999Days);
    if (closes === null) return null;
    return mainNumber(['value', value, 'product_of_powers'], {
      rule: 'The price over the geometric mean of 200 closes, times the price over the growth valuation, 10^-17.01 x age^5.84 US dollars. The last close is the price now while its day runs.',
      inputs: [
        input('price_usd', price_usd, usd, 2),
        input('age_days', age_days, 'days', -5.84),
        input('growth_after_one_day', 10 ** -17.01, usd, -1),
      ],
      series: [{ ...closes, weight: -1 / ahr999Days }],
    });
  },
  'puell-multiple'({ value }, parts) {
    const series = minersDays(parts);
    if (series === null) return null;
    return mainNumber(['value', value, 'last_product_over_mean'], {
      series,
      rule: 'Coins issued on each of 365 days that are over (subsidies only), times the close of the day: the value of the last day over the mean of all.',
    });
  },
  'stock-to-flow'({ deflection, price_usd, stock_btc, flow_btc_365d }, parts) {
    const issued = minersDays(parts)?.find(({ name }) => name === 'issuance');
    if (issued === undefined) return null;
    return mainNumber(['deflection', deflection, 'product_of_powers'], {
      rule: 'The price over the model price, e^-1.84 x (stock / flow)^3.36 US dollars. The flow is the sum of the series, which has no power of its own.',
      inputs: [
        input('price_usd', price_usd, usd),
        input('stock_btc', stock_btc, 'BTC', -3.36),
        input('flow_btc_365d', flow_btc_365d, 'BTC', 3.36),
        input('model_price_of_ratio_1', Math.exp(-1.84), usd, -1),
      ],
      series: [{ ...issued, weight: 0 }],
    });
  },
  'pi-cycle'({ gap_pct }, parts) {
    const [short, long] = [lastCloses(parts, 111), lastCloses(parts, 350)];
    if (short === null || long === null) return null;
    return mainNumber(['gap_pct', gap_pct, 'excess_of_ratio_pct'], {
      rule: 'The mean of 111 daily closes above the line, twice that of 350 below it. The last close is the price now while its day runs.',
      series: [
        { ...short, weight: 1 / 111, side: 'above' },
        { ...long, weight: 2 / 350, side: 'below' },
      ],
    });
  },
  'rainbow-chart': ({ band, price_usd, days, model: { a, b } }) =>
    mainNumber(['band', band, 'logarithmic_band'], {
      rule: 'The price over the base, exp(a) x days^b US dollars, with `a` and `b` of `model`.',
      inputs: [
        input('price_usd', price_usd, usd),
        input('days', days, 'days', -b),
        input('base_after_one_day', Math.exp(a), usd, -1),
      ],
    }),
  'two-year-ma': ({ two_year_ma }, parts) =>
    meanOf('two_year_ma', two_year_ma, lastCloses(parts, twoYearDays)),
  '200-week-ma': ({ ma_200_week }, parts) =>
    meanOf('ma_200_week', ma_200_week, lastCloses(parts, 200, 7)),
  'golden-ratio': ({ ma_350_day }, parts) =>
    meanOf('ma_350_day', ma_350_day, lastCloses(parts, goldenDays)),
  'profitable-days'({ share, price, days }, parts) {
    const closes = closesOf(parts);
    const before = closes && lastOf({ ...closes, values: closes.values.slice(0, -1) }, days);
    if (before === null) return null;
    return mainNumber(['share', share, 'share_below'], {
      threshold: price,
      rule: 'All daily closes of Bitcoin before the price that they are compared with.',
      series: [before],
    });
  },
  'exchange-transparency'({ exchanges, method }, { received_at }) {
    const [first] = exchanges;
    if (first === undefined) return null;
    if (method === 'trust_score') return stated('exchanges[].score', first.score, 'points');
    return mainNumber(['exchanges[].score', first.score, 'rounded_sum'], {
      rule: '`of` is the id of an exchange. Wallets: 40 with reserves, 15 for a link alone. Audit: 25 within 180 days, 15 within a year, 5 before. Clean reserves: 20 x (clean_ratio - 0.5) / 0.5, within 0 and 20. Leverage: 15, 10, 5 up to a leverage_ratio of 0.5, 1, 2, else 0; 10 for spot alone.',
      inputs: exchanges.flatMap(({ derivatives_volume_24h_usd: traded = null, ...row }) => {
        const points = transparencyPoints(
          { ...row, derivatives_volume_24h_usd: traded },
          received_at,
        );
        return Object.entries(points).map(([name, value]) => ({
          ...input(name, value, 'points'),
          of: row.exchange,
        }));
      }),
    });
  },
  'borrow-interest-rate'({ average_annual_rate_pct: result }, { inputs }) {
    if (inputs.length === 0) return null;
    return mainNumber(['assets[].average_annual_rate_pct', result, 'weighted_mean'], {
      rule: '`of` is an asset: the plain mean over the exchanges that answered within two hours, of hourly rates times 8760. The main number is that of USDT.',
      inputs: inputs.map(({ of, name, value }) => ({
        ...input(name, value, 'percent a year'),
        of,
      })),
    });
  },
  'borrow-rates': ({ rates, refused }) =>
    mainNumber(['rates[].annual_rate_pct', rates[0]?.annual_rate_pct ?? null, 'sum'], {
      rule: '`of` is exchange/asset: the hourly rate of the lowest tier times 8760 hours. Rates above 200 % a year where all others ask less than 50 % are left out.',
      inputs: [
        ...rates.map(({ exchange, asset, hourly_rate_pct }) => ({
          ...input(exchange, hourly_rate_pct, 'percent an hour', ratesOf(0.01).annual_rate_pct),
          of: `${exchange}/${asset}`,
        })),
        ...refused.map(({ exchange, asset }) => ({
          ...input(exchange, null, 'percent an hour', 0),
          of: `${exchange}/${asset}`,
        })),
      ],
    }),
  'network-metrics': ({ mvrv }) => (mvrv === null ? null : stated('mvrv', mvrv, 'ratio')),
  'bitfinex-margin': ({ symbol, long_size, short_size, long_short_ratio: result }) =>
    mainNumber(['long_short_ratio', result, 'ratio_of_sums'], {
      rule: 'Margin positions as the exchange states them; null without shorts.',
      inputs: [
        { ...input('long_size', long_size, symbol), side: 'above' },
        { ...input('short_size', short_size, symbol), side: 'below' },
      ],
    }),
};
