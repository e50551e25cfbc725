/** `ticker/24hr`, `ticker/price` and `ticker/bookTicker`: newest prices out of memory, one market's quotes out of its book. */
import type { BestQuotes, OrderBook, PriceRow } from '../../../../actors/topics/index.ts';
import { day } from '../../../../config/time.ts';
import { jsonText } from '../../../answers/json.ts';
import { questionOf } from '../../../answers/queries.ts';
import { type Answers, memoryOf } from '../../../answers/source.ts';
import type { Dated } from '../../../views/market-rows.ts';
import { apiError, isApiError, kit, s, warmingUp } from '../../kit.ts';
import { decimalOrNull, exchange, form } from './form.ts';
import {
  type Api,
  anySymbol,
  type Context,
  type Listed,
  type Listing,
  symbols,
} from './markets.ts';

/** Ready answers: that of all markets is about 500 kB. */
const bound = { entries: 2_000, bytes: 8 * 2 ** 20 };

const text = s.stringOrNull;
const id = s.ownId;

const quotes = {
  bidPrice: text('Best bid; null where it is not known.'),
  bidQty: text('Null in `ticker/24hr`.'),
  askPrice: text('Best ask, of the same message; null as the bid.'),
  askQty: text('As `bidQty`.'),
};
const dayFields = {
  symbol: id,
  priceChange: text('Last price less that of 24 h ago.'),
  priceChangePercent: text('The same, percent.'),
  weightedAvgPrice: text('Turnover divided by volume.'),
  lastPrice: text('Of the last trade.'),
  openPrice: text('24 h ago.'),
  highPrice: text('Of 24 h.'),
  lowPrice: text('Of 24 h.'),
  volume: text('Base assets in 24 h.'),
  quoteVolume: text('Quote assets in 24 h.'),
  openTime: s.integer('24 h before `closeTime`, Unix ms.'),
  closeTime: s.integer('The time of the ticker, Unix ms.'),
};
const daySchema = {
  spot: s.named('BinanceSpotDay', s.object({ ...dayFields, ...quotes })),
  linear: s.named('BinanceContractDay', s.object(dayFields)),
};
const price = { symbol: id, price: text('Of the last trade.') };
const priceSchema = {
  spot: s.named('BinanceSpotPrice', s.object(price)),
  linear: s.named('BinanceContractPrice', s.object({ ...price, time: s.integer('Unix ms.') })),
};

type Row = Dated<PriceRow>;
const timeOf = ({ stated, received }: Row): number => stated ?? received;

/** What 24 h have brought, in the words of the exchange. */
function dayOf(row: Row, listed: Listed, { part }: Api) {
  const { price, change, base, volume } = row;
  const open = change === null || change <= -100 ? null : price / (1 + change / 100);
  const mean = base !== null && base > 0 && volume !== null ? volume / base : null;
  const closeTime = timeOf(row);
  const ticker = {
    symbol: listed.id,
    priceChange: listed.price(open === null ? null : price - open),
    priceChangePercent: decimalOrNull(change, 3),
    weightedAvgPrice: listed.price(mean),
    lastPrice: listed.price(price),
    openPrice: listed.price(open),
    highPrice: listed.price(row.high),
    lowPrice: listed.price(row.low),
    volume: listed.quantity(base),
    quoteVolume: decimalOrNull(volume, part === 'spot' ? 8 : 2),
    openTime: closeTime - day,
    closeTime,
  };
  return part === 'spot' ? { ...ticker, ...quotesOf(row, listed) } : ticker;
}

/** `bidQty` is in tickers of spot markets alone: clients tell them by it from those of contracts. */
const quotesOf = ({ bid, ask }: Row, listed: Listed) => ({
  bidPrice: listed.price(bid),
  bidQty: null,
  askPrice: listed.price(ask),
  askQty: null,
});

const priceIn = (row: Row, listed: Listed, { part }: Api) => {
  const ticker = { symbol: listed.id, price: listed.price(row.price) };
  return part === 'spot' ? ticker : { ...ticker, time: timeOf(row) };
};

type Read<T> = (row: Row, listed: Listed, api: Api) => T;

/** How one kind of ticker is made, and of which markets. */
interface Kind<T> {
  context: Context;
  api: Api;
  listing: Listing;
  read: Read<T>;
}

interface TickerValues {
  symbol?: string | undefined;
  symbols?: string | undefined;
}

/** The answers of one kind of ticker: of one market, of several, or of all. */
function answersOf<T extends object>(kind: Kind<T>): Answers<TickerValues, T | readonly T[]> {
  const { context, api, listing, read } = kind;
  const { priceRows } = context;
  const rowsOf = (of: Iterable<Listed>) =>
    [...of].flatMap((listed) => {
      const row = priceRows.one(exchange, api.part, listed.id);
      return row === null ? [] : [{ ticker: read(row, listed, api), received: row.received }];
    });
  const one = (name: string) => {
    const listed = listing.one(name);
    if (isApiError(listed)) return listed;
    const [found] = rowsOf([listed]);
    if (found === undefined) return apiError('warming_up', `${name} has no price at present`);
    return jsonText<T | readonly T[]>(found.ticker, found.received);
  };
  const several = (of: Iterable<Listed>) => {
    const found = rowsOf(of);
    if (found.length === 0) return null;
    const tickers = found.map(({ ticker }) => ticker);
    const newest = found.reduce((at, { received }) => Math.max(at, received), 0);
    return jsonText<T | readonly T[]>(tickers, newest);
  };
  return priceRows.source.answers<TickerValues, T | readonly T[]>({
    bound,
    keysOf: ({ symbol: name }) => priceRows.keysOf(exchange, listing.assetOf(name)),
    build({ symbol: name, symbols: list }) {
      if (name !== undefined) return one(name);
      if (list === undefined) return several(listing.all().values());
      const listed = listing.several(list);
      return isApiError(listed) ? listed : several(listed);
    },
  });
}

