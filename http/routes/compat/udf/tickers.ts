/** What the symbols of a chart mean: markets, and series with one value a bar. */
import {
  allIntervals,
  type Instrument,
  type Interval,
  intervals,
} from '../../../../actors/topics/index.ts';
import { meaningsOf } from '../../../views/markets.ts';
import { apiError, type kit } from '../../kit.ts';

export type Context = Pick<
  kit.RoutesContext,
  | 'instruments'
  | 'markets'
  | 'prices'
  | 'exchanges'
  | 'registry'
  | 'candleIntervals'
  | 'liquidations'
  | 'referenceRates'
  | 'clock'
>;

const [oneMinute, fiveMinutes, hour] = [intervals['1m'], intervals['5m'], intervals['1h']];

/** The series of an asset on an exchange, by the last word of their tickers. */
export const seriesWords = {
  open_interest: {
    least: oneMinute,
    about: 'open interest of its perpetuals, US dollars',
    unit: 'USD',
    decimals: 0,
  },
  funding: {
    least: hour,
    about: 'fundings settled in the bar, percent',
    unit: '%',
    decimals: 4,
  },
  cvd: {
    least: fiveMinutes,
    about:
      'bought less sold by takers since 00:00 UTC, US dollars; of days and longer bars in the bar',
    unit: 'USD',
    decimals: 0,
  },
} as const;
export type SeriesWord = keyof typeof seriesWords;

export const types = ['spot', 'perpetual', 'series'] as const;

/** The exchange part of the reference rates. */
export const reference = 'reference';
const referenceSeries = {
  least: hour,
  about: 'hourly fixings, US dollars',
  unit: 'USD',
  decimals: 4,
};

export interface MarketTicker {
  ticker: string;
  exchange: string;
  instrument: Instrument;
  kind: 'spot' | 'perpetual';
}
export interface SeriesTicker {
  ticker: string;
  exchange: string;
  /** Base asset. */
  symbol: string;
  word: SeriesWord | typeof reference;
}
export type Ticker = MarketTicker | SeriesTicker;

export const isSeries = (one: Ticker): one is SeriesTicker => 'word' in one;

/** What is said of a series. */
export const seriesOf = ({ word }: SeriesTicker) =>
  word === reference ? referenceSeries : seriesWords[word];

const isWord = (text: string): text is SeriesWord => Object.hasOwn(seriesWords, text);

export const tickerOf = (exchange: string, { market, kind }: Pick<Instrument, 'market' | 'kind'>) =>
  `${exchange}:${market}:${kind}`;

/** The ticker of a series of an asset. */
export const seriesTicker = (
  exchange: string,
  symbol: string,
  word: SeriesTicker['word'],
): SeriesTicker => {
  const ticker = word === reference ? `${reference}:${symbol}` : `${exchange}:${symbol}:${word}`;
  return { ticker, exchange, symbol, word };
};

const kinds = ['spot', 'perpetual'] as const;
const kindIn = (word: string): 'spot' | 'perpetual' | undefined =>
  kinds.find((kind) => kind === word);

/** The parts of the text of a symbol. */
interface Parts {
  /** Absent where the text names none. */
  exchange: string | undefined;
  name: string;
  kind: 'spot' | 'perpetual' | undefined;
  word: SeriesWord | undefined;
}

/** Ids of markets may contain colons: an exchange stands before the first one, a kind or a word after the last. */
export function partsOf({ exchanges }: Pick<Context, 'exchanges'>, text: string): Parts {
  const parts = text.split(':');
  const given = (parts[0] ?? '').toLowerCase();
  const isNamed = parts.length > 1 && (given === reference || exchanges.candles.includes(given));
  const rest = isNamed ? parts.slice(1) : parts;
  const last = rest.length > 1 ? (rest.at(-1) ?? '').toLowerCase() : '';
  const [kind, word] = [kindIn(last), isWord(last) ? last : undefined];
  const name = (kind ?? word) === undefined ? rest : rest.slice(0, -1);
  return { exchange: isNamed ? given : undefined, name: name.join(':'), kind, word };
}

function referenceTicker({ referenceRates }: Context, name: string): SeriesTicker | kit.ApiError {
  const asset = meaningsOf(name).find((one) => referenceRates.has(one));
  if (asset !== undefined) return seriesTicker(reference, asset, reference);
  return apiError('unknown_symbol', `there is no reference rate of '${name}'`);
}

/** What parts mean on an exchange; null where it has no such market. */
function tickerAt(context: Context, exchange: string, { name, kind, word }: Parts) {
  const { instruments, markets } = context;
  const listed = instruments.names(exchange);
  if (listed === undefined) {
    return apiError('warming_up', `the markets of ${exchange} are not known yet`);
  }
  const found = markets.find(exchange, name, word === undefined ? kind : 'perpetual');
  if (found !== null && word !== undefined) return seriesTicker(exchange, found.symbol, word);
  const own = found && kindIn(found.kind);
  const instrument = found && listed.named(found.market, found.kind);
  if (!own || !instrument) return null;
  return { ticker: tickerOf(exchange, instrument), exchange, instrument, kind: own };
}

/**
 * What a client means: a ticker, `EXCHANGE:NAME`, or a name, which is that of the first exchange that has it; names as
 * `Markets.find` reads them.
 */
export function readTicker(context: Context, text: string): Ticker | kit.ApiError {
  const parts = partsOf(context, text);
  const { exchange, name } = parts;
  if (exchange === reference) return referenceTicker(context, name);
  const exchanges = exchange === undefined ? context.exchanges.candles : [exchange];
  for (const id of exchanges) {
    const found = tickerAt(context, id, parts);
    if (found !== null) return found;
  }
  return context.markets.unknown(exchanges[0] ?? '', name);
}

/** The intervals of the bars of a symbol; of a series those whose steps begin at multiples of their length. */
export function intervalsOf({ candleIntervals }: Context, one: Ticker): readonly Interval[] {
  if (!isSeries(one)) return candleIntervals.get(one.exchange) ?? [];
  const { least } = seriesOf(one);
  return allIntervals.filter(
    (interval) => intervals[interval] >= least && intervals[interval] <= intervals['3d'],
  );
}
