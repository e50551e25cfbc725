/** The facts about a market, a candle, a level of a book or a trade that the tables of all exchanges name. */
import type { Market } from './market.ts';
import type { Sight } from './sight.ts';

/** A value, and the decimals with which it is written as text where it is a number; without decimals it stays as it is. */
type Fact = (sight: Sight) => unknown;
export type Decimals = (market: Market) => number;
export type Facts = Readonly<Record<string, Fact>>;

export const tick: Decimals = ({ decimals }) => decimals;
export const lots: Decimals = ({ lot }) => Math.max(0, lot);
const finer: Decimals = ({ decimals }) => decimals + 2;
const eight: Decimals = () => 8;

/** When the hour after `now` begins. */
export const nextHour = (now: number): number => (Math.floor(now / 3_600_000) + 1) * 3_600_000;

/** The value of a fact that a market has not: a row of it lacks the member. */
export const absent = Symbol('absent');

const ratioOf = (long: number): number => long / (1 - long);

export const known: Readonly<Record<string, readonly [Fact, Decimals?]>> = {
  id: [({ market }) => market.id],
  /** The parts of an id such as `BTC_USDT` or `BTC-USDT-SWAP`. */
  first: [({ market }) => market.id.split(/[-_]/)[0]],
  second: [({ market }) => market.id.split(/[-_]/)[1]],
  group: [({ market }) => market.group],
  symbol: [({ market }) => market.symbol],
  quote: [({ market }) => market.quote],
  /** The base as most exchanges write it: `1000PEPE`. */
  coin: [({ market: { symbol, scale } }) => `${scale === 1 ? '' : scale}${symbol}`],
  settle: [({ market }) => (market.inverse ? market.symbol : market.quote)],
  decimals: [({ market }) => market.decimals],
  lot: [({ market }) => market.lot],
  /** The smallest steps of prices and of quantities. */
  tick: [({ market }) => 10 ** -market.decimals, tick],
  step: [({ market }) => 10 ** -market.lot, lots],
  contract: [({ market }) => market.contract, eight],
  listed: [({ market }) => market.listed],
  expires: [({ market }) => market.expires ?? 0],
  isLive: [({ market }) => market.state === 'live'],
  isHalted: [({ market }) => market.state !== 'live'],
  isInverse: [({ market }) => market.inverse],
  isSpot: [({ market }) => market.kind === 'spot'],
  isPerpetual: [({ market }) => market.kind === 'perpetual'],
  isDated: [({ market }) => market.expires !== undefined],
  isAnnounced: [({ market }) => market.state === 'preopen'],
  isShare: [({ market }) => market.symbol === 'TSLA'],
  state: [({ market }) => market.state],
  now: [({ now }) => now],
  dayAgo: [({ now }) => now - 86_400_000],
  seconds: [({ now }) => now / 1000],
  iso: [({ now }) => new Date(now).toISOString()],
  last: [({ market, now }) => market.price(now), tick],
  mark: [({ market, now }) => market.exact(now), finer],
  index: [({ market, now }) => market.index(now), finer],
  /** At the end of a candle, or now where it still runs. */
  markThen: [({ market, candle, now }) => market.exact(Math.min(candle.end, now)), finer],
  indexThen: [({ market, candle, now }) => market.index(Math.min(candle.end, now)), finer],
  premium: [({ market, now }) => market.exact(now) / market.index(now) - 1, eight],
  bid: [({ best }) => best.bid?.price, tick],
  ask: [({ best }) => best.ask?.price, tick],
  bidSize: [({ best }) => best.bid?.quantity, lots],
  askSize: [({ best }) => best.ask?.quantity, lots],
  /** The same, 0 where a side is empty. */
  bestBid: [({ best }) => best.bid?.price ?? 0, tick],
  bestAsk: [({ best }) => best.ask?.price ?? 0, tick],
  bestBidSize: [({ best }) => best.bid?.quantity ?? 0, lots],
  bestAskSize: [({ best }) => best.ask?.quantity ?? 0, lots],
  updateId: [({ updateId }) => updateId],
  /** Of 24 hours, or of a candle. */
  open: [({ stretch }) => stretch.open, tick],
  high: [({ stretch }) => stretch.high, tick],
  low: [({ stretch }) => stretch.low, tick],
  close: [({ stretch }) => stretch.close, tick],
  mean: [({ stretch }) => stretch.mean, tick],
  rise: [({ stretch }) => stretch.close - stretch.open, tick],
  fraction: [({ stretch }) => stretch.close / stretch.open - 1, () => 6],
  percent: [({ stretch }) => (stretch.close / stretch.open - 1) * 100, () => 2],
  /** In the market's own unit, in native base units and in the quote. */
  quantity: [({ stretch }) => stretch.quantity, lots],
  bought: [({ stretch }) => stretch.bought, lots],
  sold: [({ stretch }) => stretch.quantity - stretch.bought, lots],
  base: [({ stretch }) => stretch.base, eight],
  turnover: [({ stretch }) => stretch.turnover, eight],
  /** What was turned over in what a contract settles in. */
  settled: [({ market, stretch }) => (market.inverse ? stretch.base : stretch.turnover)],
  trades: [({ stretch }) => stretch.trades],
  start: [({ candle }) => candle.time],
  startSeconds: [({ candle }) => candle.time / 1000],
  end: [({ candle }) => candle.end],
  lastMoment: [({ candle }) => candle.end - 1],
  isClosed: [({ candle }) => candle.closed],
  /** Of an answer or a message that has a book: a whole one lacks the number before its changes. */
  bids: [({ book }) => book.bids],
  asks: [({ book }) => book.asks],
  sequence: [({ book }) => book.id],
  previous: [({ book }) => (book.whole ? absent : book.previous)],
  following: [({ book }) => (book.whole ? absent : book.previous + 1)],
  isWhole: [({ book }) => book.whole],
  price: [({ level }) => level?.price, tick],
  size: [({ level }) => level?.quantity, lots],
  orders: [({ level }) => level?.orders],
  tradePrice: [({ trade }) => trade.price, tick],
  tradeSize: [({ trade }) => trade.quantity, lots],
  /** The rate that is charged next, and the one that was charged last. */
  rate: [({ market, funding }) => market.fundingRate(funding.next), eight],
  lastRate: [({ market, funding }) => market.fundingRate(funding.last), eight],
  next: [({ funding }) => funding.next],
  afterNext: [({ funding: { last, next } }) => 2 * next - last],
  lastFunding: [({ funding }) => funding.last],
  /** What the running hour charges. */
  hourly: [({ market, now }) => market.fundingRate(nextHour(now)) / market.fundingHours, eight],
  /** The interval of funding. */
  hours: [({ market }) => market.fundingHours],
  minutes: [({ market }) => market.fundingHours * 60],
  fundingSeconds: [({ market }) => market.fundingHours * 3600],
  interest: [({ interest }) => interest.base, lots],
  interestValue: [({ interest }) => interest.value, eight],
  contracts: [({ interest }) => Math.round(interest.contracts)],
  /** The rate that was charged at that time. */
  charged: [({ market, now }) => market.fundingRate(now), eight],
  tradeId: [({ trade }) => trade.id],
  /** What the taker did, and the other side, which is that of a position that is closed. */
  taker: [({ trade }) => (trade.bought ? 'buy' : 'sell')],
  maker: [({ trade }) => (trade.bought ? 'sell' : 'buy')],
  Taker: [({ trade }) => (trade.bought ? 'Buy' : 'Sell')],
  Maker: [({ trade }) => (trade.bought ? 'Sell' : 'Buy')],
  TAKER: [({ trade }) => (trade.bought ? 'BUY' : 'SELL')],
  MAKER: [({ trade }) => (trade.bought ? 'SELL' : 'BUY')],
  /** The side of a position that is closed. */
  position: [({ trade }) => (trade.bought ? 'short' : 'long')],
  isMakerBuyer: [({ trade }) => !trade.bought],
  traded: [({ trade }) => trade.time],
  tradedSeconds: [({ trade }) => trade.time / 1000],
  tradedIso: [({ trade }) => new Date(trade.time).toISOString()],
  ...Object.fromEntries(
    ['Accounts', 'TopAccounts', 'TopPositions'].flatMap((name, of): [string, [Fact]][] => [
      [`long${name}`, [({ market, now }) => market.longShare(now, of)]],
      [`short${name}`, [({ market, now }) => 1 - market.longShare(now, of)]],
      [`ratio${name}`, [({ market, now }) => ratioOf(market.longShare(now, of))]],
    ]),
  ),
};

/** Facts that are `absent` while a market does not trade. */
export const whileLive = (absent: unknown, names: string): Facts =>
  Object.fromEntries(
    names.split(' ').map((name): [string, Fact] => {
      const [fact] = known[name] ?? [];
      return [name, (sight) => (sight.market.state === 'live' ? fact?.(sight) : absent)];
    }),
  );
