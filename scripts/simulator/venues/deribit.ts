/** Deribit: spot, linear and inverse futures. https://docs.deribit.com; JSON-RPC with JSON numbers, errors with HTTP 400. */
import { asRow } from '../../../actors/read.ts';
import { answersOf } from '../answers.ts';
import { bookMessages } from '../book-streams.ts';
import { openOf } from '../calendar.ts';
import { forcedRows, liquidations } from '../events.ts';
import { exchange, refusalsOf, under } from '../exchange.ts';
import { dated, sortOf } from '../listing.ts';
import type { Market } from '../market.ts';
import { columnsOf, hours, Parameters } from '../pages.ts';
import { rowsOf, type Sight, whileLive } from '../rows.ts';
import { ordered, textsOf, ticker, timed } from '../streams.ts';
import { type Ask, Refused } from '../venue.ts';
import { optionSummaries, optionTrades } from './deribit-options.ts';
import { dayOf } from './names.ts';

const venue = 'deribit';
const hour = 3_600_000;
const currencies = ['BTC', 'ETH', 'USDC', 'USDT', 'EURR'];

const envelope = (now: number) => {
  const usIn = now * 1000;
  return { usIn, usOut: usIn + 250, usDiff: 250, testnet: false };
};
const ok = (result: unknown, ask: Ask) => ({ jsonrpc: '2.0', result, ...envelope(ask.now) });
const failure = (now: number, code: number, message: string, data?: object) => ({
  jsonrpc: '2.0',
  error: { message, ...(data && { data }), code },
  ...envelope(now),
});
const parameters = new Parameters((param, { query, now }) => {
  const reason = query.has(param) ? `invalid ${param}` : 'value required';
  throw new Refused(400, failure(now, -32_602, 'Invalid params', { reason, param }));
});

const isSpot = ({ group }: Market) => group === 'spot';
/** The group of the markets with such an id. */
const groupOf = (id: string): string => {
  if (!id.includes('-')) return 'spot';
  return id.includes('_') ? 'linear' : 'inverse';
};
const marketOf = (ask: Ask): Market => {
  const id = parameters.text(ask, 'instrument_name');
  const found = ask.model.market(venue, groupOf(id), id, ask.now);
  return found ?? parameters.refuse('instrument_name', ask);
};
const { book } = answersOf({ venue, parameters, marketOf, ok });

/** Contracts go by what they settle in, spot pairs by either currency. */
const isOf = (market: Market, currency: string): boolean => {
  if (currency === 'any') return true;
  if (isSpot(market)) return [market.symbol, market.quote].includes(currency);
  return currency === (market.inverse ? market.symbol : market.quote);
};
function selected(ask: Ask, legal: readonly string[]): Market[] {
  const currency = ask.query.get('currency') ?? '';
  const kind = ask.query.get('kind');
  if (!legal.includes(currency)) parameters.refuse('currency', ask);
  const all = ask.model.markets(venue, ask.now).filter((market) => isOf(market, currency));
  return all.filter((one) => kind === null || kind === (isSpot(one) ? 'spot' : 'future'));
}

/** Per 8 hours, as it accrues in this hour. */
const eightHours = (market: Market, t: number) =>
  (market.fundingRate(openOf(hours, t)) * 8) / market.fundingHours;
/** US dollars on inverse contracts, base on the others. */
const open = ({ market, interest }: Sight) =>
  market.inverse ? Math.round(interest.value) : interest.base;

const { row, list } = rowsOf(venue, {
  ...whileLive(null, 'high low close percent'),
  bid: ({ best }) => best.bid?.price ?? null,
  ask: ({ best }) => best.ask?.price ?? null,
  open,
  middle: ({ market, best: { bid, ask } }) =>
    bid && ask ? (market.round(bid.price) + market.round(ask.price)) / 2 : null,
  begun: ({ stretch }) => stretch.open,
  priceIndex: ({ market }) => `${market.symbol}_${market.quote}`.toLowerCase(),
  dollars: ({ market, stretch }) => stretch.turnover * (market.dollars ?? 1),
  accrued: ({ market, now }) => eightHours(market, now),
  hourly: ({ market, now }) => eightHours(market, now) / 8,
  accruedBefore: ({ market, now }) => eightHours(market, now - hour),
  settled: ({ market, now }) => market.exact(openOf(hours, now)),
  /** The maker is liquidated by every third trade, which a taker on the other side meets. */
  liquidated: ({ trade }) => (trade.id % 3 === 0 ? 'M' : 'T'),
  direction: ({ trade }) => (trade.bought === (trade.id % 3 !== 0) ? 'buy' : 'sell'),
});

