/** Bitstamp: spot and linear perpetuals, what it lists, answers and streams. https://www.bitstamp.net/api */
import { asRow, text } from '../../../actors/read.ts';
import { answersOf, isLive, tradeRows } from '../answers.ts';
import { bookMessages } from '../book-streams.ts';
import { openOf } from '../calendar.ts';
import { trades } from '../events.ts';
import { exchange, under } from '../exchange.ts';
import { fixed, plain } from '../format.ts';
import { without } from '../listing.ts';
import type { Market } from '../market.ts';
import { Parameters } from '../pages.ts';
import { type Row, rowsOf } from '../rows.ts';
import { movingMarkets, ordered } from '../streams.ts';
import { type Ask, Refused } from '../venue.ts';

const venue = 'bitstamp';
const lower = (end: string) => (base: string, quote: string) =>
  `${base}${quote}${end}`.toLowerCase();

/** Every market charges funding every 8 hours. */
const interval = 8 * 3_600_000;

const missing = (): never => {
  throw new Refused(404, { message: 'Not found.' });
};
const parameters = new Parameters(() => {
  throw new Refused(400, { status: 'error', reason: 'Invalid parameters', code: 'API0018' });
});
function marketOf({ model, query, now }: Ask): Market {
  const found = model.market(venue, 'markets', query.get('market') ?? '', now);
  return found?.state === 'live' ? found : missing();
}
const { all, book } = answersOf({ venue, parameters, marketOf });

const isContract = ({ kind }: Market) => kind !== 'spot';
const nameOf = (market: Market) =>
  `${market.symbol}/${market.quote}${isContract(market) ? '-PERP' : ''}`;
const seconds = (time: number) => String(Math.floor(time / 1000));

const { row, list } = rowsOf(
  venue,
  {
    name: ({ market }) => nameOf(market),
    second: ({ now }) => seconds(now),
    midnight: ({ market, now }) =>
      market.price(Math.max(openOf({ ms: 86_400_000 }, now), market.listed)),
    tradedSecond: ({ trade: { time } }) => seconds(time),
    vwap: ({ market, stretch }) => plain(stretch.mean, market.decimals + 4),
    change: ({ market, stretch: { open, close } }) =>
      isLive(market) && open > 0 ? (close / open - 1) * 100 : '',
    opened: ({ candle }) => seconds(candle.time),
  },
  { write: fixed },
);
/** What perpetuals alone have is written without zeros at the end. */
const contractTicker = rowsOf(venue, {
  value: ({ market, now, interest }) =>
    Number(fixed(interest.base, market.lot)) * market.exact(now),
}).row('index_price=index+3 mark_price=mark+3 open_interest=interest open_interest_value=value.8');

const described = `
  name market_symbol=id base_currency=symbol base_decimals=lot counter_currency=quote
  counter_decimals=decimals trading=isLive:Enabled/Disabled description='{symbol} / {quote}' asset_class=isShare:EQUITY/CRYPTO
  market_type=isSpot:SPOT/PERPETUAL`;
const contract = row(described, 'markets-instruments ');
const pair = row(`${described} -payoff_type -contract_size`, 'markets-instruments ');
const infoOf: Row = (market, at) => (isContract(market) ? contract : pair)(market, at);
/** The mean is finer than the exchange's, so that the turnover is exact. */
const spotTicker = row(
  `timestamp=second open=midnight+0 high low last volume=quantity vwap bid=bestBid ask=bestAsk
  open_24=open percent_change_24=change.2 market_type=isSpot:SPOT/PERPETUAL pair=name market=name`,
  'markets-prices ',
);
const tickerOf: Row = (market, at) => ({
  ...spotTicker(market, at),
  ...(isContract(market) && contractTicker(market, at)),
});
const publicTrade = row(
  'date=tradedSecond tid=$tradeId price=tradePrice type=isMakerBuyer:1/0 amount=tradeSize',
);

/** The estimate for the end of the 8 hours. */
function fundingRate(ask: Ask) {
  const market = marketOf(ask);
  if (!isContract(market)) return missing();
  const next = (Math.floor(ask.now / interval) + 1) * interval;
  return {
    funding_rate: plain((market.fundingRate(next) * 8) / market.fundingHours, 8),
    timestamp: seconds(ask.now),
    market: nameOf(market),
    next_funding_time: seconds(next),
  };
}

const candles = parameters.page(
  row('high timestamp=opened volume=quantity low close open'),
  `in step 60=1m 180=3m 300=5m 900=15m 1800=30m 3600=1h 7200=2h 14400=4h 21600=6h 43200=12h
  86400=1d 259200=3d; rows limit 0 1000; from start; to end; seconds`,
);
function ohlc(ask: Ask) {
  parameters.text(ask, 'limit');
  const market = marketOf(ask);
  return { data: { pair: nameOf(market), ohlc: candles(ask, market) } };
}

const streamTrade = row(`
  channel='live_trades_{id}' event='trade' data{ id=tradeId timestamp=tradedSecond
  microtimestamp='{traded}000' amount=#tradeSize price=#tradePrice type=isMakerBuyer?1:0 }`);

const wholeBook = "timestamp=$seconds microtimestamp='{now}000' bids asks";
const limited = { reason: 'Request rate limit exceeded', response_code: '400.002' };

/** The simulated exchange. */
export const bitstamp = exchange({
  id: venue,
  hosts: ['www.bitstamp.net', 'ws.bitstamp.net'],
  lists: without(4, 3),
  sorts: {
    spot: { group: 'markets', kind: 'spot', id: lower('') },
    perpetual: { group: 'markets', id: lower('-perp') },
  },
  lines: `
    spot USD 0.02 * since2011
    spot EUR 0.01 0..12
    spot BTC 0.001 1..3
    spot USDT 0.001 0..3
    spot USD 0.02 USDC
    spot USDC 0 5..6 halted
    perpetual USD 0.01 0..12
    perpetual USD 0.01 equities`,
  more: { since2011: ({ id }) => (id === 'btcusd' ? { listed: Date.UTC(2011, 7, 18) } : {}) },
  refusals: [
    { status: 400, body: { status: 'error', ...limited } },
    { status: 403, body: { status: 'error', reason: 'Forbidden', code: '403.001' } },
    { status: 503, body: { status: 'error', reason: 'Busy', code: '503.001' } },
  ],
  routes: under('/api/v2/', {
    'markets/': all(infoOf),
    'ticker/': all(tickerOf),
    'funding_rate/': missing,
    'funding_rate/{market}/': fundingRate,
    /** The whole book, here of 200 levels. */
    'order_book/{market}/': book({ row: row(wholeBook), level: list('price size'), depth: 200 }),
    /** Newest first, here the newest two hundred. */
    'transactions/{market}/': (ask) => tradeRows(publicTrade, marketOf(ask), ask, 200),
    'ohlc/{market}/': ohlc,
  }),
  topics: ({ event, data }) =>
    ordered(event, ['bts:subscribe', 'bts:unsubscribe'], [text(asRow(data).channel)]),
  group: () => 'markets',
  channels: {
    /** In each second in which a market moves: every market is subscribed to for its price. */
    'live_trades_{id}': trades(streamTrade, undefined, { trading: movingMarkets }),
    'order_book_{id}': bookMessages(
      row(`data{ ${wholeBook} } channel='order_book_{id}' event='data'`),
      { depth: 100, every: 4, whole: true },
    ),
  },
  /** A subscription is confirmed with the name of its channel. */
  reply({ data }) {
    const { channel } = asRow(data);
    const event = 'bts:subscription_succeeded';
    return channel === undefined ? [] : [{ event, channel, data: {} }];
  },
});
