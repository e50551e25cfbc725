/** Phemex to WOO X: what is recorded of each, and where ccxt reads it otherwise. */
import { byPath, listing, replayed } from '../ccxt.ts';
import {
  bars,
  book,
  handMade,
  instruments,
  perpetual,
  type RecordedVenue,
  reader,
  refusal,
  rows,
} from './check.ts';
import type { Loose } from './columns.ts';

type Read = (name: string) => Loose;

/** The recorded list, and the products with a recorded ticker or book that it is too short to hold. */
const products = (read: Read) => {
  const body = read('products');
  const [btcusd, sbtcusdt] = body.data.products;
  const [btcusdt] = body.data.perpProductsV2;
  return {
    ...body,
    data: {
      ...body.data,
      products: [
        ...[btcusd, { ...btcusd, symbol: 'ETHUSD', settleCurrency: 'ETH' }],
        ...[sbtcusdt, { ...sbtcusdt, symbol: 'sETHUSDT', baseCurrency: 'ETH' }],
      ],
      perpProductsV2: [
        ...[btcusdt, { ...btcusdt, symbol: 'ETHUSDT', baseCurrency: 'ETH' }],
        { ...btcusdt, symbol: 'SAMSUNGUSDT', baseCurrency: 'SAMSUNG' },
      ],
    },
  };
};
const phemexInstruments = (part: string, count: number, hours: number | null) =>
  instruments(part, count, {
    theirs: (exchange, { id }) => exchange.market(id),
    but: (_, { priceScale, contractSize, precision }) => ({
      ...{ scale: 10 ** Number(priceScale), contract: hours === null ? undefined : contractSize },
      funding_hours: hours,
      // Steps are decimals where prices are integers.
      ...{ step: undefined, tick: precision.price },
    }),
  });
const one = (name: string) => (read: Read) => ({ result: [read(name).result] });
/** Both the names of the fields that ccxt alone reads, and ours. */
const withBoth = (row: Loose) => {
  const last = row.lastRp ?? row.closeRp;
  const mark = row.markRp ?? row.markPriceRp;
  const index = row.indexRp ?? row.indexPriceRp;
  return {
    ...row,
    lastRp: last,
    markRp: mark,
    indexRp: index,
    closeRp: last,
    markPriceRp: mark,
    indexPriceRp: index,
  };
};
/** Linear tickers, with those of the WebSocket frame, which names its fields once for all. */
const linearTickers = (read: Read) => {
  const { fields, data, timestamp } = read('ws-perp-market24h-pack');
  const frame = data.map((values: unknown[]) => ({
    ...Object.fromEntries(fields.map((name: string, i: number) => [name, values[i]])),
    timestamp,
  }));
  const others = [read('ticker-linear-v2').result, ...read('tickers-linear-v3-row').result];
  return { result: [...others, ...frame].map(withBoth) };
};
const linearPart = ['linear', [linearTickers]] as const;

const loadPhemex = (read: Read, more: Readonly<Record<string, unknown>> = {}) =>
  replayed(
    'phemex',
    byPath({
      ...{ 'public/products': products(read), 'exchange/public/products': { code: 0, data: [] } },
      ...more,
    }),
  );
const phemexBook = (part: string, name: string, market: string) =>
  book(part, name, market, {
    theirs: async (_, orderbook) => {
      const exchange = await loadPhemex(reader('phemex'), { orderbook });
      return exchange.fetchOrderBook(exchange.market(market).symbol, 20);
    },
  });

