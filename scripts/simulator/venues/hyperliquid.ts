/** Hyperliquid: perpetuals and spot pairs. Source: the venue's public API documentation. */

import { books, reply } from '../books/hyperliquid.ts';
import { openOf, opensUntil } from '../calendar.ts';
import { barsOf, bookRows, candleRows, isLive } from '../exchange.ts';
import { plain } from '../format.ts';
import { hyperliquidMarkets } from '../listings/coinbase-kraken.ts';
import { contextChannels } from '../live/hyperliquid.ts';
import { together } from '../live/moving.ts';
import type { Market } from '../market.ts';
import { rowsWith, whileLive } from '../rows.ts';
import type { Ask, Route, SimulatedVenue } from '../venue.ts';
import { Refused } from '../venue.ts';
import { account, capped, fundingHistory, vaultDetails } from './hyperliquid-analytics.ts';
import { fullNameOf, tokenOf } from './names.ts';

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

const hourAfter = (now: number) => openOf({ ms: hour }, now) + hour;
const { row } = rowsWith(
  {
    ...whileLive(null, 'premium'),
    before: ({ market, now, stretch }) => (isLive(market) ? stretch.open : market.exact(now)),
    middle: ({ market, now }) => (isLive(market) ? market.price(now) : null),
    hourly: ({ market, now }) =>
      isLive(market) ? market.fundingRate(hourAfter(now)) / market.fundingHours : 0,
    impact: ({ market, best }) =>
      isLive(market)
        ? [best.bid?.price ?? 0, best.ask?.price ?? 0].map((one) => decimal(one, market.decimals))
        : null,
    ...whileLive(0, 'interest'),
  },
  { write: decimal },
);
const amounts = `
  prevDayPx=before+0 dayNtlVlm=turnover markPx=mark+4 midPx=middle+0 dayBaseVlm=base`;
const traded = row(amounts);
/** Mark and oracle prices show more digits than the tick. */
const perpContext = row(`
  ${amounts} funding=hourly.14 openInterest=interest.8 premium=premium.10 oraclePx=index+4
  impactPxs=impact`);
const level = row('px=price sz=size n=orders');
const candle = row(`
  t=start T=lastMoment s=id o=open c=close h=high l=low v=base n=trades`);

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
  fullName: fullNameOf(name),
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
  const { bids, asks } = bookRows(level, market, ask, 20);
  return { coin, time: ask.now, levels: [bids, asks] };
}

const bars = barsOf('1m 3m 5m 15m 30m 1h 2h 4h 8h 12h 1d 3d 1w 1M');

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
  const rows = candleRows(candle, market, { bar, opens: times }, ask);
  return rows.map((one) => ({ ...one, i: interval }));
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
