/** Lighter: perpetuals and spot. https://apidocs.lighter.xyz */
import { text } from '../../../actors/read.ts';
import { isLive, marketRows } from '../answers.ts';
import { bookOf } from '../book.ts';
import { bookMessages, named } from '../book-streams.ts';
import { eachForced, liquidations } from '../events.ts';
import { exchange, refusalsOf, under } from '../exchange.ts';
import { fixed } from '../format.ts';
import { type Which, without } from '../listing.ts';
import type { Market } from '../market.ts';
import { Parameters } from '../pages.ts';
import { type Row, rowsOf, type Sight } from '../rows.ts';
import { ordered, subscribing, timed } from '../streams.ts';
import type { Asset } from '../symbols.ts';
import { type Ask, Refused } from '../venue.ts';

const venue = 'lighter';
/** ETH is 0 and BTC is 1. */
const byPlace: Which = (coins) => {
  const place = ({ symbol, rank }: Asset) => ['ETH', 'BTC'].indexOf(symbol) + 1 || rank + 3;
  return coins.toSorted((a, b) => place(a) - place(b));
};

const parameters = new Parameters(() => {
  throw new Refused(400, { code: 20001, message: 'invalid param ' });
});
const marketOf = (ask: Ask): Market =>
  ask.model.market(venue, 'all', ask.query.get('market_id') ?? '', ask.now) ??
  parameters.refuse('market_id', ask);

const isSpot = ({ kind }: Market): boolean => kind === 'spot';
const nameOf = ({ kind, symbol, quote, scale }: Market): string => {
  if (kind === 'spot') return `${symbol}/${quote}`;
  return scale === 1 ? symbol : `${scale}${symbol}`;
};
/** An hour's part of a rate. */
const hourly =
  (at: 'next' | 'last') =>
  ({ market, funding }: Sight) =>
    market.fundingRate(funding[at]) / market.fundingHours;

const { row } = rowsOf(venue, {
  name: ({ market }) => nameOf(market),
  number: ({ market }) => Number(market.id),
  least: ({ market }) => fixed(10 ** -market.lot, market.lot),
  about: ({ market }) => (market.asset === 'equity' ? 'RWA' : 'CRYPTO'),
  startId: ({ market, candle }) => market.tradeId(candle.time),
  lastRate: hourly('last'),
  nextRate: hourly('next'),
  eightHours: (sight) => hourly('next')(sight) * 8,
  held: ({ market, interest }) => fixed(interest.base, market.lot),
  dollars: ({ trade }) => fixed(trade.quantity * trade.price, 6),
});
const day = `
  daily_base_token_volume=#quantity daily_quote_token_volume=#turnover.6 daily_price_low=#low
  daily_price_high=#high daily_price_change=isLive?@percent:0`;
const details = `
  ${day} symbol=name market_id=number status=state:active/inactive/active min_base_amount=least
  supported_size_decimals=lot
  supported_price_decimals=decimals size_decimals=lot price_decimals=decimals
  last_trade_price=#last daily_trades_count=trades`;
const pair = row(`${details} daily_chart='{}'`, 'all-instruments bodies.0.spot_order_book_details');
const contract = row(
  `${details} open_interest=#interest market_config{ hidden=isAnnounced }`,
  'all-instruments bodies.0.order_book_details',
);
const token = row('symbol=name asset_type=about', 'all-instruments bodies.1.tokens');
const rate = row("market_id=number symbol=name exchange='lighter' rate=eightHours");

/** `filter`: perp, spot or all, which is the default. */
function orderBookDetails(ask: Ask) {
  const filter = ask.query.get('filter') ?? 'all';
  if (!['perp', 'spot', 'all'].includes(filter)) parameters.refuse('filter', ask);
  const of = (made: Row, keep: (market: Market) => boolean) =>
    marketRows(made, ask, { venue, keep });
  return {
    code: 200,
    order_book_details: filter === 'spot' ? [] : of(contract, (market) => !isSpot(market)),
    spot_order_book_details: filter === 'perp' ? [] : of(pair, isSpot),
  };
}

/** What perpetuals are about. */
const tokenlist = (ask: Ask) => ({
  code: 200,
  tokens: marketRows(token, ask, { venue, keep: (market) => !isSpot(market) }),
});

/** Rates per 8 hours, beside those of other exchanges. */
const fundingRates = (ask: Ask) => {
  const keep = (market: Market) => !isSpot(market) && isLive(market);
  const rows = marketRows(rate, ask, { venue, keep });
  const others = rows.map((one) => ({
    ...one,
    exchange: 'binance',
    rate: Number(one.rate) + 0.0001,
  }));
  return { code: 200, funding_rates: [...rows, ...others] };
};

/** One row an order: a level is made of up to three. */
function* orders(market: Market, side: 'bids' | 'asks', ask: Ask) {
  const unitsPerLot = 10 ** market.lot;
  for (const level of bookOf(market, ask.now, 250)[side]) {
    const lots = Math.round(level.quantity * unitsPerLot);
    const count = Math.min(lots, 1 + (level.orders % 3));
    for (let i = 0; i < count; i++) {
      const part = Math.floor((lots * (i + 1)) / count) - Math.floor((lots * i) / count);
      const amount = fixed(part / unitsPerLot, market.lot);
      const price = fixed(level.price, market.decimals);
      yield { initial_base_amount: amount, remaining_base_amount: amount, price };
    }
  }
}

