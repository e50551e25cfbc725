/** Phemex: spot, linear and inverse contracts. https://phemex-docs.github.io; integers on spot and inverse, decimals as text on linear. */
import { text } from '../../../actors/read.ts';
import { answersOf, isLive, marketRows } from '../answers.ts';
import { exchange } from '../exchange.ts';
import { fixed, lotDecimals, nanos, plain, priceDecimals } from '../format.ts';
import { sortOf, without } from '../listing.ts';
import type { Market } from '../market.ts';
import { Parameters } from '../pages.ts';
import { type Row, rowsOf, type Sight } from '../rows.ts';
import { ticker, tickers } from '../streams.ts';
import { isCoin } from '../symbols.ts';
import { type Ask, Refused } from '../venue.ts';
import { valueScale } from './names.ts';

const venue = 'phemex';
type Group = 'spot' | 'linear' | 'inverse';

const ok = (result: unknown) => ({ error: null, id: 0, result });
const invalid = (): never => {
  const error = { code: 6001, message: 'invalid argument' };
  throw new Refused(500, { error, id: null, result: null });
};
const refuse = (code: number, msg: string): never => {
  throw new Refused(200, { code, msg, data: null });
};
const parameters = new Parameters((name, { query }) => {
  if (!query.get(name)) return refuse(412, `Missing parameter - ${name}`);
  return name === 'limit'
    ? refuse(30018, 'phemex.data.size.uplimt')
    : refuse(30000, 'Please double check input arguments');
});

/** Of all groups; the ids differ by their form. */
function found({ model, query, now }: Ask): Market | undefined {
  const id = query.get('symbol') ?? '';
  return ['spot', 'linear', 'inverse']
    .map((group) => model.market(venue, group, id, now))
    .find((market) => market?.state === 'live');
}
/** Linear markets, or the others. */
const { all, book } = answersOf({
  venue,
  parameters,
  marketOf(ask, group) {
    const market = found(ask);
    return market && (market.group === 'linear') === (group === 'linear') ? market : invalid();
  },
  ok,
});

const scaled = (of: (sight: Sight) => number) => (sight: Sight) => Math.round(of(sight) * 1e8);
const length = ({ candle }: Sight) => (candle.end - candle.time) / 1000;
const nameOf = ({ scale, symbol }: Market) => (scale > 1 ? `${scale} ${symbol}` : symbol);
const { row, list } = rowsOf(venue, {
  nanos: ({ now }) => nanos(now),
  rateEr: scaled(({ market, funding }) => market.fundingRate(funding.next)),
  turnoverEv: scaled(({ stretch }) => stretch.turnover),
  /** Dollars in the coin that settles. */
  settledEv: scaled(({ market, stretch }) => stretch.base * market.scale),
  before: ({ market, candle }) => market.round(market.exact(candle.time)),
  length,
  quoteTick: ({ market: { decimals, quote } }) => `${plain(10 ** -decimals / 1e8, 8)} ${quote}`,
  inverseTick: ({ market: { decimals, scale } }) => 10 ** -decimals / scale,
  name: ({ market }) => nameOf(market),
  /** Of what is neither a coin nor announced it says nothing. */
  subType: ({ market: { asset, state } }) => {
    if (asset === 'equity') return 'TradFi';
    return state === 'preopen' ? 'PreMarket' : 'Normal';
  },
});
const written = rowsOf(
  venue,
  { before: ({ market, candle }) => market.exact(candle.time), length },
  { write: fixed },
);

