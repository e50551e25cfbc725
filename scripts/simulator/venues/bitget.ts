/** Bitget: spot and futures. https://www.bitget.com/api-doc (REST version 2, WebSocket version 3) */

import { answersOf, isLive, marketRows } from '../answers.ts';
import { bookMessages } from '../book-streams.ts';
import { openOf } from '../calendar.ts';
import { forcedRows, liquidations } from '../events.ts';
import { exchange, refusalsOf, under } from '../exchange.ts';
import { plain } from '../format.ts';
import { date, dated, without } from '../listing.ts';
import { loansAt } from '../market/borrowing.ts';
import type { Market } from '../market.ts';
import { Parameters } from '../pages.ts';
import { type Row, rowsOf, type Sight } from '../rows.ts';
import { ordered, recordsOf, subscribing, ticker } from '../streams.ts';
import { type Ask, Refused } from '../venue.ts';

const venue = 'bitget';
const hour = 3_600_000;
/** Spot markets, or those of `productType`. */
type Group = 'spot' | 'futures';

const envelope = (code: string, msg: string, requestTime: number, data: unknown) => ({
  code,
  msg,
  requestTime,
  data,
});
const ok = (data: unknown, { now }: Ask) => envelope('00000', 'success', now, data);
const refuse = (code: string, msg: string, now: number): never => {
  throw new Refused(400, envelope(code, msg, now, null));
};
const parameters = new Parameters((name, { now }) =>
  refuse('40020', `Parameter ${name} error`, now),
);

function groupOf(ask: Ask, group: string): string {
  const type = (ask.query.get('productType') ?? '').toLowerCase();
  if (group === 'spot') return group;
  const isType = ['usdt-futures', 'usdc-futures', 'coin-futures'].includes(type);
  return isType ? type : parameters.refuse('productType', ask);
}
function marketOf(ask: Ask, group = ''): Market {
  const id = ask.query.get('symbol') ?? '';
  if (id === '') return refuse('40017', 'Contract code must not be blank', ask.now);
  const found = ask.model.market(venue, groupOf(ask, group), id, ask.now);
  return found?.state === 'live'
    ? found
    : refuse('40034', `Parameter ${id} does not exist`, ask.now);
}
const { page, book } = answersOf({ venue, parameters, marketOf, ok });

const isPerpetual = ({ expires }: Market) => expires === undefined;
const dayStart = ({ market, now }: Sight) =>
  market.exact(Math.max(market.listed, openOf({ ms: 24 * hour }, now)));
const long = ({ market, now }: Sight): number => Number(market.longShare(now, 0).toFixed(4));

const { row, list } = rowsOf(venue, {
  baseCoin: ({ market: { id, scale, symbol } }) => (scale === 1 ? symbol : id.replace('USDT', '')),
  dayStart,
  sinceDayStart: (sight) => sight.stretch.close / dayStart(sight) - 1,
  held: ({ market, interest }) => plain(interest.base, Math.max(4, market.lot)),
  long,
  short: (sight) => 1 - long(sight),
  /** The ratio is of hundredths. */
  ratio: (sight) => long(sight) / (1 - long(sight)) / 100,
  streamId: ({ market }) => streamId(market),
  /** In quote, as recorded liquidations have it. */
  worth: ({ market: { contract, inverse }, trade }) =>
    plain(trade.quantity * contract * (inverse ? 1 : trade.price), 8),
});
/** Version 3 has another id for coin-margined contracts. */
const streamId = ({ id, group }: Market): string => (group === 'coin-futures' ? `${id}_CM` : id);

const spotInfo = row(
  `symbol=id baseCoin=symbol quoteCoin=quote pricePrecision=$decimals quantityPrecision=$lot
  status=isLive:online/offline`,
  'spot-instruments data',
);
const futuresInfo = row(
  `symbol=id baseCoin quoteCoin=quote pricePlace=$decimals sizeMultiplier=step symbolType=isDated:delivery/perpetual
  symbolStatus=isLive:normal/off fundInterval=isDated?'':$hours isRwa=isShare:YES/NO`,
  'usdt-futures-instruments data',
);
const common = `
  symbol=id lastPr=last+0f askPr=ask+0f bidPr=bid+0f bidSz=bidSize askSz=askSize high24h=high+0f
  low24h=low+0f ts=$now change24h=fraction.5f baseVolume=base quoteVolume=turnover
  usdtVolume=turnover openUtc=dayStart+0f changeUtc24h=sinceDayStart.5f`;