export const phemex: RecordedVenue = {
  load: (read) => loadPhemex(read),
  lists: { spot: products, linear: products, inverse: products },
  checks: [
    phemexInstruments('spot', 2, null),
    phemexInstruments('linear', 3, 8),
    phemexInstruments('inverse', 2, 8),
    rows('prices', 'spot', [one('ticker-spot')], { at: 'result' }),
    // ccxt takes the turnover in the coin that settles for one in quote; contracts are 1 USD each.
    rows('prices', 'inverse', [one('ticker-inverse')], {
      at: 'result',
      but: (_, { baseVolume, quoteVolume }) => ({ volume: baseVolume, base: quoteVolume }),
    }),
    // Without the market ccxt leaves integers as they are; with it they come as text.
    rows('derivatives', 'inverse', [one('ticker-inverse')], {
      at: 'result',
      theirs: (exchange, native) => exchange.parseFundingRate(native, exchange.market('ETHUSD')),
      but: (_, { markPrice, indexPrice, fundingRate }) => ({
        ...{
          mark: Number(markPrice),
          index: Number(indexPrice),
          funding_rate: Number(fundingRate),
        },
        ...{ funding_hours: 8, next_funding: undefined },
      }),
    }),
    // ccxt reads that of linear contracts only: contracts of 1 USD.
    rows('openInterest', 'inverse', [one('ticker-inverse')], {
      ...{ at: 'result', theirs: () => null },
      but: { value: 1_298_050, units: 1_298_050 / 232.9232 },
    }),
    // ccxt has no turnover where the row states none.
    rows('prices', ...linearPart, {
      at: 'result',
      but: ({ volumeRq, lastRp }, { quoteVolume }) => ({
        volume: quoteVolume ?? Number(volumeRq) * Number(lastRp),
      }),
    }),
    rows('derivatives', ...linearPart, {
      at: 'result',
      but: { funding_hours: 8, next_funding: undefined },
    }),
    rows('openInterest', ...linearPart, {
      at: 'result',
      but: ({ markRp }, { openInterestAmount }) => ({
        ...{ value: Number(openInterestAmount) * Number(markRp), stated: undefined },
      }),
    }),
    phemexBook('spot', 'order-book-spot', 'sETHUSDT'),
    phemexBook('linear', 'order-book-linear', 'BTCUSDT'),
    // ccxt has no turnover: the last number of a row, scaled as USDT is.
    bars('spot', 'candles-spot', 'sETHUSDT', {
      at: 'data.rows',
      symbol: 'ETH/USDT',
      turnover: [487.5906337, 548.4894871, 357.4788225],
    }),
    refusal('rest', 'error-md-invalid', 'unknown_instrument'),
    refusal('rest', 'error-missing-parameter', 'refused'),
  ],
};

const whitebitMarket = (name: string, stock: string, money: string, type: string) => ({
  ...{ name, stock, money, type, stockPrec: '3', moneyPrec: '2' },
  ...{ makerFee: '0.1', takerFee: '0.1', tradesEnabled: true },
});
const zeroG = [perpetual('0G_PERP', { symbol: '0G' })];

export const whitebit: RecordedVenue = {
  // The recorded list holds none of the other recorded markets.
  load: (read) =>
    listing('whitebit', [
      ...[...read('markets'), whitebitMarket('BCH_RUB', 'BCH', 'RUB', 'spot')],
      ...[
        whitebitMarket('ETH_BTC', 'ETH', 'BTC', 'spot'),
        whitebitMarket('BTC_USDT', 'BTC', 'USDT', 'spot'),
      ],
      whitebitMarket('0G_PERP', '0G', 'PERP', 'futures'),
    ]),
  lists: { spot: 'markets' },
  known: { futures: zeroG },
  checks: [
    instruments('spot', 1),
    // The recorded market quotes in RUB, which we do not follow: taken as if in USDT.
    rows('prices', 'spot', ['tickers-spot'], {
      native: ([body]) => Object.values<Loose>(body).slice(0, 1),
      known: [handMade('BCH_RUB')],
    }),
    rows('prices', 'futures', ['futures'], { at: 'result', but: { change: undefined } }),
    // ccxt's rates look for `indexPrice`, which is not on the wire; its tickers read `index_price`. 240 minutes.
    rows('derivatives', 'futures', ['futures'], {
      at: 'result',
      theirs: (exchange, native) => exchange.parseFundingRates([native])['0G/USDT:USDT'],
      but: ({ index_price }) => ({
        ...{
          index: Number(index_price),
          mark: undefined,
          funding_hours: 4,
          funding_rate_8h: -0.00001556,
        },
      }),
    }),
    // ccxt reads no open interest here; the recording has no mark price yet, so that the last is its price.
    rows('openInterest', 'futures', ['futures'], {
      ...{ at: 'result', theirs: () => null, but: { units: 3721488, value: 3721488 * 0.6065 } },
    }),
    book('spot', 'order-book', 'BTC_USDT', { stated: ({ timestamp }) => timestamp * 1000 }),
    bars('spot', 'candles', 'ETH_BTC', {
      ...{ at: 'result', symbol: 'ETH/BTC', turnover: [0.154686629, 0.201921167, 0.503114696] },
    }),
    refusal('rest', 'error-unknown-market', 'unknown_instrument'),
    refusal('rest', 'error-region', 'blocked'),
  ],
};

