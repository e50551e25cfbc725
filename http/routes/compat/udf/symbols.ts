/** `symbols` and `search`: what there is to be charted. */
import { type Instrument, intervals } from '../../../../actors/topics/index.ts';
import * as s from '../../../../actors/topics/schema.ts';
import { dollarQuotes } from '../../../../config/quotes.ts';
import { decimalsOf } from '../../../../indicators/digits.ts';
import { unifiedName } from '../../../../indicators/market/market-names.ts';
import type { Route } from '../../../endpoints/route.ts';
import { isApiError } from '../../../wire/errors.ts';
import { document } from '../../factory/document.ts';
import { form, group, resolutionOf, symbol } from './form.ts';
import {
  type Context,
  intervalsOf,
  isSeries,
  type MarketTicker,
  readTicker,
  type SeriesTicker,
  seriesOf,
  seriesWords,
  type Ticker,
  tickerOf,
} from './tickers.ts';

const day = intervals['1d'];
const types = ['spot', 'perpetual', 'series'] as const;

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

const found = s.named(
  'UdfFound',
  s.object({
    symbol: s.string('What is shown.'),
    full_name: s.string('The ticker.'),
    description: s.string('In words.'),
    exchange: s.string('Exchange id, or `reference`.'),
    ticker: s.string('What the other paths are asked by.'),
    type: s.oneOf(types, 'Series have one value a bar.'),
  }),
);
type Found = s.Static<typeof found>;

/** A market or series with the words that it is found by, in upper case, and its place among equals. */
interface Entry {
  shown: Found;
  names: readonly string[];
  base: string;
  order: number;
}

const marketEntry = (exchange: string, row: Instrument, order: number): Entry => {
  const { market, symbol: base, quote, kind } = row;
  const ticker = tickerOf(exchange, row);
  const description = `${unifiedName(row) ?? market} on ${exchange}`;
  const type = kind === 'spot' ? ('spot' as const) : ('perpetual' as const);
  const minor = (dollarQuotes.has(quote) ? 0 : 2) + (kind === 'spot' ? 0 : 1);
  return {
    shown: { symbol: market, full_name: ticker, description, exchange, ticker, type },
    names: [market, base + quote, ticker].map((name) => name.toUpperCase()),
    base: base.toUpperCase(),
    order: minor * 1_000 + order,
  };
};

const seriesEntry = (one: SeriesTicker, order: number): Entry => {
  const { ticker, exchange, symbol: base } = one;
  const description = `${base} on ${exchange}: ${seriesOf(one).about}`;
  return {
    shown: { symbol: ticker, full_name: ticker, description, exchange, ticker, type: 'series' },
    names: [ticker.toUpperCase()],
    base: base.toUpperCase(),
    // After all markets.
    order: 10_000 + order,
  };
};

const words = Object.keys(seriesWords).filter((word): word is keyof typeof seriesWords =>
  Object.hasOwn(seriesWords, word),
);

/** Everything that can be found; made again after a new list of instruments. */
class Index {
  readonly #context: Context;
  #all: readonly Entry[] | null = null;

  constructor(context: Context) {
    this.#context = context;
    context.instruments.source.listen(undefined, () => {
      this.#all = null;
    });
  }

  all(): readonly Entry[] {
    this.#all ??= this.#context.exchanges.candles.flatMap((exchange, at) => this.#of(exchange, at));
    return this.#all;
  }

  #of(exchange: string, at: number): Entry[] {
    const rows = this.#context.instruments.of(exchange);
    const followed = rows.filter(({ kind }) => kind === 'spot' || kind === 'perpetual');
    const perpetuals = followed.filter(({ kind }) => kind === 'perpetual');
    const assets = new Set(perpetuals.map((row) => row.symbol));
    const series = [...assets].flatMap((asset) =>
      words.map((word) => {
        const ticker = `${exchange}:${asset}:${word}`;
        return seriesEntry({ ticker, exchange, symbol: asset, word }, at);
      }),
    );
    return [...followed.map((row) => marketEntry(exchange, row, at)), ...series];
  }
}

/** How well a name fits, 0 best; null where it does not. */
function rankOf({ names, base }: Entry, query: string): number | null {
  if (query === '' || base === query || names.includes(query)) return 0;
  if (base.startsWith(query) || names.some((name) => name.startsWith(query))) return 1;
  return names.some((name) => name.includes(query)) ? 2 : null;
}

interface Wanted {
  query: string;
  type?: string | undefined;
  exchange?: string | undefined;
  limit: number;
}

function search(index: Index, { query, type, exchange, limit }: Wanted): Found[] {
  const upper = query.toUpperCase();
  const fitting = index.all().flatMap((entry) => {
    const { shown } = entry;
    const isAmong =
      (type === undefined || shown.type === type) &&
      (exchange === undefined || shown.exchange === exchange);
    const rank = isAmong ? rankOf(entry, upper) : null;
    return rank === null ? [] : [{ shown, order: rank * 100_000 + entry.order }];
  });
  fitting.sort((a, b) => a.order - b.order);
  return fitting.slice(0, limit).map(({ shown }) => shown);
}

/** Searches are as many as words: most are asked once. */
const searchBound = { entries: 500, bytes: 2 * 2 ** 20 };
const open = { access: 'key', group, bare: form } as const;

/** A word of a filter: the empty one, which clients send, is none. */
const filter = (description: string) =>
  ({ type: 'string', lenient: true, maxLength: 32, default: '', description }) as const;

export function symbolRoutes(context: Context): Route[] {
  const { instruments } = context;
  const index = new Index(context);
  return [
    document({
      ...open,
      path: '/udf/symbols',
      summary: 'What a symbol is: its names, its digits and its resolutions',
      params: { symbol },
      answer: symbolInfo,
      source: instruments.source,
      build({ symbol: name }) {
        const one = readTicker(context, name);
        return isApiError(one) ? one : infoOf(context, one);
      },
    }),
    document({
      ...open,
      path: '/udf/search',
      summary: 'Symbols whose name contains a text, the nearest first',
      params: {
        query: filter('Text in any case; everything when empty.'),
        type: filter(`One of ${types.join(', ')}; all when empty.`),
        exchange: filter('Exchange id; all when empty.'),
        limit: {
          type: 'integer',
          default: 30,
          minimum: 1,
          maximum: 200,
          description: 'Most symbols.',
        },
      },
      answer: s.list(found, 'The nearest first.'),
      source: instruments.source,
      bound: searchBound,
      build: ({ query = '', type = '', exchange = '', limit }) =>
        index.all().length === 0
          ? null
          : search(index, {
              query,
              type: type === '' ? undefined : type.toLowerCase(),
              exchange: exchange === '' ? undefined : exchange.toLowerCase(),
              limit,
            }),
    }),
  ];
}