const tickers = {
  spot: row(`open=open+0f ${common}`, 'spot-prices data'),
  futures: row(
    `${common} indexPrice=index+3 fundingRate=isDated?'0':rate holdingAmount=held open24h=open+0f markPrice=mark`,
    'usdt-futures-prices data',
  ),
};
const rate = row(
  "symbol=id fundingRate=isDated?'0':rate fundingRateInterval=$hours nextUpdate=$next",
);

/** Rows of a group, of what trades where `keep` says so. */
const all = (made: Row, group: Group, keep?: typeof isLive) => (ask: Ask) =>
  ok(marketRows(made, ask, { venue, group: groupOf(ask, group), ...(keep && { keep }) }), ask);
const funded = all(rate, 'futures', (market) => isLive(market) && isPerpetual(market));

const depths: Readonly<Record<string, number>> = { '1': 1, '5': 5, '15': 15, '50': 50, max: 200 };

/** The longer bars open at midnight UTC+8; with `utc` behind their name at midnight UTC. */
const days = `
  6H=6h@-8 12H=12h@-8 1D=1d@-8 3D=3d@-8 1W=1w@-8 1M=1M@-8 6Hutc=6h 12Hutc=12h 1Dutc=1d 3Dutc=3d
  1Wutc=1w 1Mutc=1M`;
const bars = {
  spot: `1min=1m 3min=3m 5min=5m 15min=15m 30min=30m 1h 4h ${days}`,
  futures: `1m 3m 5m 15m 30m 1H=1h 2H=2h 4H=4h ${days}`,
};
const candle = '$start open+0f high+0f low+0f close+0f base turnover';
/** Up to 1000 rows with the running one, of the history up to 200, before `endTime`; oldest first. */
const candles = (group: Group, most: number) => {
  const made = list(group === 'spot' ? `${candle} turnover` : candle);
  const table = `in granularity ${bars[group]}; rows limit 100 ${most}; to endTime; before`;
  return page(made, table, group);
};

/** `market/margin-loans?coin=`: one coin; the answer does not name it. */
function marginLoan(ask: Ask) {
  const name = ask.query.get('coin');
  const loan = loansAt(ask, venue).find(({ symbol }) => symbol === name);
  if (!loan) return refuse('40034', `Parameter ${name} does not exist`, ask.now);
  const { annual, most } = loan;
  const [dailyInterest, annualInterest] = [plain(annual / 365, 10), plain(annual, 10)];
  return ok({ dailyInterest, annualInterest, limit: plain(most, 8) }, ask);
}

const streamed = `
  highPrice24h=high+0f lowPrice24h=low+0f openPrice24h=open+0f lastPrice=last+0f
  turnover24h=turnover volume24h=base bid1Price=bid+0f ask1Price=ask+0f bid1Size=bidSize
  ask1Size=askSize price24hPcnt=fraction.5f`;
const tickerMessage = (data: string) =>
  row(`
    action='snapshot' arg{ instType=group topic='ticker' symbol=streamId } data[ { ${data} } ]
    ts=now`);
const streamPair = tickerMessage(streamed);
const streamContract = tickerMessage(`
  ${streamed} indexPrice=index+3 markPrice=mark fundingRate=isDated?'0':rate openInterest=held
  nextFundingTime=$next`);
/** The side is that of the position. */
const forced = row('symbol=streamId side=maker price=tradePrice amount=worth ts=$traded');

