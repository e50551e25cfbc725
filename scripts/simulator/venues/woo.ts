/** WOO X: spot and linear contracts. https://docs.woox.io (public API v3) */
import { answersOf } from '../answers.ts';
import { exchange, under } from '../exchange.ts';
import { without } from '../listing.ts';
import type { Market } from '../market.ts';
import { Parameters } from '../pages.ts';
import { type Row, rowsOf, whileLive } from '../rows.ts';
import { textsOf, ticker, tickers } from '../streams.ts';
import { type Ask, Refused } from '../venue.ts';

const venue = 'woo';
const parameters = new Parameters((name, { query }) => {
  const message = `invalid ${name}${name === 'symbol' ? ` ${query.get(name)}` : ''}`;
  throw new Refused(400, { success: false, message, ...(name !== 'symbol' && { code: -1005 }) });
});
const groupOf = (id: string) => (id.startsWith('PERP_') ? 'perp' : 'spot');
function marketOf(ask: Ask): Market {
  const id = ask.query.get('symbol') ?? '';
  const found = ask.model.market(venue, groupOf(id), id, ask.now);
  return found?.state === 'live' ? found : parameters.refuse('symbol', ask);
}
/** Lists are `rows`. */
const { all, page, book } = answersOf({
  venue,
  parameters,
  marketOf,
  ok: (data, { now: timestamp }) => {
    return { success: true, data: Array.isArray(data) ? { rows: data } : data, timestamp };
  },
});

/** A contract that is gone stays, without an index, as it was when it stopped. */
const { row } = rowsOf(venue, {
  ...whileLive(null, 'index'),
  gone: ({ now }) => now - 30 * 86_400_000,
});
const instrument = row(
  'symbol=id status=isLive:TRADING/SUSPENDED baseAsset=symbol quoteAsset=quote quoteTick=tick',
  'spot-instruments data.rows',
);
const future = row(
  `symbol=id indexPrice=index markPrice=mark estFundingRate=rate lastFundingRate=lastRate
  openInterest=interest 24hOpen=open 24hClose=close 24hHigh=high 24hLow=low 24hVolume=quantity
  24hAmount=turnover nextFundingTime=isLive?next:gone`,
  'perp-prices data.rows',
);
const rate = row(`
  symbol=id estFundingRate=rate lastFundingRate=lastRate nextFundingTime=next
  estFundingIntervalHours=hours`);
const candle = row(`
  symbol=id open close high low volume=quantity amount=turnover startTimestamp=start type=?type`);
const candles = 'in type 1m 5m 15m 30m 1h 4h 12h 1d 1w 1mon=1M; rows limit 100 1000; newest';

const total = row(`
  symbol=id open=#open close=#close high=#high low=#low volume=@quantity amount=@turnover
  count=trades`);

/** `topic@<name>`, every so many seconds; `facts` are what a message says beside the name and the time. */
const topic = (name: string, every: number, facts: Row, id = (market: Market) => market.id) =>
  ticker(
    (market, { now: ts, ...at }) => {
      const s = id(market);
      return { topic: `${name}@${s}`, ts, data: { ts, ...facts(market, { ...at, now: ts }), s } };
    },
    { every, id, group: () => 'perp' },
  );
const spotName = ({ id }: Market) => id.replace('PERP_', 'SPOT_');

/** The simulated exchange. */
export const woo = exchange({
  id: venue,
  hosts: ['api.woox.io', 'api-pub.woox.io', 'wss.woox.io'],
  lists: without(5, 4),
  sorts: { spot: 'SPOT_{base}_{quote}', perp: 'PERP_{base}_{quote}' },
  lines: `
    spot USDT 0.005 0..24
    spot USDT 0.01 USDC
    spot BTC 0.001 1..2
    spot USDT 0 24..25 halted
    perp USDT 0.01 * gone@999`,
  refusals: [
    { status: 429, body: { success: false, code: -1003, message: 'Rate limit exceed.' } },
    { status: 403, body: { success: false, message: 'forbidden' } },
    // The gateway's own, inside a 200.
    { status: 200, body: { code: 503, message: '[GW] no upstream server' } },
  ],
  routes: under('/v3/public/', {
    instruments: all(instrument),
    futures: all(future, 'perp'),
    fundingRate: all(rate, 'perp'),
    orderbook: book({
      row: row('asks bids'),
      level: row('price quantity=size'),
      depth: ['maxLevel', 100, 500],
    }),
    /** The newest candles with the running one, and the closed ones. */
    kline: page(candle, candles),
    klineHistory: page(candle, `${candles}; to before; before; closed`),
  }),
  topics: ({ cmd, params, topic }) =>
    topic === 'tickers' || cmd === 'SUBSCRIBE'
      ? { on: true, topics: topic === 'tickers' ? [topic] : textsOf(params) }
      : null,
  channels: {
    /** Both kinds of markets in one message. */
    tickers: tickers((markets, at) => [
      { topic: 'tickers', ts: at.now, data: markets.map((market) => total(market, at)) },
    ]),
    'markprice@{id}': topic('markprice', 1, row('px=mark')),
    'indexprice@{id}': topic('indexprice', 1, row('px=index'), spotName),
    'estfundingrate@{id}': topic('estfundingrate', 60, row('r=rate ft=next')),
    'openinterest@{id}': topic('openinterest', 5, row('oi=interest')),
  },
  /** A subscription is acknowledged with its topic, or of version 3 with all that it names. */
  reply(message) {
    const { id, cmd, params } = message;
    if (cmd === 'PING') return [{ cmd: 'PONG' }];
    if (cmd === 'SUBSCRIBE') return [{ id, cmd, success: true, data: params }];
    return 'topic' in message ? [{ ...message, event: 'subscribe', success: true }] : [];
  },
});
