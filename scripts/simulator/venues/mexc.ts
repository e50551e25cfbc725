/** MEXC: spot and perpetual contracts. https://mexcdevelop.github.io/apidocs; spot writes numbers as text, contracts as JSON numbers. */
import { asRow, isRecord, text } from '../../../actors/read.ts';
import { answersOf, isLive, marketRows } from '../answers.ts';
import { bare, bookMessages, deepEvery } from '../book-streams.ts';
import { exchange, refusalsOf } from '../exchange.ts';
import { sortOf, without } from '../listing.ts';
import type { Market } from '../market.ts';
import { columnsOf, Parameters } from '../pages.ts';
import { rowsOf } from '../rows.ts';
import { tickers, timed } from '../streams.ts';
import { type Ask, Refused } from '../venue.ts';

const venue = 'mexc';
const refuse = (code: number, msg: string): never => {
  throw new Refused(400, { code, msg, _extend: null });
};
const refuseContract = (code: number, message: string): never => {
  throw new Refused(200, { success: false, code, message });
};
const parameters = new Parameters((name) =>
  name === 'interval'
    ? refuse(-1128, 'Combination of optional parameters invalid.')
    : refuse(700_004, `${name} is invalid`),
);
const contractParameters = new Parameters(() => refuseContract(600, 'Parameter error!'));
const ok = (data: unknown) => ({ success: true, code: 0, data });

const spot = answersOf({
  venue,
  parameters,
  marketOf: ({ model, query, now }) =>
    model.market(venue, 'spot', query.get('symbol') ?? '', now) ?? refuse(-1121, 'Invalid symbol.'),
});
const contractOf = ({ model, query, now }: Ask): Market =>
  model.market(venue, 'contracts', query.get('symbol') ?? '', now) ??
  refuseContract(1001, 'Contract does not exist!');
const contracts = answersOf({ venue, parameters: contractParameters, marketOf: contractOf, ok });

const { row, list } = rowsOf(venue, {
  spotBase: ({ market }) => market.id.slice(0, -market.quote.length),
  /** Some answers lack it. */
  quoteVolume: ({ market, stretch }) => (market.id === 'BTCUSDT' ? null : stretch.turnover),
  settleCoin: ({ market }) => market.id.split('_')[market.inverse ? 0 : 1],
  count: ({ level }) => Math.round(level?.quantity ?? 0),
});

const symbol = row(
  `symbol=id status=isLive:1/2 baseAsset=spotBase baseAssetPrecision=$lot quoteAsset=quote
  quoteAssetPrecision=$decimals`,
  'spot-instruments symbols',
);
/** The change is a fraction in spite of its name. */
const spotTicker = row(
  `symbol=id priceChange=rise priceChangePercent=fraction.8f lastPrice=close bidPrice=bestBid
  bidQty='' askPrice=bestAsk askQty='' openPrice=open highPrice=high lowPrice=low volume=quantity.8
  quoteVolume=quoteVolume.8 openTime=dayAgo closeTime=now`,
  'spot-prices ',
);
const contract = row(
  `symbol=id baseCoin=first quoteCoin=second settleCoin contractSize=@contract priceUnit=#tick
  state=#isLive:0/4`,
  'contracts-instruments data',
);
const contractTicker = row(
  `symbol=id lastPrice=#close bid1=#bestBid ask1=#bestAsk volume24=@quantity amount24=settled
  holdVol=contracts lower24Price=#low high24Price=#high riseFallRate=#fraction riseFallValue=#rise
  riseFallRatesOfTimezone[ #fraction #fraction #fraction ] indexPrice=#index+1 fairPrice=#mark+1 fundingRate=@rate timestamp=now`,
  'contracts-prices data',
);
const rate = row(
  'symbol=id fundingRate=@rate collectCycle=hours nextSettleTime=next timestamp=now',
  'contracts-derivatives bodies.1.data',
);
const columns = 'time open close high low vol amount'.split(' ');
const contractCandles = contractParameters.page(
  row('time=startSeconds open=@open close=@close high=@high low=@low vol=@quantity amount=settled'),
  `in interval:Min1 Min1=1m Min5=5m Min15=15m Min30=30m Min60=1h Hour4=4h Hour8=8h Day1=1d Week1=1w
  Month1=1M; rows 2000; from start; to end; seconds; onward`,
);

const polledOnly = new Set(
  'bid1 ask1 holdVol fundingRate riseFallValue riseFallRatesOfTimezone'.split(' '),
);
const streamRate = rowsOf(venue).row('symbol=id rate=@rate nextSettleTime=next');

