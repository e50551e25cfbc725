/** HTX: spot, linear and inverse swaps, and dated futures of both margins. https://www.htx.com/en-us/opend/newApiPages; errors inside a 200. */
import { text } from '../../../actors/read.ts';
import { isLive, marketRows } from '../answers.ts';
import { bare, bookMessages } from '../book-streams.ts';
import { yymmdd } from '../calendar.ts';
import { forcedRows, liquidations } from '../events.ts';
import { exchange, refusalsOf } from '../exchange.ts';
import { dated, without } from '../listing.ts';
import type { Market } from '../market.ts';
import type { Row } from '../rows.ts';
import { type Moment, ticker, tickers, timed } from '../streams.ts';
import { candles, contracts, depth, flat, live, ok, orDated, row } from './htx-contracts.ts';
import { histories } from './htx-histories.ts';

const venue = 'htx';

const symbol = `
  base-currency=lowerBase quote-currency=lowerQuote price-precision=decimals amount-precision=lot
  symbol=id state=isLive:online/suspend`;
const place = 'spot-instruments data';
const pair = row(symbol, place);
const token = row(`${symbol} underlying='xrpusdt'`, place);
const symbolOf: Row = (market, at) => (market.kind === 'other' ? token : pair)(market, at);
const spotTicker = row(`
  symbol=id open=@open high=@high low=@low close=@close amount=@quantity vol=@turnover count=trades
  bid=#bestBid ask=#bestAsk`);

/** What the channels say of a contract: JSON numbers, and `vol` counts contracts. */
const detail = row(`
  ch='market.{id}.detail' ts=now
  tick{ id=seconds ask[ #bestAsk @bestAskSize ] bid[ #bestBid @bestBidSize ] open=#open close=#close
  low=#low high=#high amount=#allBase.18 count=trades vol=#allQuantity.0
  trade_turnover=isInverse?-:#allTurnover.8 }`);
/** The rate that is charged next. */
const notice = row(
  'symbol contract_code=id funding_time=$now settlement_time=$next funding_rate=rate.18f',
);
const forced = row(`
  symbol contract_code=id direction=taker offset='close' volume=@tradeSize price=@tradePrice
  created_at=traded amount trade_turnover=value contract_type='swap' pair=id business_type='swap'`);

/** The groups of the markets of an address: of market data, and of notifications. */
const groups: Readonly<Record<string, string>> = {
  '/linear-swap-ws': 'linear',
  '/swap-ws': 'inverse',
  '/linear-swap-notification': 'linear',
  '/swap-notification': 'inverse',
};
const byPath = (_: string, { path }: { path: string }) => groups[path] ?? null;
const spot = { group: () => 'spot' };

/** The running candle of a price; the group of a contract follows from its quote. */
const candleChannel = (what: string, price: string) =>
  ticker(row(`ch='market.{id}.${what}.1min' tick{ ${flat(price, 'minuteSeconds')} } ts=now`), {
    group: (id, { path }) =>
      path === '/ws_index' ? (id.endsWith('-USD') ? 'inverse' : 'linear') : null,
  });
const ofFunding = (code: string, markets: readonly Market[], at: Moment) => ({
  op: 'notify',
  topic: `public.${code}.funding_rate`,
  ts: at.now,
  data: markets.map((market) => notice(market, at)),
});
/** All contracts at first, then each of them every five seconds in a message of its own. */
function fundingMessages(at: Moment, group: string): unknown[] {
  const all = at.model.markets(venue, at.now, group).filter(isLive);
  if (at.first) return [ofFunding('*', all, at)];
  const due = all.filter((_, place) => place % 5 === (at.now / 1_000) % 5);
  return due.map((market) => ofFunding(market.id, [market], at));
}
const numbers = { every: 2, level: bare };
const spotBook = 'market.{id}.mbp.150';
const contractBook = 'market.{id}.depth.size_150.high_freq';

