/** Hyperliquid: perpetuals and spot pairs. https://hyperliquid.gitbook.io/hyperliquid-docs; one path, whose body is the question. */
import { asRow, isRecord, text } from '../../../actors/read.ts';
import { bookRows, isLive } from '../answers.ts';
import { bookMessages } from '../book-streams.ts';
import { exchange } from '../exchange.ts';
import { sortOf, without } from '../listing.ts';
import type { Market } from '../market.ts';
import { Parameters } from '../pages.ts';
import { rowsOf, whileLive } from '../rows.ts';
import { objectOf, ordered, subscribing } from '../streams.ts';
import { type Ask, Refused } from '../venue.ts';
import { account, capped, decimal, vaultDetails } from './hyperliquid-accounts.ts';
import { channelsOf } from './hyperliquid-channels.ts';
import { builders, categories, collateral, dexes, groups } from './hyperliquid-dexes.ts';
import { fills, leaderboard, orders, recentTrades, walletState } from './hyperliquid-wallets.ts';
import { fullNameOf, tokenOf } from './names.ts';

/** Spot pairs have numbers. */
const firstPairs: Readonly<Record<string, number>> = { USDC: 100, USDT: 200, BTC: 300 };
const venue = 'hyperliquid';
type Question = Readonly<Record<string, unknown>>;

/** What the exchange cannot read, it calls so in plain text. */
const unreadable = (): never => {
  throw new Refused(422, 'Failed to deserialize the JSON body into the target type');
};
const word = (value: unknown): string => (typeof value === 'string' ? value : unreadable());
const time = (value: unknown): number => (typeof value === 'number' ? value : unreadable());
const parameters = new Parameters(unreadable);

const { row } = rowsOf(
  venue,
  {
    ...whileLive(null, 'premium'),
    ...whileLive(0, 'interest hourly'),
    before: ({ market, now, stretch }) => (isLive(market) ? stretch.open : market.exact(now)),
    middle: ({ market, now }) => (isLive(market) ? market.price(now) : null),
    impact: ({ market, best }) =>
      isLive(market)
        ? [best.bid?.price ?? 0, best.ask?.price ?? 0].map((one) => decimal(one, market.decimals))
        : null,
    sideOfTaker: ({ trade }) => (trade.bought ? 'B' : 'A'),
    settled: ({ market, now }) => market.fundingRate(now) / market.fundingHours,
    offset: ({ market, now }) => market.exact(now) / market.index(now) - 1,
    /** Rows are written a little after the full hour. */
    later: ({ now }) => now + 31,
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

/** The group of a dex; the exchange itself where none is named. */
function groupOfDex(dex: unknown): string {
  if (dex === undefined || dex === '') return 'perp';
  const known = dexes.find((one) => one === word(dex));
  if (!known) throw new Refused(500, null);
  return known;
}

/** `meta` and `metaAndAssetCtxs` of a dex: delisted perpetuals stay, so that positions never change. */
function perps(ask: Ask, dex?: unknown) {
  const group = groupOfDex(dex);
  const markets = ask.model.markets(venue, ask.now, group);
  const universe = markets.map((market) => ({
    szDecimals: market.lot,
    name: market.id,
    maxLeverage: 20,
    onlyIsolated: false,
    ...(isLive(market) ? {} : { isDelisted: true }),
  }));
  const { quote = 'USDC' } = markets[0] ?? {};
  return [
    { universe, marginTables: [], collateralToken: collateral[quote] },
    markets.map((market) => perpContext(market, ask)),
  ];
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
  const markets = ask.model.markets(venue, ask.now, 'spot');
  const names = ['USDC', ...new Set(markets.flatMap((m) => [m.symbol, m.quote]))].map(tokenOf);
  const tokens = [...[...new Set(names)].map(token), token('USDE', 235), token('USDH', 360)];
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
  const retired = markets.slice(0, 1).map((market) => context(market, '@1'));
  return [{ tokens, universe }, [...retired, ...markets.map((m) => context(m, m.id))]];
}

const groupOf = (coin: string): string => {
  const [dex = '', name] = coin.split(':');
  if (name !== undefined) return dex;
  return coin.startsWith('@') ? 'spot' : 'perp';
};
const marketOf = ({ model, now }: Pick<Ask, 'model' | 'now'>, coin: string): Market | undefined =>
  model.market(venue, groupOf(coin), coin, now);

/** `l2Book`: 20 levels a side; null for an unknown coin. */
function book(ask: Ask, question: Question) {
  const coin = word(question.coin);
  const market = marketOf(ask, coin);
  if (!market) return null;
  const { bids, asks } = bookRows(level, market, ask, 20);
  return { coin, time: ask.now, levels: [bids, asks] };
}

/** The members of a question as parameters. */
const asked = (ask: Ask, members: Readonly<Record<string, string | number>>): Ask => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) query.set(name, String(value));
  return { ...ask, query };
};
const known = (ask: Ask, coin: unknown): Market => {
  const market = marketOf(ask, word(coin));
  if (!market) throw new Refused(500, null);
  return market;
};
const candleRows = parameters.page(
  row('t=start T=lastMoment s=id i=?interval o=open c=close h=high l=low v=base n=trades'),
  `in interval 1m 3m 5m 15m 30m 1h 2h 4h 8h 12h 1d 3d 1w 1M; rows 5000; kept 5000; from startTime;
  to endTime; holding`,
);
function candles(ask: Ask, { req }: Question) {
  if (!isRecord(req)) return unreadable();
  const interval = word(req.interval);
  const range = { startTime: time(req.startTime), endTime: time(req.endTime) };
  return candleRows(asked(ask, { interval, ...range }), known(ask, req.coin));
}
const fundingRows = parameters.page(
  row('coin=id fundingRate=settled.10 premium=offset.10 time=later'),
  'every 1h; rows 500; from from; to to; onward; points; always',
);
function fundings(ask: Ask, { coin, startTime, endTime }: Question) {
  const range = { from: time(startTime), to: endTime === undefined ? ask.now : time(endTime) };
  return fundingRows(asked(ask, range), known(ask, coin));
}

