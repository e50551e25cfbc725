/** `quotes` and `marks`: newest prices, and liquidations beside the bars. */
import { type PriceRow, topics } from '../../../../actors/topics/index.ts';
import { openOf } from '../../../../indicators/market/candles.ts';
import type { Event } from '../../../answers/event-log.ts';
import { isApiError, kit, s } from '../../kit.ts';
import { form, range, resolutions } from './form.ts';
import { type Context, isSeries, readTicker } from './tickers.ts';

const second = 1_000;
const open = { noEnvelope: form } as const;

const numberOf = (description: string) => s.optional(s.number(description));
const quote = s.named(
  'UdfQuote',
  s.object({
    s: s.oneOf(['ok', 'error'], '`error` where there is no price of the symbol.'),
    n: s.string('The symbol as asked.'),
    v: s.object(
      {
        short_name: s.optional(s.ownId),
        exchange: s.optional(s.string('Exchange id.')),
        description: s.optional(s.string('The ticker.')),
        lp: numberOf('Last price, in quote.'),
        ch: numberOf('Change over 24 h, in quote.'),
        chp: numberOf('The same, percent.'),
        bid: numberOf('Best bid, in quote.'),
        ask: numberOf('Best ask, in quote.'),
        spread: numberOf('Best ask less best bid, in quote.'),
        open_price: numberOf('24 h ago, in quote.'),
        high_price: numberOf('Of 24 h, in quote.'),
        low_price: numberOf('Of 24 h, in quote.'),
        prev_close_price: numberOf('As `open_price`, in quote.'),
        volume: numberOf('Of 24 h, base asset.'),
      },
      'What is known of it.',
    ),
  }),
);
type Quote = s.Static<typeof quote>;

/** Without the values that are not known. */
const known = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

const less = (a: number | null, b: number | null) => (a === null || b === null ? null : a - b);

/** What the newest price of a market says. */
function valuesOf({ price, change, bid, ask, high, low, base }: PriceRow) {
  const before = change === null || change <= -100 ? null : price / (1 + change / 100);
  return known({
    ...{ lp: price, ch: less(price, before), chp: change },
    ...{ bid, ask, spread: less(ask, bid), volume: base },
    ...{ open_price: before, prev_close_price: before, high_price: high, low_price: low },
  });
}

/** The quote of a symbol as it is asked for. */
function quoteOf(context: Context, name: string): Quote {
  const { prices, clock } = context;
  const missing: Quote = { s: 'error', n: name, v: {} };
  const one = readTicker(context, name);
  if (isApiError(one) || isSeries(one)) return missing;
  const { exchange, instrument, kind, ticker } = one;
  const { symbol, market } = instrument;
  const found = prices.rowOf(exchange, { symbol, market, kind });
  if (!found || found.held || clock.now() - found.received > topics.prices.maxAge) return missing;
  const about = { short_name: market, exchange, description: ticker };
  return { s: 'ok', n: name, v: { ...about, ...valuesOf(found.row) } };
}

/** Most symbols of a request. */
const mostQuotes = 100;

const quotes = (context: Context): kit.Route => {
  const namesIn = (text: string) => text.split(',').filter(Boolean).slice(0, mostQuotes);
  const assetOf = (name: string): string | null => {
    const one = readTicker(context, name);
    if (isApiError(one)) return null;
    return isSeries(one) ? one.symbol : one.instrument.symbol;
  };
  return kit.document({
    ...open,
    path: '/udf/quotes',
    summary: 'Newest prices of several symbols, with the change over 24 hours',
    params: {
      symbols: {
        type: 'string',
        required: true,
        maxLength: 3_300,
        description: `Symbols, separated by commas, ${mostQuotes} at most.`,
        example: 'binance:BTCUSDT:spot,binance:ETHUSDT:perpetual',
      },
    },
    answer: s.object({
      s: s.literal('ok', 'Each symbol states its own.'),
      d: s.list(quote, 'As asked.'),
    }),
    source: context.prices.source,
    keysOf({ symbols }) {
      const assets = namesIn(symbols).map(assetOf);
      // What is listed later may be of any asset.
      return assets.every((asset) => asset !== null) ? assets : undefined;
    },
    build({ symbols }) {
      if (context.prices.isEmpty()) return null;
      return { s: 'ok' as const, d: namesIn(symbols).map((name) => quoteOf(context, name)) };
    },
  });
};

const texts = (description: string) => s.list(s.string(), description);
const marks = s.object({
  id: texts('One for each mark.'),
  time: s.list(s.integer(), 'Start of the bar, Unix seconds.'),
  color: texts('Red where longs were closed, green where shorts were.'),
  text: texts('The sum in US dollars, and the number of orders.'),
  label: texts('`L` or `S`.'),
  labelFontColor: texts('Of the label.'),
  minSize: s.list(s.integer(), 'Pixels.'),
});

const sides = {
  long: { color: 'red', label: 'L', what: 'Longs' },
  short: { color: 'green', label: 'S', what: 'Shorts' },
} as const;
/** Most events that are looked at: the newest. */
const mostEvents = 5_000;
const minSize = 14;

/** One mark for each bar and side. */
function marksOf(events: readonly Event[], interval: (typeof resolutions)[string]) {
  const all = Map.groupBy(
    events,
    ({ timestamp, side }) => `${openOf(timestamp, interval)} ${side}`,
  );
  const rows = [...all].map(([id, of]) => {
    const [time = '', side] = id.split(' ');
    const { color, label, what } = sides[side === 'long' ? 'long' : 'short'];
    const usd = Math.round(of.reduce((sum, one) => sum + one.value_usd, 0));
    const orders = of.length === 1 ? '1 order' : `${of.length} orders`;
    const text = `${what} closed by force: $${usd.toLocaleString('en-US')} in ${orders}`;
    return { id: `${id}`, time: Number(time) / second, color, label, text };
  });
  rows.sort((a, b) => a.time - b.time);
  return {
    id: rows.map((row) => row.id),
    time: rows.map((row) => row.time),
    color: rows.map((row) => row.color),
    text: rows.map((row) => row.text),
    label: rows.map((row) => row.label),
    labelFontColor: rows.map(() => 'white'),
    minSize: rows.map(() => minSize),
  };
}

const marksRoute = (context: Context): kit.Route =>
  kit.document({
    ...open,
    path: '/udf/marks',
    summary: 'Liquidations of the last hours in a market, one mark for each bar and side',
    params: range,
    answer: marks,
    source: context.liquidations.newest,
    build({ symbol, resolution, from, to }) {
      const one = readTicker(context, symbol);
      if (isApiError(one)) return one;
      const interval = resolutions[resolution] ?? '1d';
      if (isSeries(one)) return marksOf([], interval);
      const { exchange, instrument } = one;
      const wanted = { exchange, symbol: instrument.symbol, limit: mostEvents };
      const events = context.liquidations
        .events(wanted)
        .filter(({ contract }) => contract === instrument.market)
        .filter(({ timestamp }) => timestamp >= from * second && timestamp < to * second);
      return marksOf(events, interval);
    },
  });

export const liveRoutes = (context: Context): kit.Route[] => [quotes(context), marksRoute(context)];
