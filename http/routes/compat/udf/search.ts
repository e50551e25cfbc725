/** `search`: what there is to be charted, found by the names that `symbols` reads as well. */
import type { Instrument } from '../../../../actors/topics/index.ts';
import { dollarQuotes } from '../../../../config/quotes.ts';
import {
  baseOf,
  nameKey,
  readName,
  unifiedName,
} from '../../../../indicators/market/market-names.ts';
import { kit, s } from '../../kit.ts';
import { form } from './form.ts';
import {
  type Context,
  partsOf,
  reference,
  type SeriesTicker,
  seriesOf,
  seriesTicker,
  seriesWords,
  tickerOf,
  types,
} from './tickers.ts';

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

/** A market or series with the keys of the names that it is found by (`nameKey`), and its place among equals. */
interface Entry {
  shown: Found;
  names: readonly string[];
  base: string;
  order: number;
}

const marketEntry = (exchange: string, row: Instrument, order: number): Entry => {
  const { market, symbol: base, quote, kind } = row;
  const ticker = tickerOf(exchange, row);
  const unified = unifiedName(row) ?? market;
  const description = `${unified} on ${exchange}`;
  const type = kind === 'spot' ? ('spot' as const) : ('perpetual' as const);
  const minor = (dollarQuotes.has(quote) ? 0 : 2) + (kind === 'spot' ? 0 : 1);
  return {
    shown: { symbol: market, full_name: ticker, description, exchange, ticker, type },
    names: [market, base + quote, unified, ticker].map(nameKey),
    base: nameKey(base),
    order: minor * 1_000 + order,
  };
};

const seriesEntry = (one: SeriesTicker, order: number): Entry => {
  const { ticker, exchange, symbol: base } = one;
  const description = `${base} on ${exchange}: ${seriesOf(one).about}`;
  return {
    shown: { symbol: ticker, full_name: ticker, description, exchange, ticker, type: 'series' },
    names: [nameKey(ticker)],
    base: nameKey(base),
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
    this.#all ??= this.#made();
    return this.#all;
  }

  #made(): Entry[] {
    const { candles } = this.#context.exchanges;
    const listed = candles.map((exchange) => this.#context.instruments.of(exchange));
    const assets = new Set(listed.flatMap((rows) => rows.map((row) => row.symbol)));
    const rates = [...assets]
      .filter((asset) => this.#context.referenceRates.has(asset))
      .map((asset) => seriesEntry(seriesTicker(reference, asset, reference), candles.length));
    return [...candles.flatMap((exchange, at) => this.#of(exchange, at)), ...rates];
  }

  #of(exchange: string, at: number): Entry[] {
    const rows = this.#context.instruments.of(exchange);
    const followed = rows.filter(({ kind }) => kind === 'spot' || kind === 'perpetual');
    const perpetuals = followed.filter(({ kind }) => kind === 'perpetual');
    const assets = new Set(perpetuals.map((row) => row.symbol));
    const series = [...assets].flatMap((asset) =>
      words.map((word) => seriesEntry(seriesTicker(exchange, asset, word), at)),
    );
    return [...followed.map((row) => marketEntry(exchange, row, at)), ...series];
  }
}

/** How well a key fits, 0 best; null where it does not. */
function rankOf({ names, base }: Entry, key: string): number | null {
  if (key === '' || base === key || names.includes(key)) return 0;
  if (base.startsWith(key) || names.some((name) => name.startsWith(key))) return 1;
  return names.some((name) => name.includes(key)) ? 2 : null;
}

interface Wanted {
  query: string;
  type: string;
  exchange: string;
  limit: number;
}

/** What fits a text, which is read as the symbols of the other paths are: an exchange before it, a kind or a word after it. */
function search(context: Context, index: Index, { query, type, exchange, limit }: Wanted): Found[] {
  const { exchange: named, name, kind, word } = partsOf(context, query);
  const parts = readName(name);
  const { word: pair, quote = '', settle = '', contract } = parts;
  const key = nameKey(word === undefined ? name : baseOf(parts));
  // `BTC-USDT-SWAP` and `BTCUSDT.P` are contracts whatever their exchange calls them.
  const ofContract = contract ? nameKey(pair + quote + settle) : key;
  const isAmong = ({ shown }: Entry) =>
    (type === '' || shown.type === type) &&
    (exchange === '' || shown.exchange === exchange) &&
    (named === undefined || shown.exchange === named) &&
    (kind === undefined || shown.type === kind) &&
    (word === undefined || shown.ticker.endsWith(`:${word}`));
  const fitting = index.all().flatMap((entry) => {
    if (!isAmong(entry)) return [];
    const own = rankOf(entry, key);
    const rank = own ?? (entry.shown.type === 'perpetual' ? rankOf(entry, ofContract) : null);
    return rank === null ? [] : [{ shown: entry.shown, order: rank * 100_000 + entry.order }];
  });
  fitting.sort((a, b) => a.order - b.order);
  return fitting.slice(0, limit).map(({ shown }) => shown);
}

/** Searches are as many as words: most are asked once. */
const searchBound = { entries: 500, bytes: 2 * 2 ** 20 };

/** A word of a filter: the empty one, which clients send, is none. */
const filter = (description: string, maxLength = 32) =>
  ({ type: 'string', lenient: true, maxLength, default: '', description }) as const;

export function searchRoute(context: Context): kit.Route {
  const index = new Index(context);
  return kit.document({
    noEnvelope: form,
    path: '/udf/search',
    summary: 'Symbols whose name contains a text, the nearest first',
    params: {
      query: filter(
        'A name as in `symbols`, or a part of one, with any separators and in any case; everything when empty.',
        64,
      ),
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
    source: context.instruments.source,
    bound: searchBound,
    build({ query = '', type = '', exchange = '', limit }) {
      if (index.all().length === 0) return null;
      const wanted = { type: type.toLowerCase(), exchange: exchange.toLowerCase() };
      return search(context, index, { query, limit, ...wanted });
    },
  });
}