/** `allMids`: of both kinds, by id, or of a dex. */
function middles(ask: Ask, { dex }: Question) {
  const own = groupOfDex(dex) === 'perp' ? ['perp', 'spot'] : [groupOfDex(dex)];
  const all = own.flatMap((group) => ask.model.markets(venue, ask.now, group));
  const rows = all.map((market) => [market.id, traded(market, ask).midPx]);
  return Object.fromEntries(rows.filter(([, middle]) => middle !== null));
}

const answers: Readonly<Record<string, (ask: Ask, question: Question) => unknown>> = {
  meta: (ask, { dex }) => perps(ask, dex)[0],
  spotMeta: (ask) => pairs(ask)[0],
  // The first is the exchange itself.
  perpDexs: builders,
  allPerpMetas: (ask) => [undefined, ...dexes].map((dex) => perps(ask, dex)[0]),
  perpCategories: () => categories,
  allMids: middles,
  metaAndAssetCtxs: (ask, { dex }) => perps(ask, dex),
  spotMetaAndAssetCtxs: pairs,
  l2Book: book,
  candleSnapshot: candles,
  fundingHistory: fundings,
  perpsAtOpenInterestCap: capped,
  clearinghouseState: (ask, { user, dex }) =>
    walletState(ask, word(user), groupOfDex(dex)) ?? account(ask, word(user)),
  spotClearinghouseState: () => ({
    balances: [{ coin: 'USDC', token: 0, total: '1200.5', hold: '20.25', entryNtl: '0.0' }],
  }),
  userAbstraction: () => 'default',
  frontendOpenOrders: (ask, { user, dex }) => orders(ask, word(user), groupOfDex(dex)),
  userFills: (ask, { user }) => fills(ask, word(user), groups),
  recentTrades: (ask, { coin }) => recentTrades(ask, known(ask, coin)),
  vaultDetails: (ask, { vaultAddress }) => vaultDetails(ask, word(vaultAddress)),
};
function info(ask: Ask) {
  if (ask.method !== 'POST') throw new Refused(405, null);
  const question = objectOf(ask.body);
  const type = word(question.type);
  const answer = Object.hasOwn(answers, type) ? answers[type] : undefined;
  return answer ? answer(ask, question) : unreadable();
}

const context = { perp: perpContext, spot: traded };
const trade = row(
  "coin=id side=sideOfTaker px=tradePrice sz=tradeSize time=traded hash='0x0' tid=tradeId",
);
/** The simulated exchange. */
export const hyperliquid = exchange({
  id: venue,
  hosts: ['api.hyperliquid.xyz', 'stats-data.hyperliquid.xyz'],
  sorts: {
    perp: {
      ...sortOf('{base} thousands=1e-3'),
      base: ({ symbol }, scale) => `${scale > 1 ? 'k' : ''}${symbol}`,
    },
    ...Object.fromEntries(dexes.map((dex) => [dex, sortOf(`${dex}:{base}`)])),
    spot: { id: (_, quote, { rank }) => `@${(firstPairs[quote] ?? 0) + rank}` },
  },
  lines: `
    perp USDC 0.08 some halted@40
    xyz USDC 0.3 TSLA,NVDA,SP500,GOLD,EUR
    xyz USDC 0 ETH gone
    flx USDH 0 TSLA,GOLD gone
    hyna USDE 0.01 BTC,ETH
    spot USDC 0.01 0..28 halted@20
    spot USDT 0.01 0..3
    spot BTC 0.01 1..2
    spot USDC 0.01 USDT usdt`,
  which: { some: (coins) => coins.filter(without(5, 4)) },
  more: { usdt: () => ({ id: '@166' }) },
  refusals: [
    { status: 429, body: null },
    { status: 403, body: null },
    { status: 503, body: null },
  ],
  routes: { '/info': info, '/Mainnet/leaderboard': leaderboard },
  topics({ method, subscription }) {
    const { type, coin, interval, dex } = asRow(subscription);
    const topic = [type, coin, interval, dex].map(text).filter(Boolean).join(' ');
    return ordered(method, subscribing, [topic]);
  },
  channels: {
    ...channelsOf({ marketOf, context, middles, book, candles, trade }),
    /** A whole book every five seconds. */
    'l2Book {id}': bookMessages(
      row("channel='l2Book' data{ coin=id time=now levels[ bids asks ] }"),
      { depth: 20, every: 5, whole: true, level: ([px, sz]) => ({ px, sz, n: 1 }) },
    ),
  },
  /** A ping is answered, and a subscription is said again. */
  reply: (message) =>
    message.method === 'ping'
      ? [{ channel: 'pong' }]
      : [{ channel: 'subscriptionResponse', data: message }],
});
