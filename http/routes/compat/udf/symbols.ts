/** `symbols`: what a symbol is. */
import { intervals } from '../../../../actors/topics/index.ts';
import { decimalsOf } from '../../../../indicators/digits.ts';
import { unifiedName } from '../../../../indicators/market/market-names.ts';
import { isApiError, kit, s } from '../../kit.ts';
import { form, resolutionOf, symbol } from './form.ts';
import {
  type Context,
  intervalsOf,
  isSeries,
  type MarketTicker,
  readTicker,
  seriesOf,
  type Ticker,
  types,
} from './tickers.ts';

const day = intervals['1d'];

const symbolInfo = s.named(
  'UdfSymbol',
  s.object({
    name: s.string('What is shown.'),
    ticker: s.string('What the other paths are asked by.'),
    description: s.string('In words.'),
    type: s.oneOf(types, 'Series have one value a bar.'),
    session: s.literal('24x7', 'Always.'),
    timezone: s.literal('Etc/UTC', 'Of days.'),
    exchange: s.string('Exchange id, or `reference`.'),
    listed_exchange: s.string('The same.'),
    minmov: s.integer('Steps of the price are this divided by `pricescale`.'),
    pricescale: s.integer(
      '10 to the power of the digits after the point: those of `tick_size` of /v1/instruments; six digits of the price where that is null.',
    ),
    minmove2: s.integer('0.'),
    fractional: s.boolean('False.'),
    has_intraday: s.boolean('Whether there are bars of less than a day.'),
    intraday_multipliers: s.list(s.string(), 'The resolutions of less than a day.'),
    has_daily: s.boolean('Whether there are bars of a day.'),
    has_weekly_and_monthly: s.boolean('Whether there are bars of a week and a month.'),
    has_empty_bars: s.boolean('False: a bar without a trade may be missing.'),
    supported_resolutions: s.list(s.string(), 'All resolutions.'),
    volume_precision: s.integer('Digits after the point of volumes.'),
    format: s.oneOf(['price', 'volume'], 'How numbers are shown.'),
    visible_plots_set: s.oneOf(['ohlcv', 'c'], 'Series have closes alone.'),
    currency_code: s.string('What prices are in.'),
    data_status: s.literal('streaming', 'The newest bar changes as long as it runs.'),
  }),
);

/** Digits of a price whose step no list states, after the first. */
const shownDigits = 5;
/** Powers of ten are whole numbers that a client can divide by up to here. */
const mostDecimals = 15;

/** The step of a market's prices; where its exchange states none, that of six digits of its newest price, and 0.01 at most. */
function stepOf({ prices }: Context, { exchange, instrument, kind }: MarketTicker): number {
  const { tick, symbol: asset, market } = instrument;
  if (tick !== undefined) return tick;
  const price = prices.rowOf(exchange, { symbol: asset, market, kind })?.row.price ?? 1;
  return Number(`1e${Math.min(-2, Math.floor(Math.log10(price)) - shownDigits)}`);
}

/** A step as a whole number of parts. */
function scaleOf(step: number): { minmov: number; pricescale: number } {
  const pricescale = 10 ** Math.min(mostDecimals, decimalsOf(step));
  return { minmov: Math.max(1, Math.round(step * pricescale)), pricescale };
}

/** What the symbols of one kind have of their own. */
function ownOf(context: Context, one: Ticker) {
  if (isSeries(one)) {
    const { about, unit, decimals } = seriesOf(one);
    return {
      name: one.ticker,
      description: `${one.symbol} on ${one.exchange}: ${about}`,
      type: 'series' as const,
      step: 10 ** -decimals,
      format: one.word === 'open_interest' || one.word === 'cvd' ? 'volume' : 'price',
      plots: 'c',
      currency: unit,
    } as const;
  }
  const { instrument, exchange, kind } = one;
  return {
    name: instrument.market,
    description: `${unifiedName(instrument) ?? instrument.market} on ${exchange}`,
    type: kind,
    step: stepOf(context, one),
    format: 'price',
    plots: 'ohlcv',
    currency: instrument.quote,
  } as const;
}

function infoOf(context: Context, one: Ticker): s.Static<typeof symbolInfo> {
  const { name, description, type, step, format, plots, currency } = ownOf(context, one);
  const all = intervalsOf(context, one);
  const has = (...names: (typeof all)[number][]) =>
    names.every((interval) => all.includes(interval));
  const intraday = all.filter((interval) => intervals[interval] < day);
  return {
    ...{ name, ticker: one.ticker, description, type },
    ...{ session: '24x7', timezone: 'Etc/UTC' },
    ...{ exchange: one.exchange, listed_exchange: one.exchange },
    ...{ ...scaleOf(step), minmove2: 0, fractional: false },
    has_intraday: intraday.length > 0,
    intraday_multipliers: intraday.map(resolutionOf),
    has_daily: has('1d'),
    has_weekly_and_monthly: has('1w', '1M'),
    has_empty_bars: false,
    supported_resolutions: all.map(resolutionOf),
    volume_precision: 4,
    format,
    visible_plots_set: plots,
    currency_code: currency,
    data_status: 'streaming',
  };
}

/** What a symbol is. */
export const symbolRoute = (context: Context): kit.Route =>
  kit.document({
    noEnvelope: form,
    path: '/udf/symbols',
    summary: 'What a symbol is: its names, its digits and its resolutions',
    params: { symbol },
    answer: symbolInfo,
    source: context.instruments.source,
    build({ symbol: name }) {
      const one = readTicker(context, name);
      return isApiError(one) ? one : infoOf(context, one);
    },
  });
