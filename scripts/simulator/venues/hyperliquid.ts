/** Hyperliquid: perpetuals and spot pairs. Source: the venue's public API documentation. */

import type { BookLevel } from '../book.ts';
import { bookOf } from '../book.ts';
import { books, reply } from '../books/hyperliquid.ts';
import type { Bar } from '../calendar.ts';
import { monday, nextOpen, openOf, opensUntil } from '../calendar.ts';
import { plain } from '../format.ts';
import { hyperliquidMarkets } from '../listings/coinbase-kraken.ts';
import { contextChannels } from '../live/hyperliquid.ts';
import { together } from '../live/moving.ts';
import type { Market } from '../market.ts';
import type { Ask, Route, SimulatedVenue } from '../venue.ts';
import { Refused } from '../venue.ts';
import { account, capped, fundingHistory, vaultDetails } from './hyperliquid-analytics.ts';
import { tokenOf } from './names.ts';

const hour = 3_600_000;
const id = 'hyperliquid';

type Question = Readonly<Record<string, unknown>>;
const isQuestion = (value: unknown): value is Question =>
  typeof value === 'object' && value !== null;

/** What the venue cannot read, it calls so in plain text. */
const unreadable = (): never => {
  throw new Refused(422, 'Failed to deserialize the JSON body into the target type');
};
const word = (value: unknown): string => (typeof value === 'string' ? value : unreadable());
const time = (value: unknown): number => (typeof value === 'number' ? value : unreadable());

/** Decimal numbers always show a point: `5.0`. */
const decimal = (value: number, decimals: number): string => {
  const digits = plain(value, decimals);
  return digits.includes('.') ? digits : `${digits}.0`;
};
const price = (market: Market, value: number) => decimal(value, market.decimals);
/** Mark and oracle prices show more digits than the tick. */
const fine = (market: Market, value: number) => decimal(value, market.decimals + 4);

const traded = (market: Market, { model, now }: Pick<Ask, 'model' | 'now'>) => {
  const { open, turnover, base } = model.last24h(market, now);
  const live = market.state === 'live';
  const mark = market.exact(now);
  return {
    prevDayPx: price(market, live ? open : mark),
    dayNtlVlm: decimal(turnover, 8),
    markPx: fine(market, mark),
    midPx: live ? price(market, market.price(now)) : null,
    dayBaseVlm: decimal(base, 8),
  };
};

function perpContext(market: Market, ask: Pick<Ask, 'model' | 'now'>) {
  const { now } = ask;
  const live = market.state === 'live';
  const { bids, asks } = bookOf(market, now, 1);
  const next = Math.floor(now / hour) * hour + hour;
  const rate = live ? market.fundingRate(next) / market.fundingHours : 0;
  return {
    ...traded(market, ask),
    funding: decimal(rate, 14),
    openInterest: decimal(live ? market.openInterest(now) : 0, 8),
    premium: live ? decimal(market.exact(now) / market.index(now) - 1, 10) : null,
    oraclePx: fine(market, market.index(now)),
    impactPxs: live
      ? [price(market, bids[0]?.price ?? 0), price(market, asks[0]?.price ?? 0)]
      : null,
  };
}

/** `metaAndAssetCtxs`: delisted perpetuals stay, so that positions never change. */
function perps(ask: Ask) {
  const markets = ask.model.markets(id, ask.now, 'perp');
  const universe = markets.map((market) => ({
    szDecimals: market.lot,
    name: market.id,
    maxLeverage: 20,
    onlyIsolated: false,
    ...(market.state === 'live' ? {} : { isDelisted: true }),
  }));
  return [{ universe }, markets.map((market) => perpContext(market, ask))];
}

const token = (name: string, index: number) => ({
  name,
  szDecimals: 2,
  weiDecimals: 8,
  index,
  tokenId: `0x${index.toString(16).padStart(32, '0')}`,
  isCanonical: index < 2,
  evmContract: null,
  fullName: null,
});

/** `spotMetaAndAssetCtxs`: more contexts than pairs, so that only their names tell whose they are. */
function pairs(ask: Ask) {
  const markets = ask.model.markets(id, ask.now, 'spot');
  const names = ['USDC', ...new Set(markets.flatMap((m) => [m.symbol, m.quote]))].map(tokenOf);
  const tokens = [...new Set(names)].map(token);
  const indexOf = (symbol: string) => tokens.find(({ name }) => name === tokenOf(symbol))?.index;
  const universe = markets.map((market) => ({
    name: market.id,
    tokens: [indexOf(market.symbol), indexOf(market.quote)],
    index: Number(market.id.slice(1)),
    isCanonical: false,
  }));
  const context = (market: Market, coin: string) => ({
    ...traded(market, ask),
    circulatingSupply: '1000000.0',
    coin,
  });
  const [first] = markets;
  const retired = first ? [context(first, '@1')] : [];
  return [{ tokens, universe }, [...retired, ...markets.map((m) => context(m, m.id))]];
}