const status = 'state:Listed/Delisted/Listed';
const products = {
  spot: row(
    `symbol=id status=${status} quoteCurrency=quote baseCurrency=symbol quoteTickSize=quoteTick`,
    'spot-instruments data.products',
  ),
  inverse: row(
    `symbol=id status=${status} quoteCurrency=quote settleCurrency=symbol contractSize=@contract
    tickSize=inverseTick fundingInterval=fundingSeconds`,
    'inverse-instruments data.products',
  ),
  linear: row(
    `symbol=id status=${status} quoteCurrency=quote settleCurrency=quote tickSize=tick
    pricePrecision=decimals
    baseCurrency=name perpProductSubType=subType fundingInterval=fundingSeconds`,
    'linear-instruments data.perpProductsV2',
  ),
};
/** `public/products`: currencies, then spot and inverse products, then linear ones, delisted ones included. */
function productsOf(ask: Ask) {
  const of = (group: Group) => marketRows(products[group], ask, { venue, group });
  const coins = ask.model.assets.filter(isCoin);
  const currencies = [...coins.map(({ symbol, price }) => [symbol, valueScale(price)]), ['USD', 4]];
  return {
    code: 0,
    msg: '',
    data: {
      currencies: currencies.map(([currency, scale]) => {
        return { currency, name: currency, valueScale: scale, status: 'Listed' };
      }),
      products: [...of('inverse'), ...of('spot')],
      perpProductsV2: of('linear'),
    },
  };
}

/** Prices are whole on spot and inverse markets. Rates are those of the running interval, which the next funding charges. */
const whole = `
  askEp=#bestAsk.0 bidEp=#bestBid.0 highEp=#high.0 lastEp=#close.0 lowEp=#low.0 openEp=#open.0
  symbol=id timestamp=nanos`;
const common = `
  symbol=id openRp=open highRp=high lowRp=low volumeRq=quantity turnoverRv=turnover.4
  openInterestRv=interest fundingRateRr=rate predFundingRateRr=rate timestamp=nanos`;
const tickerRows = {
  spot: row(`${whole} turnoverEv volumeEv=#quantity.0`),
  linear: row(`${common} lastRp=close markRp=mark indexRp=index bidRp=bestBid askRp=bestAsk`),
  inverse: row(`
    ${whole} fundingRateEr=rateEr indexEp=#index.0 markEp=#mark.0 openInterest=contracts
    turnoverEv=settledEv volume=@quantity`),
};
const integers = list('#price.0 #size.0');
/** 30 levels: price and base as text on linear markets; scaled price, scaled base or contracts on the others. */
const orderBook = (name: string, level: Row<unknown[]>, group: string) =>
  book({
    row: row(`
      depth=30 sequence symbol=id timestamp=nanos type='snapshot' ${name}{ asks bids }`),
    level,
    depth: 30,
    group,
  });

/** Volume and turnover: base and quote; USD and the coin that settles on inverse markets. */
const candle = (volumes: string) =>
  list(`startSeconds length #before.0 #open.0 #high.0 #low.0 #close.0 ${volumes}`);
const candleRows: Readonly<Record<string, Row<unknown[]>>> = {
  spot: candle('#quantity.0 turnoverEv'),
  inverse: candle('#quantity.0 settledEv'),
  linear: written.list('startSeconds length before+0 open high low close quantity turnover'),
};
const page = `
  in resolution 60=1m 300=5m 900=15m 1800=30m 3600=1h 14400=4h 86400=1d 604800=1w 2592000=1M;
  seconds; newest`;
function rowsOfPage(ask: Ask, more: string) {
  parameters.text(ask, 'resolution');
  const market = found(ask) ?? refuse(30000, 'Please double check input arguments');
  const made = candleRows[market.group] ?? integers;
  const rows = parameters.page(made, `${page}; ${more}`)(ask, market);
  return { code: 0, msg: 'OK', data: { total: -1, rows } };
}
const newestCandles = (ask: Ask) =>
  rowsOfPage(ask, `rows ${parameters.oneOf(ask, 'limit', 5, [5, 10, 50, 100, 500, 1000])}`);
const candleRange = (ask: Ask) => {
  for (const name of ['resolution', 'from', 'to']) parameters.text(ask, name);
  return rowsOfPage(ask, 'rows 1000; from from; to to; before');
};

