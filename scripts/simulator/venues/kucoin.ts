/** KuCoin: spot and futures. https://www.kucoin.com/docs-new; spot numbers are text, those of contracts mostly JSON numbers. */
import { text } from '../../../actors/read.ts';
import { answersOf, isLive, marketRows } from '../answers.ts';
import { bookMessages, deepEvery } from '../book-streams.ts';
import { exchange, refusalsOf, under } from '../exchange.ts';
import { dated, sortOf, without } from '../listing.ts';
import type { Market, MarketSpec } from '../market.ts';
import { Parameters } from '../pages.ts';
import { rowsOf, type Sight, whileLive } from '../rows.ts';
import { ordered, textsOf, ticker, timed } from '../streams.ts';
import { type Ask, Refused } from '../venue.ts';
import { nativeBase } from './names.ts';

const venue = 'kucoin';
const hour = 3_600_000;
/** Quarterly futures: `XBTMZ25`. */
const expiryName = (_: MarketSpec, expires: number): string => {
  const time = new Date(expires);
  return `XBTM${'HMUZ'[Math.floor(time.getUTCMonth() / 3)]}${time.getUTCFullYear() % 100}`;
};
/** Books have their time in nanoseconds. */
const nanos = ({ now }: Sight) => now * 1e6;

const ok = (data: unknown) => ({ code: '200000', data });
const refuse = (msg: string): never => {
  throw new Refused(400, { code: '400100', msg });
};
const parameters = new Parameters((name) => refuse(`${name} is invalid`));
const marketOf = (ask: Ask, group: string): Market => {
  const id = ask.query.get('symbol') ?? refuse('symbol is required');
  const unknown = group === 'spot' ? 'Unsupported trading pair.' : 'The contract does not exist.';
  const found = ask.model.market(venue, group || 'futures', id, ask.now);
  return found ?? refuse(unknown);
};
const { all, page, book } = answersOf({ venue, parameters, marketOf, ok });

const isFunded = ({ kind }: Market) => kind === 'perpetual';

const { row, list } = rowsOf(venue, {
  // A market that does not trade has nulls.
  ...whileLive(null, 'bestBid bestAsk high low close mean mark index'),
  native: ({ market }) => nativeBase(market),
  granularity: ({ market }) => market.fundingHours * hour,
  wait: ({ funding, now }) => funding.next - now,
  traded: ({ market, stretch }) => stretch.quantity * market.contract,
  lowest: ({ stretch }) => stretch.low,
  highest: ({ stretch }) => stretch.high,
  multiplier: ({ market }) => (market.inverse ? -market.contract : market.contract),
  nanos,
  lotsHere: ({ level }) => Math.round(level?.quantity ?? 0),
});

const symbol = row(
  `symbol=id name=id baseCurrency=first quoteCurrency=second market=isSpot:USDS/ETF priceIncrement=tick
  enableTrading=isLive`,
  'spot-instruments data',
);
const spotTicker = row(
  `symbol=id buy=bestBid sell=bestAsk changeRate=fraction.6f changePrice=rise high low
  vol=quantity.8 volValue=turnover.12 last=close`,
  'spot-prices data.ticker',
);
const contract = row(
  `symbol=id baseCurrency=native quoteCurrency=quote type=isDated:FFICSX/FFWCSX tickSize=#tick multiplier isQuanto=isInverse?false:true isInverse
  fundingRateSymbol='.{id}FPI{hours}H' status=isLive:Open/Paused fundingFeeRate=isDated?null:@rate
  predictedFundingFeeRate=isDated?null:@rate fundingRateGranularity=isDated?null:granularity openInterest=$contracts turnoverOf24h=settled
  volumeOf24h=isInverse?@traded:@base markPrice=#mark+1 indexPrice=#index+1 lastTradePrice=#close
  nextFundingRateTime=isDated?null:wait lowPrice=lowest highPrice=highest priceChgPct=#fraction priceChg=#rise`,
  'futures-instruments data',
);
const spotBook = (depth: number) =>
  book({
    row: row('sequence=$sequence time=now bids asks'),
    level: list('price size'),
    depth,
    group: 'spot',
  });
const contractBook = (depth: number) =>
  book({ row: row('symbol=id sequence asks bids ts=nanos'), level: list('price lotsHere'), depth });

const spotCandles = (ask: Ask) =>
  page(
    list('$startSeconds open close high low quantity.8 turnover.12'),
    `in type 1min=1m 3min=3m 5min=5m 15min=15m 30min=30m 1hour=1h 2hour=2h 4hour=4h 6hour=6h
    8hour=8h 12hour=12h 1day=1d 1week=1w 1month=1M; from startAt; to endAt; seconds; newest;
    rows ${ask.query.has('startAt') ? 1500 : 100}`,
    'spot',
  )(ask);
const contractCandles = (ask: Ask) =>
  page(
    list('start @open @high @low @close @quantity'),
    `in granularity 1=1m 5=5m 15=15m 30=30m 60=1h 120=2h 240=4h 480=8h 720=12h 1440=1d 10080=1w;
    rows ${ask.query.has('from') ? 500 : 200}; from from; to to; onward`,
  )(ask);
