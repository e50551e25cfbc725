/** The answers of Kraken Futures: numbers are numbers, times are text. */
import type { Bar } from '../calendar.ts';
import { openOf, opensFrom } from '../calendar.ts';
import { barsOf, bookRows, candleRows, isLive, pointRows } from '../exchange.ts';
import type { Market } from '../market.ts';
import { type Row, rowsWith, type Sight } from '../rows.ts';
import type { Ask } from '../venue.ts';
import { Refused } from '../venue.ts';
import { nameOf } from './names.ts';

const hour = 3_600_000;
const iso = (t: number) => new Date(t).toISOString();
const success = (now: number, body: object) => ({
  result: 'success',
  ...body,
  serverTime: iso(now),
});
const futures = ({ model, now }: Ask) => model.markets('kraken', now, 'futures');

const isFunded = ({ kind }: Market) => kind === 'perpetual';
/** Relative rate of the running hour. */
const hourly = (market: Market, now: number) =>
  market.fundingRate(Math.floor(now / hour) * hour + hour) / market.fundingHours;
/** Rates are amounts: USD for a base unit, or base for a contract of one USD. */
const paid = (rate: number, { market, now }: Sight) =>
  rate * (market.inverse ? 1 / market.exact(now) : market.exact(now));

function settledRate({ market, now }: Sight): number {
  return market.fundingRate(now) / market.fundingHours;
}

const { row, list } = rowsWith({
  underlying: ({ market }) => `rr_${nameOf(market.symbol).toLowerCase()}usd`,
  opened: ({ market }) => iso(market.listed),
  ended: ({ market }) => iso(market.expires ?? 0),
  pair: ({ market }) => `${market.symbol}:${market.quote}`,
  ownPair: ({ market }) => `${nameOf(market.symbol)}:${market.quote}`,
  lastTime: ({ market, now }) => iso(now - 1000 * (market.seed % 60)),
  isHalted: ({ market }) => !isLive(market),
  due: (sight) => paid(hourly(sight.market, sight.now), sight),
  dueNext: (sight) => paid(hourly(sight.market, sight.now + hour), sight),
  settled: (sight) => paid(settledRate(sight), sight),
  settledRate,
});

const instrument = (type: string, level: string) => `
  symbol=id type='${type}' tickSize=@tick contractSize=@contract tradeable=isLive impactMidSize=1000
  maxPositionSize=75000000 openingDate=opened
  marginLevels=[{"${level}":0,"initialMargin":0.02,"maintenanceMargin":0.01}]
  fundingRateCoefficient=24 maxRelativeFundingRate=0.0025 isin='GB00J62YGL67'
  contractValueTradePrecision=lot postOnly=false
  feeScheduleUid='a6cbc326-9477-4a6c-911a-d4cb3ed7481e' mtf=true base=symbol quote pair`;
const inverse = `${instrument('futures_inverse', 'contracts')} underlying`;
const flexible = instrument('flexible_futures', 'numNonContractUnits');
const instrumentOf = {
  inverse: { dated: row(`${inverse} lastTradingTime=ended`), lasting: row(inverse) },
  linear: { dated: row(`${flexible} lastTradingTime=ended`), lasting: row(flexible) },
};
const quoted = `
  pair=ownPair symbol=id markPrice=@mark bid=@bestBid bidSize=@bestBidSize ask=@bestAsk
  askSize=@bestAskSize vol24h=#quantity open24h=@open indexPrice=@index last=@last lastTime
  lastSize=@step suspended=isHalted postOnly=false change24h=#percent`;
const interest = {
  inverse: 'openInterest=#interestValue.0',
  linear: 'volumeQuote=#turnover.4 openInterest=#interest.8 high24h=@high low24h=@low',
};
const rates = "tag='perpetual' fundingRate=due fundingRatePrediction=dueNext";
const tickerOf = {
  inverse: {
    funded: row(`${rates} ${quoted} ${interest.inverse}`),
    other: row(`tag='quarter' ${quoted} ${interest.inverse}`),
  },
  linear: {
    funded: row(`${rates} ${quoted} ${interest.linear}`),
    other: row(`tag='quarter' ${quoted} ${interest.linear}`),
  },
};
const sortOf = ({ inverse: isInverse }: Market) => (isInverse ? 'inverse' : 'linear');
/** A row of `tickers`. */
export const ticker: Row = (market, at) =>
  tickerOf[sortOf(market)][isFunded(market) ? 'funded' : 'other'](market, at);
