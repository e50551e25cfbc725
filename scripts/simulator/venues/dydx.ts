/** dYdX v4: the public indexer. https://docs.dydx.xyz/indexer-client/http */
import { asRow, text } from '../../../actors/read.ts';
import { answersOf, isLive } from '../answers.ts';
import { bookMessages, named } from '../book-streams.ts';
import { eachForced, liquidations } from '../events.ts';
import { exchange, refusalsOf, under } from '../exchange.ts';
import { plain } from '../format.ts';
import { without } from '../listing.ts';
import type { Market } from '../market.ts';
import { Parameters } from '../pages.ts';
import { rowsOf, whileLive } from '../rows.ts';
import { isEvery, movingMarkets, ordered, subscribing } from '../streams.ts';
import { type Ask, Refused } from '../venue.ts';

const venue = 'dydx';

const refuse = (status: number, error: object): never => {
  throw new Refused(status, { errors: [error] });
};
const parameters = new Parameters((param, { query }) =>
  refuse(400, {
    value: query.get(param) ?? undefined,
    msg: `${param} must be ${param === 'ticker' ? 'a valid ticker (BTC-USD, etc)' : 'valid'}`,
    param,
    location: param === 'ticker' ? 'params' : 'query',
  }),
);
const unknown = (ticker: string) =>
  refuse(404, { msg: `${ticker} not found in markets of type PERPETUAL` });
const found = ({ model, query, now }: Ask): Market | undefined =>
  model.market(venue, 'perp', query.get('ticker') ?? '', now);

const { row } = rowsOf(venue, {
  ...whileLive(0, 'rise interest hourly'),
  oracle: ({ market, now, stretch }) => (isLive(market) ? stretch.close : market.exact(now)),
  type: ({ market }) => (market.id.includes(',') ? 'ISOLATED' : 'CROSS'),
  bothSides: ({ market, interest }) => plain(isLive(market) ? interest.base * 2 : 0, market.lot),
  started: ({ candle }) => new Date(candle.time).toISOString(),
  settled: ({ market, now }) => market.fundingRate(now) / market.fundingHours,
  height: ({ now }) => String(Math.floor(now / 1000)),
  effective: ({ now }) => new Date(now + 219).toISOString(),
});
const facts = row(
  `ticker=id status=isLive:ACTIVE/FINAL_SETTLEMENT oraclePrice=oracle+0 priceChange24H=rise
  volume24H=turnover.4
  nextFundingRate=hourly.20 openInterest=interest tickSize=tick stepSize=step marketType=type
  baseOpenInterest=bothSides`,
  'perp-prices markets.BTC-USD',
);
/** Markets by their tickers. */
const byTicker = (markets: readonly Market[], at: Pick<Ask, 'model' | 'now'>) =>
  Object.fromEntries(markets.map((market) => [market.id, facts(market, at)]));

/** `perpetualMarkets`: `ticker` alone where one is named. */
function markets(ask: Ask) {
  if (!ask.query.has('ticker'))
    return { markets: byTicker(ask.model.markets(venue, ask.now, 'perp'), ask) };
  const market = found(ask) ?? unknown(ask.query.get('ticker') ?? '');
  return { markets: byTicker([market], ask) };
}

const form = { venue, parameters };
const { book } = answersOf({
  ...form,
  marketOf: (ask) => found(ask) ?? unknown(ask.query.get('ticker') ?? ''),
});
const marketOf = (ask: Ask) => found(ask) ?? parameters.refuse('ticker', ask);
const { page: candlesOf } = answersOf({ ...form, marketOf, ok: (candles) => ({ candles }) });
const candles = candlesOf(
  row(`
    startedAt=started ticker=id low high open close baseTokenVolume=base usdVolume=turnover trades
    resolution=?resolution`),
  `in resolution 1MIN=1m 5MINS=5m 15MINS=15m 30MINS=30m 1HOUR=1h 4HOURS=4h 1DAY=1d;
  rows limit 1000 1000; from fromISO; to toISO; iso; before; newest`,
);
const { page: chargedOf } = answersOf({
  ...form,
  marketOf,
  ok: (historicalFunding) => ({ historicalFunding }),
});
const charged = chargedOf(
  row('ticker=id rate=settled.20 price=mark+0 effectiveAtHeight=height effectiveAt=effective'),
  'every 1h; rows limit 100 1000 cut; to effectiveBeforeOrAt; iso; newest; points',
);

