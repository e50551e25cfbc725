/** The answers of Kraken Futures: numbers are numbers, times are text. */
import { bookOf } from '../book.ts';
import type { Bar } from '../calendar.ts';
import { nextOpen, openOf, opensFrom } from '../calendar.ts';
import { plain } from '../format.ts';
import type { Market } from '../market.ts';
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
const number = (value: number, decimals: number) => Number(plain(value, decimals));

function instrument(market: Market): object {
  const { symbol, quote, inverse } = market;
  const level = inverse ? { contracts: 0 } : { numNonContractUnits: 0 };
  return {
    symbol: market.id,
    type: inverse ? 'futures_inverse' : 'flexible_futures',
    ...(inverse ? { underlying: `rr_${nameOf(symbol).toLowerCase()}usd` } : {}),
    tickSize: 10 ** -market.decimals,
    contractSize: market.contract,
    tradeable: market.state === 'live',
    impactMidSize: 1000,
    maxPositionSize: 75_000_000,
    openingDate: iso(market.listed),
    ...(market.expires === undefined ? {} : { lastTradingTime: iso(market.expires) }),
    marginLevels: [{ ...level, initialMargin: 0.02, maintenanceMargin: 0.01 }],
    fundingRateCoefficient: 24,
    maxRelativeFundingRate: 0.0025,
    isin: 'GB00J62YGL67',
    contractValueTradePrecision: market.lot,
    postOnly: false,
    feeScheduleUid: 'a6cbc326-9477-4a6c-911a-d4cb3ed7481e',
    mtf: true,
    base: symbol,
    quote,
    pair: `${symbol}:${quote}`,
  };
}

/** `instruments`. */
export const instruments = (ask: Ask) =>
  success(ask.now, { instruments: futures(ask).map(instrument) });

/** Relative rate of the running hour. */
const hourly = (market: Market, now: number) =>
  market.fundingRate(Math.floor(now / hour) * hour + hour) / market.fundingHours;

/** Rates are amounts: USD for a base unit, or base for a contract of one USD. */
function funding(market: Market, now: number): object {
  if (market.kind === 'other') return {};
  const mark = market.exact(now);
  const paid = (t: number) => hourly(market, t) * (market.inverse ? 1 / mark : mark);
  return { fundingRate: paid(now), fundingRatePrediction: paid(now + hour) };
}

/** A row of `tickers`. */
export function ticker(market: Market, { model, now }: Pick<Ask, 'model' | 'now'>) {
  const stretch = model.last24h(market, now);
  const [bid, ask] = [bookOf(market, now, 1).bids[0], bookOf(market, now, 1).asks[0]];
  const mark = market.exact(now);
  const base = market.openInterest(now);
  return {
    tag: market.kind === 'other' ? 'quarter' : 'perpetual',
    pair: `${nameOf(market.symbol)}:${market.quote}`,
    symbol: market.id,
    markPrice: mark,
    bid: bid?.price ?? 0,
    bidSize: bid?.quantity ?? 0,
    ask: ask?.price ?? 0,
    askSize: ask?.quantity ?? 0,
    vol24h: number(stretch.quantity, market.lot),
    ...(market.inverse ? {} : { volumeQuote: number(stretch.turnover, 4) }),
    openInterest: market.inverse ? Math.round(base * mark) : number(base, 8),
    open24h: stretch.open,
    ...(market.inverse ? {} : { high24h: stretch.high, low24h: stretch.low }),
    indexPrice: market.index(now),
    last: market.price(now),
    lastTime: iso(now - 1000 * (market.seed % 60)),
    lastSize: 10 ** -market.lot,
    suspended: market.state !== 'live',
    ...funding(market, now),
    postOnly: false,
    change24h: number((stretch.close / stretch.open - 1) * 100, 2),
  };
}

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
  const { bids, asks } = bookOf(market, ask.now, 200);
  const rows = (levels: typeof bids) =>
    levels.map((l) => [l.price, number(l.quantity, market.lot)]);
  return success(ask.now, { orderBook: { bids: rows(bids), asks: rows(asks) } });
};

const bars: Readonly<Record<string, number>> = {
  '1m': 1 / 60,
  '5m': 5 / 60,
  '15m': 0.25,
  '30m': 0.5,
  '1h': 1,
  '4h': 4,
  '12h': 12,
  '1d': 24,
  '1w': 168,
};

/** `trade/{symbol}/{resolution}?from=&to=`: seconds, both included; at most 2000, oldest first. */
export const candles = (ask: Ask) => {
  const [id, resolution = ''] = ask.path.split('/').slice(-2);
  const market = marketOf(ask, id);
  const hours = bars[resolution];
  if (!market || hours === undefined) throw new Refused(404, { errors: [] });
  const bar: Bar = { ms: Math.round(hours * hour) };
  const to = Math.min(ask.now, 1000 * Number(ask.query.get('to') ?? ask.now / 1000));
  const from = 1000 * Number(ask.query.get('from') ?? (to - 1999 * bar.ms) / 1000);
  const opens = opensFrom(bar, Math.max(from, openOf(bar, market.listed)), to, 2001);
  return {
    candles: opens.slice(0, 2000).map((time) => {
      const c = market.candle(time, nextOpen(bar, time), ask.now);
      const price = (value: number) => plain(value, market.decimals);
      const [open, high, low, close] = [c.open, c.high, c.low, c.close].map(price);
      return { time, open, high, low, close, volume: plain(c.quantity, market.lot) };
    }),
    more_candles: opens.length > 2000,
  };
};

/** Settled hours that the venue gives, about a year less than it has. */
const settledHours = 2_000;

/** `historicalfundingrates?symbol=`: every hour, ascending; amounts and fractions. */
export const fundings = (ask: Ask) => {
  const market = marketOf(ask, ask.query.get('symbol')) ?? unknownContract(ask.now);
  const last = Math.floor(ask.now / hour) * hour;
  const first = Math.max(last - settledHours * hour, Math.ceil(market.listed / hour) * hour);
  const rates = Array.from({ length: Math.max(0, (last - first) / hour + 1) }, (_, i) => {
    const at = first + i * hour;
    const rate = market.fundingRate(at) / market.fundingHours;
    const mark = market.exact(at);
    return {
      timestamp: iso(at),
      fundingRate: rate * (market.inverse ? 1 / mark : mark),
      relativeFundingRate: rate,
    };
  });
  return success(ask.now, { rates });
};