const instrument = `
  tick_size=#tick quote_currency=quote min_trade_amount=#step.4 kind=isSpot:spot/future is_active=isLive
  state=isLive:open/halted
  instrument_name=id instrument_type=isInverse:reversed/linear
  underlying_type=isShare:equity/crypto price_index=priceIndex
  expiration_timestamp=isDated?expires:32503708800000 creation_timestamp=listed counter_currency=quote
  contract_size=#step.4 base_currency=first`;
const pair = row(instrument, 'spot-instruments result');
const future = row(
  `${instrument} settlement_period=isDated:month/perpetual`,
  'linear-instruments result',
);

/** Spot pairs have no turnover, and perpetuals alone have funding. */
const turnover = 'volume_usd=isSpot?-:#dollars.4 volume_notional=isSpot?-:#turnover.4';
const accrued = `
  current_funding=isPerpetual?#accrued.12:- funding_8h=isPerpetual?#accruedBefore.12:-`;
const summary = row(`
  high=#high low=#low last=#close instrument_name=id bid_price=#bid ask_price=#ask
  open_interest=isSpot?0:#open.8 mark_price=#mark+1 creation_timestamp=now price_change=#percent.4
  volume=#base estimated_delivery_price=#index+1 base_currency=first quote_currency=quote
  mid_price=#middle+1 ${turnover} ${accrued}`);
const state = `
  best_ask_amount=@bestAskSize best_ask_price=#bestAsk best_bid_amount=@bestBidSize
  best_bid_price=#bestBid estimated_delivery_price=#index+1 index_price=#index+1
  instrument_name=id last_price=#close mark_price=#mark+1 open_interest=#open.8
  settlement_price=#settled+0 state=isLive:open/halted
  stats{ high=#high low=#low price_change=#percent.4 volume=#base ${turnover} } timestamp=now
  ${accrued}`;

/** `get_instruments?currency=&kind=`. */
const instruments = (ask: Ask) => {
  const markets = selected(ask, [...currencies, 'any']);
  return ok(
    markets.map((market) => (isSpot(market) ? pair : future)(market, ask)),
    ask,
  );
};
/** `get_book_summary_by_currency?currency=&kind=`; `any` is refused. */
const summaries = (ask: Ask) => {
  const markets = selected(ask, currencies);
  if (ask.query.get('kind') === 'option')
    return ok(optionSummaries(ask, ask.query.get('currency') ?? ''), ask);
  return ok(
    markets.map((market) => summary(market, ask)),
    ask,
  );
};

/** `get_order_book?instrument_name=&depth=`: one of eight depths, 5 when absent. */
const orderBook = book({
  row: row(`${state} asks bids change_id=sequence`),
  level: list('#price #size'),
  depth: (ask) => parameters.oneOf(ask, 'depth', 5, [1, 5, 10, 20, 50, 100, 1000, 10_000]),
});

const bounds = ['start_timestamp', 'end_timestamp'] as const;
const range = `from ${bounds[0]}; to ${bounds[1]}`;
const needed = (ask: Ask) => bounds.map((name) => parameters.text(ask, name));
const columns =
  'close=@close cost=#turnover high=@high low=@low open=@begun ticks=start volume=#base';
/** `get_tradingview_chart_data`: bars that open within the range, at most 5000 of them, in columns. */
const candleRows = parameters.page(
  row(columns),
  `in resolution 1=1m 3=3m 5=5m 10=10m 15=15m 30=30m 60=1h 120=2h 180=3h 360=6h 720=12h 1D=1d;
  rows 5000; ${range}`,
);
const candles = (ask: Ask) => {
  needed(ask);
  const found = candleRows(ask, marketOf(ask));
  const names = columns.split(' ').map((cell) => cell.replace(/=.*/, ''));
  return ok({ ...columnsOf(found, names), status: found.length > 0 ? 'ok' : 'no_data' }, ask);
};
/** `get_funding_rate_history`: full hours of the range, ascending, at most 744; what each hour and the last eight charged. */
const charged = parameters.page(
  row('timestamp=now index_price=#index+1 interest_1h=@hourly'),
  `every 1h; rows 744; ${range}; points; always`,
);
const fundings = (ask: Ask) => {
  needed(ask);
  const market = marketOf(ask);
  return ok(market.expires === undefined ? charged(ask, market) : [], ask);
};