const fields = [
  'symbol openRp highRp lowRp lastRp volumeRq turnoverRv openInterestRv indexRp markRp',
  'fundingRateRr predFundingRateRr',
].flatMap((words) => words.split(' '));
/** What the stream calls the members of an inverse ticker. */
const streamed = row(`
  timestamp=nanos market24h{ close=#close.0 open=#open.0 high=#high.0 low=#low.0 symbol=id
  turnover=settledEv volume=@quantity fundingRate=rateEr indexPrice=#index.0 markPrice=#mark.0
  openInterest=contracts }`);
const group = (name: Group) => ({ group: () => name });

/** The simulated exchange. */
export const phemex = exchange({
  id: venue,
  hosts: ['api.phemex.com', 'ws.phemex.com'],
  lists: without(8, 7),
  sorts: {
    spot: {
      id: (base, quote) => `s${base}${quote}`,
      base: ({ symbol }) => symbol,
      scale: () => 1e8,
      contract: ({ price }) => 10 ** -valueScale(price) / 1e8,
      decimals: ({ price }, quote) => (quote === 'BTC' ? 0 : priceDecimals(price, 8) - 8),
      lot: ({ price }) => lotDecimals(price, valueScale(price)) - valueScale(price),
    },
    linear: {
      ...sortOf('{base}{quote} thousands=1e-3'),
      base: ({ symbol }, scale) => `${scale > 1 ? 'u1000' : ''}${symbol}`,
    },
    inverse: {
      ...sortOf('{base}{quote} inverse'),
      scale: () => 1e4,
      base: ({ symbol }) => `${symbol === 'BTC' ? '' : 'c'}${symbol}`,
      decimals: ({ price }) => priceDecimals(price, 4) - 4,
    },
  },
  lines: `
    spot USDT 0.04
    spot USDC 0.005 0..8
    spot BTC 0.001 1..4
    spot USDT 0.02 USDC
    spot USDC 0 9..11 gone
    linear USDT 0.08 80%
    linear USDC 0.01 0..4
    linear USDC 0 5..7 gone
    linear USDC 0.01 -1.. preopen
    linear USDT 0.05 equities
    inverse USD 0.01 0..2
    inverse USD 0 2..3 gone`,
  refusals: [
    { status: 429, body: { code: 429, msg: 'Too many requests', data: null } },
    { status: 403, body: { code: 34003, msg: 'Access forbidden', data: null } },
    { status: 503, body: { code: 10500, msg: 'Service unavailable', data: null } },
  ],
  routes: {
    '/public/products': productsOf,
    '/v1/md/spot/ticker/24hr/all': all(tickerRows.spot, 'spot', isLive),
    '/md/v3/ticker/24hr/all': all(tickerRows.linear, 'linear', isLive),
    '/v1/md/ticker/24hr/all': all(tickerRows.inverse, 'inverse', isLive),
    '/md/v2/orderbook': orderBook('orderbook_p', written.list('price size'), 'linear'),
    '/v1/md/orderbook': orderBook('book', integers, 'others'),
    '/exchange/public/md/v2/kline': newestCandles,
    '/exchange/public/md/v2/kline/last': newestCandles,
    '/exchange/public/md/v2/kline/list': candleRange,
  },
  topics: ({ method }) => {
    const [name, word] = text(method).split('.');
    return word === 'subscribe' ? { on: true, topics: [name ?? ''] } : null;
  },
  channels: {
    spot_market24h: ticker((market, at) => {
      const { timestamp, ...spot_market24h } = tickerRows.spot(market, at);
      return { spot_market24h, timestamp };
    }, group('spot')),
    perp_market24h_pack_p: tickers((markets, at) => {
      const data = markets.map((market) => {
        const row = tickerRows.linear(market, at);
        return fields.map((name) => row[name]);
      });
      const about = { method: 'perp_market24h_pack_p.update', timestamp: nanos(at.now) };
      return [{ data, fields, ...about, type: 'snapshot' }];
    }, group('linear')),
    market24h: ticker(streamed, group('inverse')),
  },
  /** Every call is acknowledged under its id; a ping with `pong`. */
  reply({ id, method }) {
    const result = method === 'server.ping' ? 'pong' : { status: 'success' };
    return id === undefined ? [] : [{ error: null, id, result }];
  },
});