/** The simulated exchange. */
export const htx = exchange({
  id: venue,
  hosts: ['api.huobi.pro', 'api-aws.huobi.pro', 'api.hbdm.com', 'api.hbdm.vn'],
  lists: without(8, 6),
  sorts: {
    spot: { id: (base, quote) => `${base}${quote}`.toLowerCase() },
    leveraged: { group: 'spot', kind: 'other', id: (base) => `${base}3susdt`.toLowerCase() },
    linear: '{base}-{quote} thousands=BONK worth=10,BTC:0.001,ETH:0.01',
    inverse: '{base}-{quote} dollars',
  },
  lines: `
    leveraged USDT 0.001 XRP
    spot USDT 0.03 0..-1
    spot BTC 0.001 1..7>0.1
    spot USDT 0.02 USDC
    spot USDT 0 -1.. halted
    linear USDT 0.06 70%
    linear USDT 0 -1.. halted
    linear USDT 0.0015 0..2 linearDated
    inverse USD 0.01 0..6>0.01
    inverse USD 0.00025 0..2 dated`,
  more: {
    linearDated: dated(({ symbol }, expires) => `${symbol}-USDT-${yymmdd(expires)}`, 'linearDated'),
    dated: dated(({ symbol }, expires) => `${symbol}${yymmdd(expires)}`, 'dated'),
  },
  refusals: refusalsOf(
    (code: string, message) => ({
      status: 'error',
      'err-code': code,
      'err-msg': message,
      data: null,
    }),
    [429, 'rate-too-many-requests', 'exceeded rate limit'],
    [403, 'invalid-ip', 'access denied'],
    [503, 'system-maintenance', 'System is in maintenance!'],
  ),
  routes: {
    '/v1/common/symbols': (ask) => ({
      status: 'ok',
      data: marketRows(symbolOf, ask, { venue, group: 'spot' }),
    }),
    '/market/tickers': (ask) => ok(live(spotTicker, ask, 'spot'), ask),
    '/market/depth': orDated(depth('spot'), depth('dated')),
    '/market/history/kline': orDated(candles('spot'), candles('dated')),
    '/market/history/candles': candles('spot', { ranged: true, most: 1000 }),
    ...contracts,
    ...histories,
  },
  /** A subscription is acknowledged. */
  reply({ id, sub, op, cid, topic }) {
    if (op === 'sub') return [{ op, cid, topic, ts: 0, 'err-code': 0 }];
    return sub === undefined ? [] : [{ id, status: 'ok', subbed: sub, ts: 0 }];
  },
  topics({ op, topic, sub, unsub, req, data_type }) {
    if (op === 'sub') return { on: true, topics: [text(topic), 'op ping'] };
    if (op !== undefined) return op === 'unsub' ? { on: false, topics: [text(topic)] } : null;
    // A question may be repeated: it ends where it begins.
    if (req !== undefined) return { on: 'again', topics: [`req ${text(req)}`] };
    const name = text(sub ?? unsub);
    const topics = [data_type === 'incremental' ? `incremental ${name}` : name];
    return { on: sub !== undefined, topics: sub === undefined ? topics : [...topics, 'ping'] };
  },
  gzip: true,
  channels: {
    'market.tickers': tickers((markets, at) => {
      const data = markets.map((market) => spotTicker(market, at));
      return [{ ch: 'market.tickers', status: 'ok', ts: at.now, data }];
    }, spot),
    'market.{id}.detail': ticker(detail, { group: byPath }),
    'market.{id}.mark_price.1min': candleChannel('mark_price', 'mark'),
    'market.{id}.index.1min': candleChannel('index', 'index'),
    'public.*.funding_rate': {
      group: byPath,
      messages: (keys, at) => [...keys].flatMap((key) => fundingMessages(at, key.trim())),
    },
    'public.*.liquidation_orders': liquidations(
      (found, at) => {
        const data = forcedRows(forced, found, at);
        return [{ op: 'notify', topic: 'public.*.liquidation_orders', ts: at.now, data }];
      },
      ({ group }) => (group === 'linear' ? ' ' : '-'),
    ),
    /** Market data and notifications have pings of their own form. */
    ping: timed(5, ({ now }) => [{ ping: now }]),
    'op ping': timed(5, ({ now }) => [{ op: 'ping', ts: `${now}` }]),
    /** The whole book is asked for. */
    [spotBook]: bookMessages(
      row(`ch='${spotBook}' ts=now tick{ seqNum=sequence bids asks prevSeqNum=previous }`),
      { ...spot, ...numbers, part: 'updates' },
    ),
    [`req ${spotBook}`]: bookMessages(
      row(`id='1' rep='${spotBook}' status='ok' ts=now data{ seqNum=sequence bids asks }`),
      { ...spot, ...numbers, part: 'asked' },
    ),
    [`incremental ${contractBook}`]: bookMessages(
      row(`
        ch='${contractBook}' ts=now tick{ asks bids ch='${contractBook}' ts=now version=bookVersion
        event=isWhole:snapshot/update id=sequence mrid=sequence }`),
      { ...numbers, group: (_, { path }) => (path === '/linear-swap-ws' ? 'linear' : null) },
    ),
  },
});