/** The simulated exchange. */
export const bitget = exchange({
  id: venue,
  hosts: ['api.bitget.com', 'ws.bitget.com'],
  lists: without(8, 6),
  sorts: {
    spot: '{base}{quote}',
    linear: '{base}{quote} group=usdt-futures thousands=1e-6',
    bonk: '{base}{quote} group=usdt-futures thousands=BONK',
    usdc: '{base}PERP group=usdc-futures',
    coin: '{base}{quote} group=coin-futures',
  },
  lines: `
    spot USDT 0.05
    spot USDC 0.005 0..12
    spot BTC 0.001 1..10>0.1
    spot USDT 0.03 USDC
    spot BUSD 0 3..5 halted
    linear USDT 0.1 others gone@11
    bonk USDT 0.02 BONK
    linear USDT 0.05 equities
    usdc USDC 0.005 0..5
    coin USD 0.005 0..6>0.01
    coin USD 0.005 1..2 dated`,
  which: { others: (coins) => coins.filter(({ symbol }) => symbol !== 'BONK').slice(0, -3) },
  more: { dated: dated(date('_')) },
  refusals: refusalsOf(
    (code: string, msg) => envelope(code, msg, 0, null),
    [429, '429', 'Too Many Requests'],
    [403, '403', 'Forbidden'],
    [503, '40725', 'service return an error'],
  ),
  routes: {
    '/api/v2/spot/public/symbols': all(spotInfo, 'spot'),
    ...under('/api/v2/spot/market/', {
      tickers: all(tickers.spot, 'spot', isLive),
      orderbook: book({
        row: row('asks bids ts=$now'),
        level: list('price+0f size'),
        depth: ['limit', 150, 150],
        group: 'spot',
      }),
      candles: candles('spot', 1000),
      'history-candles': candles('spot', 200),
    }),
    ...under('/api/v2/mix/market/', {
      contracts: all(futuresInfo, 'futures'),
      tickers: all(tickers.futures, 'futures', isLive),
      'current-fund-rate': (ask) =>
        ask.query.has('symbol') ? ok([rate(marketOf(ask, 'futures'), ask)], ask) : funded(ask),
      /** 1, 5, 15, 50 or `max` levels of numbers. */
      'merge-depth': book({
        row: row("asks bids ts=$now scale=tick precision='scale0' isMaxPrecision='NO'"),
        level: list('#price #size'),
        depth: (ask) => depths[ask.query.get('limit') ?? '50'] ?? parameters.refuse('limit', ask),
      }),
      candles: candles('futures', 1000),
      'history-candles': candles('futures', 200),
      'account-long-short': page(
        row(`
          longAccountRatio=long.4 shortAccountRatio=short.4 longShortAccountRatio=ratio.4 ts=$now`),
        'in period:5m 5m 15m 30m 1h 4h 1d; rows 500; points',
      ),
      'history-fund-rate': page(
        row('symbol=id fundingRate=charged fundingTime=$now'),
        'every funding; rows pageSize 20 100 cut; page pageNo; newest; points',
      ),
    }),
    '/api/v3/market/margin-loans': marginLoan,
  },
  topics({ op, args }) {
    const topics = recordsOf(args).map(({ topic, instType, symbol }) =>
      [`${topic} ${instType}`, ...(symbol === undefined ? [] : [symbol])].join(':'),
    );
    return ordered(op, subscribing, topics);
  },
  group: (id) => id.split(':')[0] ?? null,
  channels: {
    'ticker {id}': ticker(
      (market, at) => (market.group === 'spot' ? streamPair : streamContract)(market, at),
      { id: (market) => `${market.group}:${streamId(market)}` },
    ),
    'liquidation {group}': liquidations((found, at) =>
      [...Map.groupBy(found, ({ market }) => market.group)].map(([instType, rows]) => {
        const arg = { instType, topic: 'liquidation' };
        return { action: 'update', arg, data: forcedRows(forced, rows, at), ts: at.now };
      }),
    ),
    'books {id}': bookMessages(
      row(`
        action=isWhole:snapshot/update arg{ instType=group topic='books' symbol=id } ts=now
        data[ { a=asks b=bids seq=sequence pseq=isWhole?0:previous ts=$now } ]`),
      { id: ({ group, id }) => `${group}:${id}` },
    ),
  },
  /** A ping gets `pong`; a subscription one event for each channel. */
  reply: ({ args }, frame) =>
    frame === 'ping' ? ['pong'] : recordsOf(args).map((arg) => ({ event: 'subscribe', arg })),
});