const marketOf = ({ model, now }: Ask, coin: string): Market | undefined =>
  model.market(id, coin.startsWith('@') ? 'spot' : 'perp', coin, now);

/** `l2Book`: 20 levels a side; null for an unknown coin. */
function book(ask: Ask, question: Question) {
  const coin = word(question.coin);
  const market = marketOf(ask, coin);
  if (!market) return null;
  const { bids, asks } = bookOf(market, ask.now, 20);
  const rows = (side: BookLevel[]) =>
    side.map(({ price: px, quantity, orders }) => ({
      px: price(market, px),
      sz: decimal(quantity, market.lot),
      n: orders,
    }));
  return { coin, time: ask.now, levels: [rows(bids), rows(asks)] };
}

const bars: Readonly<Record<string, Bar>> = {
  '1m': { ms: 60_000 },
  '3m': { ms: 180_000 },
  '5m': { ms: 300_000 },
  '15m': { ms: 900_000 },
  '30m': { ms: 1_800_000 },
  '1h': { ms: hour },
  '2h': { ms: 2 * hour },
  '4h': { ms: 4 * hour },
  '8h': { ms: 8 * hour },
  '12h': { ms: 12 * hour },
  '1d': { ms: 24 * hour },
  '3d': { ms: 72 * hour },
  '1w': { ms: 168 * hour, origin: monday },
  '1M': { months: 1 },
};

/** `candleSnapshot`: ascending, of the newest 5000; the candle that holds the start is included. */
function candles(ask: Ask, { req }: Question) {
  if (!isQuestion(req)) return unreadable();
  const { now } = ask;
  const [coin, interval] = [word(req.coin), word(req.interval)];
  const bar = bars[interval] ?? unreadable();
  const market = marketOf(ask, coin);
  if (!market) throw new Refused(500, null);
  if (market.state !== 'live') return [];
  const first = openOf(bar, Math.max(market.listed, time(req.startTime)));
  const times = opensUntil(bar, 0, now, 5000).filter(
    (open) => open >= first && open <= time(req.endTime),
  );
  return times.map((open) => {
    const c = market.candle(open, nextOpen(bar, open), now);
    return {
      t: open,
      T: c.end - 1,
      s: coin,
      i: interval,
      o: price(market, c.open),
      c: price(market, c.close),
      h: price(market, c.high),
      l: price(market, c.low),
      v: decimal(c.base, 8),
      n: c.trades,
    };
  });
}

/** `fundingHistory`; null for an unknown coin. */
function fundings(ask: Ask, { coin, startTime, endTime }: Question) {
  const market = marketOf(ask, word(coin));
  if (!market) throw new Refused(500, null);
  const to = endTime === undefined ? ask.now : time(endTime);
  return fundingHistory(market, ask.now, { from: time(startTime), to });
}

const answers: Readonly<Record<string, (ask: Ask, question: Question) => unknown>> = {
  metaAndAssetCtxs: perps,
  spotMetaAndAssetCtxs: pairs,
  l2Book: book,
  candleSnapshot: candles,
  fundingHistory: fundings,
  perpsAtOpenInterestCap: capped,
  clearinghouseState: (ask, { user }) => account(ask, word(user)),
  vaultDetails: (ask, { vaultAddress }) => vaultDetails(ask, word(vaultAddress)),
};

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return unreadable();
  }
}

const info: Route = {
  bucket: 'info',
  // The weight is that of the cheapest question: a route does not see the body.
  weight: () => 2,
  answer(ask) {
    if (ask.method !== 'POST') throw new Refused(405, null);
    const question = parsed(ask.body);
    if (!isQuestion(question)) return unreadable();
    const type = word(question.type);
    const answer = Object.hasOwn(answers, type) ? answers[type] : undefined;
    return answer ? answer(ask, question) : unreadable();
  },
};

/** The simulated venue. */
export const hyperliquid: SimulatedVenue = {
  id,
  hosts: ['api.hyperliquid.xyz'],
  markets: hyperliquidMarkets,
  route: (path) => (path === '/info' ? info : undefined),
  buckets: { info: { weight: 1200, per: 60_000 } },
  refusals: {
    rate_limit: { status: 429, body: null },
    ban: { status: 403, body: null },
    server_error: { status: 503, body: null },
  },
  reply,
  channels: together(contextChannels({ perp: perpContext, spot: traded }), books),
};