/** The parameters: contracts are asked by one symbol or none. */
const paramsOf = ({ part }: Api): kit.Params =>
  part === 'spot' ? { symbol: anySymbol, symbols } : { symbol: anySymbol };

const oneOrAll = (one: s.TSchema): s.TSchema =>
  s.either(one, s.list(one), 'A list unless `symbol` names one market.');

const rowOf = <T extends object>(
  kind: Kind<T>,
  place: Pick<kit.Route, 'path' | 'summary'> & { answer: s.TSchema },
): kit.Route =>
  kit.route<kit.Params, s.TSchema>({
    ...place,
    noEnvelope: form,
    params: paramsOf(kind.api),
    answer: oneOrAll(place.answer),
    from: memoryOf<TickerValues & kit.Values<kit.Params>, unknown>(answersOf(kind)),
  });

const quotesSchema = s.named(
  'BinanceQuotes',
  s.object({
    symbol: id,
    ...quotes,
    time: s.optional(s.integer('The time of the book, Unix ms; of contracts.')),
  }),
);

function quotesIn(
  { market, bid, ask, stated }: BestQuotes,
  api: Api,
): s.Static<typeof quotesSchema> {
  const [[bidPrice, bidQty], [askPrice, askQty]] = [bid, ask];
  const best = { symbol: market, bidPrice, bidQty, askPrice, askQty };
  return api.part === 'spot' || stated === null ? best : { ...best, time: stated };
}

/** The first levels of a book. */
const depth = 5;

/** Best bid and ask of a book. */
function bestOf({ bids: [bid], asks: [ask], timestamp }: OrderBook, listed: Listed, api: Api) {
  const [bidPrice, bidQty] = bid ? listed.level(bid) : [null, null];
  const [askPrice, askQty] = ask ? listed.level(ask) : [null, null];
  const best = { symbol: listed.id, bidPrice, bidQty, askPrice, askQty };
  return api.part === 'spot' ? best : { ...best, time: timestamp };
}

/** The quotes of several markets, or of all that are followed: asked of the exchange at once, for all clients. */
function quotesOfMany(api: Api, listing: Listing, list: string | undefined) {
  const listed = list === undefined ? [...listing.all().values()] : listing.several(list);
  if (isApiError(listed)) return listed;
  if (listed.length === 0) return warmingUp;
  const wanted = new Set(listed.map((one) => one.id));
  return questionOf({
    source: exchange,
    name: 'bestQuotes',
    params: { kind: api.kind },
    what: 'the best bids and asks',
    variant: `binance ${list ?? 'all'}`,
    data: (rows) =>
      rows.filter(({ market }) => wanted.has(market)).map((row) => quotesIn(row, api)),
  });
}

function bookTicker(api: Api, listing: Listing): kit.Route {
  const query = ({ symbol: name, symbols: list }: TickerValues) => {
    if (name === undefined) return quotesOfMany(api, listing, list);
    const listed = listing.one(name);
    if (isApiError(listed)) return listed;
    return {
      source: exchange,
      name: 'orderBook' as const,
      params: { market: name, kind: api.kind, depth },
      what: `the order book of ${name}`,
      variant: 'binance best',
      data: (book: OrderBook): object | kit.ApiError => bestOf(book, listed, api),
    };
  };
  return kit.route<kit.Params, s.TSchema>({
    path: `${api.at}/ticker/bookTicker`,
    summary:
      'Best bid and ask: of one market out of its book, of several or all as the exchange lists them',
    fails: ['upstream_failed'],
    noEnvelope: form,
    params: paramsOf(api),
    answer: oneOrAll(quotesSchema),
    from: { query },
  });
}

/** The tickers of an API. */
export function tickerRoutes(context: Context, api: Api, listing: Listing): kit.Route[] {
  const { at, part } = api;
  const around = { context, api, listing };
  const last = (path: string) =>
    rowOf(
      { ...around, read: priceIn },
      { path, summary: 'Last price of one market or of all', answer: priceSchema[part] },
    );
  return [
    rowOf(
      { ...around, read: dayOf },
      {
        path: `${at}/ticker/24hr`,
        summary: 'What 24 hours have brought to one market or to all',
        answer: daySchema[part],
      },
    ),
    last(`${at}/ticker/price`),
    // ccxt asks contracts here.
    ...(part === 'linear' ? [last(`${at.replace(/v1$/, 'v2')}/ticker/price`)] : []),
    bookTicker(api, listing),
  ];
}