const connection = '3a2e4c0c-7579-4bf6-a570-e0979418bbe9';
const about = `connection_id='${connection}' message_id=0`;
const forced = row(`
  ${about} type='channel_data' id channel='v4_trades' version='2.1.0' contents{ trades[ {
  id=$tradeId size=tradeSize price=tradePrice side=TAKER createdAt=tradedIso type='LIQUIDATED' } ] }`);
const traded = ['volume24H', 'priceChange24H', 'nextFundingRate', 'openInterest'];

/** The simulated exchange. */
export const dydx = exchange({
  id: venue,
  hosts: ['indexer.dydx.trade'],
  lists: without(6, 4),
  sorts: {
    perp: {
      id: (base, _, { rank }) =>
        rank >= 20 && rank % 10 === 3
          ? `${base},raydium,${base.toLowerCase().padEnd(8, '1')}pump-USD`
          : `${base}-USD`,
    },
  },
  lines: 'perp USD 0.01 * halted@30',
  refusals: refusalsOf(
    (code: string | undefined, msg) => ({ errors: [{ code, msg }] }),
    [429, undefined, 'Too many requests'],
    [403, 'GEOBLOCKED', 'Not available in this jurisdiction.'],
    [500, undefined, 'Internal Server Error'],
  ),
  routes: under('/v4/', {
    perpetualMarkets: markets,
    'orderbooks/perpetualMarket/{ticker}': book({
      row: row('bids asks'),
      level: row('price size'),
      depth: 100,
    }),
    'candles/perpetualMarkets/{ticker}': candles,
    'historicalFunding/{ticker}': charged,
  }),
  topics: ({ type, channel, id }) =>
    ordered(type, subscribing, [`${text(channel)} ${text(id)}`.trim()]),
  numbered: (message, message_id) => ({ ...asRow(message), message_id }),
  channels: {
    /** All markets at first, then oracle prices every second and, less often, what is traded. */
    v4_markets: {
      messages(_keys, at) {
        const message = { connection_id: connection, channel: 'v4_markets' };
        if (at.first) {
          const all = byTicker(at.model.markets(venue, at.now, 'perp'), at);
          return [{ type: 'subscribed', ...message, contents: { markets: all } }];
        }
        const effectiveAt = new Date(at.now).toISOString();
        const rows = Object.entries(byTicker(movingMarkets(at, venue, 'perp'), at));
        const oracle = rows.map(([id, { oraclePrice }]) => [id, { oraclePrice, effectiveAt }]);
        const trading = rows.map(([id, one]) => [
          id,
          { id: one.clobPairId, ...Object.fromEntries(traded.map((name) => [name, one[name]])) },
        ]);
        return [
          { oraclePrices: Object.fromEntries(oracle) },
          ...(isEvery(5, at.now) ? [{ trading: Object.fromEntries(trading) }] : []),
        ].map((contents) => ({ type: 'channel_data', ...message, contents }));
      },
    },
    'v4_trades {id}': liquidations(eachForced(forced)),
    'v4_orderbook {id}': bookMessages(
      row(`
        ${about} type=isWhole:subscribed/channel_data id channel='v4_orderbook'
        contents{ bids asks }`),
      { every: 2, level: (one, whole) => (whole ? named('price', 'size')(one) : one) },
    ),
  },
  /** A subscription to trades is acknowledged with those before it. */
  reply({ type, channel, id }) {
    if (type !== 'subscribe' || channel !== 'v4_trades') return [];
    const message = { type: 'subscribed', connection_id: connection, message_id: 1, channel, id };
    return [{ ...message, contents: { trades: [] } }];
  },
});