const notice = (channel: string, data: unknown) => ({
  jsonrpc: '2.0',
  method: 'subscription',
  params: { channel, data },
});
const trade = row(`
  trade_id=$tradeId timestamp=traded price=@tradePrice mark_price=@tradePrice
  liquidation=liquidated instrument_name=id index_price=@tradePrice direction amount=@tradeSize`);
/** Trades go by the currency that contracts settle in. */
const settledIn = ({ inverse, symbol }: Market) => (inverse ? symbol : 'USDC');
/** A message of a channel of one market. */
const noticeOf = (channel: string, data: string) =>
  row(`jsonrpc='2.0' method='subscription' params{ channel='${channel}' data{ ${data} } }`);

/** The simulated exchange. */
export const deribit = exchange({
  id: venue,
  hosts: ['www.deribit.com', 'streams.deribit.com'],
  sorts: {
    spot: '{base}_{quote}',
    linear: '{base}_{quote}-PERPETUAL thousands=PEPE,SHIB,BONK,FLOKI,SATS',
    inverse: {
      ...sortOf('{base}-PERPETUAL inverse'),
      decimals: ({ symbol }) => (symbol === 'BTC' ? 1 : 2),
      lot: ({ symbol }) => (symbol === 'BTC' ? -1 : 0),
    },
  },
  lines: `
    spot USDC 0.01 0..4
    spot USDT 0.01 BTC,ETH
    spot USDT 0.01 USDC
    spot BTC 0.01 ETH
    linear USDC 0.01 0..60 halted@60
    linear USDC 0.01 equities
    inverse USD 0.05 BTC,ETH
    linear USDC 0.0005 BTC,ETH dated
    inverse USD 0.0025 BTC,ETH dated`,
  more: { dated: dated(({ id }, expires) => id.replace('PERPETUAL', dayOf(expires))) },
  refusals: refusalsOf(
    (code: number, message) => failure(0, code, message),
    [429, 10_028, 'too_many_requests'],
    [403, 10_028, 'too_many_requests'],
    [503, 11_051, 'system_maintenance'],
  ),
  routes: under('/api/v2/public/', {
    get_instruments: instruments,
    get_book_summary_by_currency: summaries,
    get_order_book: orderBook,
    get_tradingview_chart_data: candles,
    get_funding_rate_history: fundings,
  }),
  topics: ({ method, params }) =>
    ordered(
      method,
      ['public/subscribe', 'public/unsubscribe'],
      textsOf(asRow(params).channels).flatMap((topic) => {
        if (!topic.startsWith('trades.')) return [topic];
        const usual = topic.startsWith('trades.future.') ? [`usual ${topic}`] : [];
        return [topic, 'heartbeat', ...usual];
      }),
    ),
  group: groupOf,
  channels: {
    /** Trades, some of which liquidate. */
    'trades.future.{group}.100ms': liquidations(
      (found, at) =>
        [...Map.groupBy(found, ({ market }) => settledIn(market))].map(([currency, some]) =>
          notice(`trades.future.${currency}.100ms`, forcedRows(trade, some, at)),
        ),
      (market) => `${settledIn(market)} `,
    ),
    'trades.option.{group}.100ms': timed(1, (at, currencies) =>
      currencies.flatMap((currency) => {
        const found = optionTrades(at, currency);
        return found.length > 0 ? [notice(`trades.option.${currency}.100ms`, found)] : [];
      }),
    ),
    'usual {group}': timed(1, ({ now }, [channel = '']) => [
      notice(channel, [
        { trade_id: `${now}`, timestamp: now, price: 1, amount: 10, direction: 'buy' },
      ]),
    ]),
    /** Its question whether we live. */
    heartbeat: timed(30, () => [
      { jsonrpc: '2.0', method: 'heartbeat', params: { type: 'test_request' } },
    ]),
    'ticker.{id}.100ms': ticker(noticeOf('ticker.{id}.100ms', state)),
    'book.{id}.100ms': bookMessages(
      noticeOf(
        'book.{id}.100ms',
        `type=isWhole:snapshot/change timestamp=now instrument_name=id prev_change_id=previous
        change_id=sequence bids asks`,
      ),
      { level: ([price, size]) => [size === '0' ? 'delete' : 'new', Number(price), Number(size)] },
    ),
  },
  /** A subscription is answered with its channels. */
  reply: ({ id = null, params }) =>
    params === undefined ? [] : [{ jsonrpc: '2.0', id, result: asRow(params).channels ?? [] }],
});