/** The simulated exchange. */
export const mexc = exchange({
  id: venue,
  hosts: ['api.mexc.com', 'contract.mexc.com'],
  lists: without(11, 10),
  sorts: {
    spot: '{base}{quote}',
    leveraged: '{base}3LUSDT other=spot',
    linear: {
      ...sortOf('{base}_{quote} group=contracts thousands=BONK worth=10,BTC:0.0001,ETH:0.01'),
      base: ({ symbol, kind }, scale) =>
        `${scale > 1 ? scale : ''}${symbol}${kind === 'equity' ? 'STOCK' : ''}`,
    },
    inverse: '{base}_{quote} group=contracts dollars',
  },
  lines: `
    spot USDT 0.05 0..-1
    spot USDC 0.005 0..6
    spot BTC 0.001 1..8>0.1
    spot USDT 0.02 USDC
    leveraged USDT 0.001 0..1
    spot USDT 0 -1.. halted
    linear USDT 0.1 85%
    linear USDC 0.005 0..3
    linear USDT 0 -1.. halted
    linear USDT 0.1 equities
    inverse USD 0.01 0..4>0.01`,
  refusals: refusalsOf(
    (code: number, message) => ({ success: false, code, message }),
    [429, 510, 'Requests are too frequent, please try again later'],
    [403, 403, 'Access Denied'],
    [503, 501, 'System busy, try again later'],
  ),
  routes: {
    '/api/v3/exchangeInfo': (ask) => {
      const symbols = marketRows(symbol, ask, { venue, group: 'spot' });
      return { timezone: 'CST', serverTime: ask.now, rateLimits: [], exchangeFilters: [], symbols };
    },
    '/api/v3/ticker/24hr': spot.all(spotTicker, 'spot', isLive),
    '/api/v3/depth': spot.book({
      row: row('lastUpdateId=$sequence bids asks'),
      level: list('price size'),
      depth: ['limit', 100, 5000],
    }),
    '/api/v3/klines': spot.page(
      list('start open high low close quantity.8 end turnover'),
      `in interval 1m 5m 15m 30m 60m 4h 1d 1W=1w 1M; rows limit 500 500 cut; from startTime;
      to endTime; onward`,
    ),
    '/api/v1/contract/detail': contracts.all(contract, 'contracts'),
    '/api/v1/contract/ticker': contracts.all(contractTicker, 'contracts', isLive),
    '/api/v1/contract/funding_rate': contracts.all(rate, 'contracts', isLive),
    '/api/v1/contract/depth/{symbol}': contracts.book({
      row: row('asks bids version=sequence timestamp=now'),
      level: list('#price count orders'),
      depth: ({ query }) => Number(query.get('limit') ?? 100),
    }),
    '/api/v1/contract/kline/{symbol}': (ask) =>
      ok(columnsOf(contractCandles(ask, contractOf(ask)), columns)),
  },
  /** A ping, and a subscription, are answered without an id. */
  reply({ method, param }) {
    if (method === 'ping') return [{ channel: 'pong', data: 0 }];
    if (/^(un)?sub\.(tickers|depth|funding\.rate)$/.test(text(method)) && isRecord(param))
      return [{ channel: `rs.${text(method)}`, data: 'success' }];
    return [{ channel: 'rs.error', data: 'not simulated' }];
  },
  topics({ method, param }) {
    const [word, name = ''] = text(method).split(/\.(.+)/);
    const id = text(asRow(param).symbol);
    if (word !== 'sub' && word !== 'unsub') return null;
    return { on: word === 'sub', topics: [id === '' ? name : `${name} ${id}`] };
  },
  group: () => 'contracts',
  channels: {
    tickers: tickers((markets, at) => {
      const data = markets.map((market) => {
        const entries = Object.entries(contractTicker(market, at));
        return Object.fromEntries(entries.filter(([key]) => !polledOnly.has(key)));
      });
      return [{ channel: 'push.tickers', data, ts: at.now }];
    }),
    /** The rate of a contract, at first and every minute. */
    'funding.rate {id}': timed(
      60,
      ({ first: _, ...at }, keys) => {
        const keep = (one: Market) => isLive(one) && keys.includes(`contracts ${one.id}`);
        const rows = marketRows(streamRate, at, { venue, group: 'contracts', keep });
        return rows.map((data) => {
          return { symbol: data.symbol, data, channel: 'push.funding.rate', ts: at.now };
        });
      },
      { first: true },
    ),
    /** The whole book is asked for. */
    'depth {id}': bookMessages(
      row(`
        symbol=id channel='push.depth' ts=now
        data{ cts=now asks bids begin=following end=sequence version=sequence }`),
      { depth: 1_000, every: deepEvery, part: 'updates', level: (one) => [...bare(one), 1] },
    ),
  },
});