const wooBitcoin = 'PERP_BTC_USDT';

export const woo: RecordedVenue = {
  // The recorded list holds one pair; the others are known by their ids.
  load: (read) =>
    listing('woo', [
      ...read('instruments').data.rows,
      ...['SPOT_BTC_USDT', wooBitcoin].map((symbol) => ({ symbol, status: 'TRADING' })),
    ]),
  lists: { spot: 'instruments' },
  known: {
    perp: [perpetual(wooBitcoin, { symbol: 'BTC', funding_hours: 8 })],
    spot: [handMade('SPOT_BTC_USDT')],
  },
  checks: [
    instruments('spot', 1),
    rows(
      'instruments',
      'perp',
      [{ data: { rows: [{ symbol: wooBitcoin, status: 'TRADING' }] } }, 'funding-current'],
      {
        native: ([, rates]) => rates.data.rows,
        theirs: (exchange, native) => ({
          ...exchange.market(wooBitcoin),
          hours: Number.parseInt(exchange.parseFundingRate(native).interval, 10),
        }),
        but: (_, { hours }) => ({ funding_hours: hours, followed: true }),
      },
    ),
    rows('prices', 'perp', ['futures'], { at: 'data.rows', but: { stated: 1786690534921 } }),
    // ccxt takes mark and index in tickers, rates in another.
    rows('derivatives', 'perp', ['futures'], {
      at: 'data.rows',
      but: { mark: undefined, index: undefined },
    }),
    rows('derivatives', 'perp', ['futures'], {
      at: 'data.rows',
      theirs: (exchange, native) => exchange.parseTicker(native),
      but: { stated: undefined },
    }),
    // ccxt does not read the open interest: 221.3498 BTC at a mark price of 63,028.
    rows('openInterest', 'perp', ['futures'], {
      ...{
        at: 'data.rows',
        theirs: () => null,
        but: { units: 221.3498, value: 221.3498 * 63_028 },
      },
    }),
    // A price out of candles: one minute without a trade, as if it were an hour.
    rows('prices', 'spot', ['candles'], {
      native: () => [{}],
      theirs: () => null,
      but: { market: 'SPOT_BTC_USDT', price: 108994.16, volume: 0, stated: 1751622205410 },
    }),
    book('spot', 'order-book', 'SPOT_BTC_USDT', {
      ...{
        at: 'data',
        keys: ['bids', 'asks', 'price', 'quantity'],
        stated: ({ timestamp }) => timestamp,
      },
    }),
    bars('spot', 'candles', 'SPOT_BTC_USDT', {
      at: 'data.rows',
      symbol: 'BTC/USDT',
      turnover: [0],
    }),
    refusal('rest', 'error-invalid-symbol', 'unknown_instrument'),
    refusal('rest', 'error-gateway-200', 'unavailable'),
  ],
};