const charged = page(
  row('symbol=id fundingRate=#charged timepoint=now'),
  'every funding; rows 100; from from; to to; newest; points',
);
const fundingHistory = (ask: Ask) => {
  if (!ask.query.has('from') || !ask.query.has('to')) refuse('from and to are required');
  return charged(ask);
};

const streamed = rowsOf(venue, {
  nanos,
  venueGroup: ({ market }) => market.group.toUpperCase(),
  length: ({ funding: { last, next } }) => next - last,
});
const streamTicker = streamed.row(`
  T='ticker.{venueGroup}' P='{now}000000' d{ A=bestAskSize E=seconds M='{now}000000' S='SELL'
  a=bestAsk b=bestBid l=last q=bestBidSize s=id }`);
const mark = streamed.row(
  "T='mark-price' P='{now}000000' d{ s=id mp=mark+1 ip=index+1 oi=$contracts ts=now }",
);
const rate = streamed.row('s=id fr=rate.6f nt=next gl=length');

/** The simulated exchange. */
export const kucoin = exchange({
  id: venue,
  hosts: [
    'api.kucoin.com',
    'api-futures.kucoin.com',
    'x-push-spot.kucoin.com',
    'x-push-futures.kucoin.com',
  ],
  lists: without(10, 9),
  sorts: {
    spot: '{base}-{quote}',
    leveraged: '{base}3L-USDT other=spot',
    linear: {
      ...sortOf('{base}{quote}M group=futures thousands=PEPE,BONK worth=10,BTC:0.001,ETH:0.01'),
      base: ({ symbol }, scale) => nativeBase({ symbol, scale }),
    },
    inverse: {
      ...sortOf('{base}{quote}M group=futures inverse'),
      base: ({ symbol }) => nativeBase({ symbol, scale: 1 }),
    },
  },
  lines: `
    spot USDT 0.04 0..-1
    spot USDC 0.004 0..6
    spot BTC 0.001 1..8>0.1
    spot USDT 0.02 USDC
    leveraged USDT 0.001 0..1
    spot USDT 0 -1.. halted
    linear USDT 0.08 80%
    linear USDC 0.004 0..3
    linear USDT 0 -1.. halted
    inverse USD 0.01 0..4>0.01
    inverse USD 0.0005 0..1 dated`,
  more: { dated: dated(expiryName) },
  refusals: refusalsOf(
    (code: string, msg) => ({ code, msg }),
    [429, '429000', 'Too many requests in a short period of time'],
    [403, '400302', 'The service is not available in your region'],
    [500, '500000', 'Internal Server Error'],
  ),
  routes: {
    '/api/v2/symbols': all(symbol, 'spot'),
    ...under('/api/v1/', {
      'market/allTickers': (ask) => {
        const ticker = marketRows(spotTicker, ask, { venue, group: 'spot' });
        return ok({ time: ask.now, ticker });
      },
      'market/orderbook/level2_20': spotBook(20),
      'market/orderbook/level2_100': spotBook(100),
      'market/candles': spotCandles,
      'contracts/active': all(contract, 'futures'),
      'level2/depth20': contractBook(20),
      'level2/depth100': contractBook(100),
      'kline/query': contractCandles,
      'contract/funding-rates': fundingHistory,
    }),
    '/api/ua/v1/market/open-interest': page(
      row('openInterest=$contracts ts=now'),
      `in interval 5min=5m 15min=15m 30min=30m 1hour=1h 4hour=4h 1day=1d; rows pageSize 30 200;
      from startAt; to endAt; newest; points`,
    ),
  },
  /** Subscriptions and pings are answered with their id. */
  reply: ({ id, type }) => [type === 'ping' ? { id, type: 'pong' } : { id, result: true }],
  topics({ action, channel, symbols, symbol }) {
    const ids = textsOf(symbols ?? [symbol]);
    const name = text(channel);
    const topics = ids.length > 0 ? ids.map((id) => `${name} ${id}`) : [name];
    return ordered(action, ['SUBSCRIBE', 'UNSUBSCRIBE'], topics);
  },
  group: (id) => (id.includes('-') ? 'spot' : 'futures'),
  channels: {
    'ticker {id}': ticker(streamTicker),
    'mark-price {id}': ticker(mark),
    /** Rates of all perpetuals, every minute. */
    'funding-fee-all-symbols': timed(
      60,
      (at) => {
        const keep = (market: Market) => isFunded(market) && isLive(market);
        const d = marketRows(rate, at, { venue, group: 'futures', keep });
        return [{ T: 'funding-fee-all-symbols', P: `${at.now}000000`, d }];
      },
      { first: true },
    ),
    'obu {id}': bookMessages(
      streamed.row(`
        T='obu.{venueGroup}' dp='increment@10ms' t=isWhole:snapshot/delta P=nanos
        d{ a=asks b=bids s=id M=nanos O=isWhole?sequence:following C=sequence }`),
      { depth: 400, every: deepEvery },
    ),
  },
});