/** `limit` orders a side, 1 to 250; there is no usual number. */
function orderBookOrders(ask: Ask) {
  const market = marketOf(ask);
  const limit = parameters.count(ask, ['limit', 0, 250]) || parameters.refuse('limit', ask);
  const asks = [...orders(market, 'asks', ask)].slice(0, limit);
  const bids = [...orders(market, 'bids', ask)].slice(0, limit);
  return { code: 200, total_asks: asks.length, asks, total_bids: bids.length, bids };
}

/** Bars that open in a range, whose end does not count: the last `count_back`, at most 500. */
const candleRows = parameters.page(
  row('t=start o=#open h=#high l=#low c=#close v=#quantity V=#turnover.6 i=startId'),
  `in resolution 1m 5m 15m 30m 1h 4h 12h 1d 1w; rows 500; from start_timestamp; to end_timestamp;
  before`,
);
function candles(ask: Ask) {
  for (const name of ['start_timestamp', 'end_timestamp', 'count_back']) parameters.text(ask, name);
  const count = parameters.whole(ask, 'count_back', 0, [0, 1e13]) || 500;
  const rows = candleRows(ask, marketOf(ask)).slice(-count);
  return { code: 200, r: ask.query.get('resolution'), c: rows.length > 0 ? rows : null };
}

const common = `
  ${day} symbol=name market_id=number index_price=index+0f mid_price=mark+0f
  last_trade_price=last+0f`;
const pairStats = row(common);
/** Rates of the next and of the last hour are fractions. */
const perpStats = row(`
  ${common} mark_price=mark+0f open_interest=held open_interest_limit='72057594037927936.000000'
  funding_clamp_small='0.0500' funding_clamp_big='4.0000' current_funding_rate=nextRate.6f
  funding_rate=lastRate.6f funding_timestamp=now`);
/** Every market of a kind that trades, every second. */
const stats = (name: string, made: Row, ofSpot: boolean) =>
  timed(
    1,
    (at) => {
      const keep = (market: Market) => isLive(market) && isSpot(market) === ofSpot;
      const markets = at.model.markets(venue, at.now).filter(keep);
      return [
        {
          channel: `${name}:all`,
          [name]: Object.fromEntries(markets.map((market) => [market.id, made(market, at)])),
          timestamp: at.now,
          type: `${at.first ? 'subscribed' : 'update'}/${name}`,
        },
      ];
    },
    { first: true },
  );
const forced = row(`
  channel='trade:{id}' trades=[] type='update/trade' liquidation_trades[ {
  trade_id=tradeId type='liquidation' market_id=number size=tradeSize price=tradePrice
  usd_amount=dollars is_maker_ask=isMakerBuyer timestamp=traded } ]`);

/** The simulated exchange. */
export const lighter = exchange({
  id: venue,
  hosts: ['mainnet.zklighter.elliot.ai'],
  lists: without(4, 3),
  sorts: { perpetual: ' group=all thousands=1e-3', spot: ' spot=all' },
  lines: `
    perpetual USDC 0.015 perpetuals numbered
    spot USDC 0.001 pairs paired
    spot BTC 0.001 ETH crossed`,
  which: {
    perpetuals: (coins, all) => [
      ...byPlace(coins, all),
      ...all.filter(({ kind }) => kind === 'equity'),
    ],
    pairs: (coins, all) => byPlace(coins, all).slice(0, 8),
  },
  more: {
    numbered: (_, { i, count }) => ({
      id: String(i),
      ...(i === Math.min(10, count - 3) && { state: 'halted' }),
      ...(i === Math.min(12, count - 2) && { state: 'preopen' }),
    }),
    paired: (_, { i }) => ({ id: String(2048 + i) }),
    crossed: () => ({ id: '2056' }),
  },
  refusals: refusalsOf(
    (code: number, message) => ({ code, message }),
    [429, 23000, 'Too Many Requests!'],
    [403, 403, 'forbidden'],
    [503, 500, 'service unavailable'],
  ),
  routes: under('/api/v1/', {
    orderBookDetails,
    tokenlist,
    'funding-rates': fundingRates,
    orderBookOrders,
    candles,
  }),
  topics: ({ type, channel }) => ordered(type, subscribing, [text(channel)]),
  channels: {
    'market_stats/all': stats('market_stats', perpStats, false),
    'spot_market_stats/all': stats('spot_market_stats', pairStats, true),
    'trade/{id}': liquidations(eachForced(forced)),
    'order_book/{id}': bookMessages(
      row(`
        type='{isWhole:subscribed/update}/order_book' channel='order_book:{id}'
        offset=sequence timestamp=now
        order_book{ code=0 asks bids offset=sequence nonce=sequence begin_nonce=isWhole?0:previous }`),
      { every: 2, level: named('price', 'size') },
    ),
  },
  /** A ping is answered, and trades begin with none; a channel that is not simulated is refused. */
  reply({ type, channel }) {
    if (type === 'ping') return [{ type: 'pong' }];
    if (type !== 'subscribe') return [];
    const trades = { channel: text(channel).replace('/', ':'), liquidation_trades: [], trades: [] };
    if (text(channel).startsWith('trade/')) return [{ ...trades, type: 'subscribed/trade' }];
    if (/^((spot_)?market_stats\/all|order_book\/.+)$/.test(text(channel))) return [];
    return [{ error: { code: 30_003, message: `Invalid Channel: ${channel}` } }];
  },
});
