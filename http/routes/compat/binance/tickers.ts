/** `ticker/24hr`, `ticker/price` and `ticker/bookTicker`: newest prices out of memory, one market's quotes out of its book. */
import type { BestQuotes, OrderBook, PriceRow } from '../../../../actors/topics/index.ts';
import { day } from '../../../../config/time.ts';
import { questionOf } from '../../../answers/queries.ts';
import type { Dated } from '../../../views/market-rows.ts';
import { kit, s, warmingUp } from '../../kit.ts';
import { decimalOrNull, exchange, form } from './form.ts';
import {
  type Api,
  type Context,
  type Listed,
  type Listing,
  marketsOf,
  newest,
  oneOrAll,
} from './markets.ts';

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
function quotesOfMany(api: Api, listed: readonly Listed[], list: string | undefined) {
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

const bookTicker = (api: Api, listing: Listing): kit.Route =>
  kit.queried<ReturnType<typeof marketsOf>, s.TSchema>({
    path: `${api.at}/ticker/bookTicker`,
    summary:
      'Best bid and ask: of one market out of its book, of several or all as the exchange lists them',
    fails: ['upstream_failed'],
    noEnvelope: form,
    params: marketsOf(listing, api),
    answer: oneOrAll(quotesSchema),
    query({ symbol: name, symbols: list, listed }) {
      const [one] = listed;
      if (name === undefined || one === undefined) return quotesOfMany(api, listed, list);
      return questionOf({
        source: exchange,
        name: 'orderBook',
        params: { market: name, kind: api.kind, depth },
        what: `the order book of ${name}`,
        variant: 'binance best',
        data: (book) => bestOf(book, one, api),
      });
    },
  });

/** The tickers of an API. */
export function tickerRoutes(
  { priceRows: rows }: Context,
  api: Api,
  listing: Listing,
): kit.Route[] {
  const { at, part } = api;
  const around = { rows, api, listing };
  const last = (path: string) =>
    newest(around, {
      path,
      summary: 'Last price of one market or of all',
      answer: priceSchema[part],
      what: 'price',
      read: (row, listed) => priceIn(row, listed, api),
    });
  return [
    newest(around, {
      path: `${at}/ticker/24hr`,
      summary: 'What 24 hours have brought to one market or to all',
      answer: daySchema[part],
      what: 'price',
      read: (row, listed) => dayOf(row, listed, api),
    }),
    last(`${at}/ticker/price`),
    // ccxt asks contracts here.
    ...(part === 'linear' ? [last(`${at.replace(/v1$/, 'v2')}/ticker/price`)] : []),
    bookTicker(api, listing),
  ];
}