const level = list('@price #size');
const candle = row('time=start open high low close volume=quantity');
const flat = (price: string) =>
  row(`time=start open=${price} high=${price} low=${price} close=${price} volume='0'`);
const charged = row('timestamp=iso fundingRate=settled relativeFundingRate=settledRate');

/** `instruments`. */
export const instruments = (ask: Ask) =>
  success(ask.now, {
    instruments: futures(ask).map((market) => {
      const length = market.expires === undefined ? 'lasting' : 'dated';
      return instrumentOf[sortOf(market)][length](market, ask);
    }),
  });

/** An index has a last value and a time. */
const index = (now: number) => ({ symbol: 'in_xbtusd', last: 100_000, lastTime: iso(now) });

/** `tickers`: every contract, dated ones and indices among them. */
export const tickers = (ask: Ask) =>
  success(ask.now, {
    tickers: [...futures(ask).map((market) => ticker(market, ask)), index(ask.now)],
  });

/** The contract of an id, in any case. */
export function marketOf(ask: Ask, id: string | null | undefined): Market | undefined {
  return futures(ask).find((market) => market.id.toUpperCase() === id?.toUpperCase());
}

/** `tickers/{symbol}`. */
export const oneTicker = (ask: Ask) => {
  const market = marketOf(ask, ask.path.split('/').at(-1)) ?? unknownContract(ask.now);
  return success(ask.now, { ticker: ticker(market, ask) });
};

const unknownContract = (now: number): never => {
  throw new Refused(200, { result: 'error', error: 'contractNotFound', serverTime: iso(now) });
};

/** `orderbook?symbol=`: the whole book. */
export const orderBook = (ask: Ask) => {
  const market = marketOf(ask, ask.query.get('symbol')) ?? unknownContract(ask.now);
  const { bids, asks } = bookRows(level, market, ask, 200);
  return success(ask.now, { orderBook: { bids, asks } });
};

const bars = barsOf('1m 5m 15m 30m 1h 4h 12h 1d 1w=7d');

const lengthOf = (bar: Bar): number => ('ms' in bar ? bar.ms : 0);

/** `trade/{symbol}/{resolution}?from=&to=`: seconds, both included; at most 2000, oldest first. */
const candlesOf = (form: Row) => (ask: Ask) => {
  const [id, resolution = ''] = ask.path.split('/').slice(-2);
  const market = marketOf(ask, id);
  const bar = bars[resolution];
  if (!market || !bar) throw new Refused(404, { errors: [] });
  const to = Math.min(ask.now, 1000 * Number(ask.query.get('to') ?? ask.now / 1000));
  const from = 1000 * Number(ask.query.get('from') ?? (to - 1999 * lengthOf(bar)) / 1000);
  const opens = opensFrom(bar, Math.max(from, openOf(bar, market.listed)), to, 2001);
  const page = { bar, opens: opens.slice(0, 2000) };
  return { candles: candleRows(form, market, page, ask), more_candles: opens.length > 2000 };
};
export const candles = candlesOf(candle);
/** `mark/` and `spot/`, that of the index. */
export const [markCandles, indexCandles] = [
  candlesOf(flat('markThen')),
  candlesOf(flat('indexThen')),
];

/** Settled hours that the venue gives, about a year less than it has. */
const settledHours = 2_000;

/** `historicalfundingrates?symbol=`: every hour, ascending; amounts and fractions. */
export const fundings = (ask: Ask) => {
  const market = marketOf(ask, ask.query.get('symbol')) ?? unknownContract(ask.now);
  const first = Math.max(ask.now - (settledHours + 1) * hour, market.listed - 1) + 1;
  const opens = opensFrom({ ms: hour }, first, ask.now, settledHours + 1);
  const settled = pointRows(charged, market, { opens }, ask);
  return success(ask.now, { rates: settled });
};
