/** OKX: spot, swaps and dated futures. https://www.okx.com/docs-v5 */

import { answersOf, isLive } from '../answers.ts';
import { bookMessages } from '../book-streams.ts';
import { yymmdd } from '../calendar.ts';
import { eachForced, liquidations, trades } from '../events.ts';
import { exchange, refusalsOf, under } from '../exchange.ts';
import { plain } from '../format.ts';
import { dated, without } from '../listing.ts';
import { loansAt } from '../market/borrowing.ts';
import type { Market } from '../market.ts';
import type { Row } from '../rows.ts';
import { ordered, recordsOf, subscribing, ticker, timed } from '../streams.ts';
import type { Ask } from '../venue.ts';
import {
  optionInterest,
  optionMarks,
  optionSummaries,
  optionTickers,
  optionTrades,
} from './okx-options.ts';
import {
  currencyOf,
  funding,
  groupOf,
  indexTicker,
  infoOf,
  interest,
  level,
  list,
  mark,
  marketOf,
  names,
  ok,
  parameters,
  refuse,
  required,
  row,
  swapOf,
  taken,
  tickerRow,
  trade,
  trading,
  venue,
} from './okx-rows.ts';

function instruments(ask: Ask) {
  const type = ask.query.get('instType') ?? '';
  if (!['SPOT', 'SWAP', 'FUTURES'].includes(type)) parameters.refuse('instType', ask);
  const id = ask.query.get('instId');
  const all = ask.model.markets(venue, ask.now, type).filter((m) => id === null || m.id === id);
  if (all.length === 0) refuse(200, '51001', 'Instrument ID does not exist');
  return ok(all.map((market) => infoOf(market, ask)));
}

const rows = (made: Row, markets: (ask: Ask) => readonly Market[]) => (ask: Ask) =>
  ok(markets(ask).map((market) => made(market, ask)));
/** Options are asked by family, everything else by type. */
const orOptions = (others: (ask: Ask) => unknown, options: (ask: Ask) => unknown) => (ask: Ask) =>
  ask.query.get('instType') === 'OPTION' ? options(ask) : others(ask);

/** The longer bars open at midnight UTC+8; with `utc` behind their name at midnight UTC. */
const bars = `
  1m 3m 5m 15m 30m 1H=1h 2H=2h 4H=4h 6H=6h@-8 12H=12h@-8 1D=1d@-8 2D=2d@-8 3D=3d@-8 1W=1w@-8 1M=1M@-8
  3M=3M@-8 6Hutc=6h 12Hutc=12h 1Dutc=1d 2Dutc=2d 3Dutc=3d 1Wutc=1w 1Mutc=1M 3Mutc=3M`;
/** A history, newest first, with the parameters of its page. */
const history = (made: Row<unknown>, page: string, of = marketOf) => {
  const rowsOf = parameters.page(made, page);
  return (ask: Ask) => ok(rowsOf(ask, of(ask)));
};
/** `after`: rows older than it; `before`: rows newer. */
const bounds = 'from before; to after; after; before; newest';
const candles = (kept: number, made: Row<unknown>, most = 300) => {
  const closed = kept > 1440 ? '; closed' : '';
  const rows = `rows limit 100 ${most}; kept ${kept}`;
  return history(made, `in bar:1m ${bars}; ${rows}; ${bounds}${closed}`);
};
/** Volume in contracts (base on spot), then in base (quote on spot), then in quote. */
const candle = list(`
  $start open high low close quantity isSpot?turnover:base isInverse?dollarContracts.8:turnover
  isClosed:1/0`);
const flat = (price: string) => list(`$start ${price} ${price} ${price} ${price} isClosed:1/0`);
const [markCandle, indexCandle] = [flat('markThen.8'), flat('indexThen.8')];

const stated = 'from begin; to end; after; before; newest';
const periods = `in period:5m ${bars}; ${stated}; rows limit 100 100`;
/** Of currencies less is kept, all of it is one answer, and days open at 16:00 UTC. */
const ofCurrency = (made: Row<unknown>, sort = 'points') => {
  const kept: Readonly<Record<string, number>> = { '5m': 576, '1H': 720, '1D': 180 };
  const answers = Object.entries(kept).map(([word, count]) => {
    const page = `in period:5m 5m 1H=1h 1D=1d@16; ${stated}; rows ${count}; ${sort}`;
    return [word, history(made, page, currencyOf)] as const;
  });
  return (ask: Ask) => {
    const word = ask.query.get('period') || '5m';
    const [, answer] = answers.find(([own]) => own === word) ?? [];
    return answer ? answer(ask) : parameters.refuse('period', ask);
  };
};
const volumes = [taken('base'), taken('quantity'), taken('turnover')].map((made) =>
  history(made, `${periods}; taken`),
);
const interestRow = list('$now contracts.8 interest.8 interestValue');
const ratio = (of: string) => list(`$now ratio${of}.16`);

/** `public/funding-rate?instId=`: one swap, or all of them with `ANY`. */
const swaps = (ask: Ask) =>
  required(ask, 'instId') === 'ANY'
    ? ask.model.markets(venue, ask.now, 'SWAP').filter(isLive)
    : [swapOf(ask)];
/** `market/index-tickers`: by the quote, or of one pair. */
const pairs = (ask: Ask) => {
  const quote = ask.query.get('quoteCcy');
  if (quote === null) return [marketOf(ask)];
  const all = ask.model.markets(venue, ask.now, 'SPOT');
  return all.filter((market) => isLive(market) && market.quote === quote);
};
const charged = row(`
  ${names} method='current_period' fundingRate=charged.16 realizedRate=charged.16 fundingTime=$now`);
/** At most 400 of the last three months. */
const fundingHistory = history(
  charged,
  `every funding; rows limit 400 400; ${bounds}; points`,
  swapOf,
);

const { book, trades: newest } = answersOf({
  venue,
  parameters,
  marketOf,
  ok: (data) => ok([data].flat()),
});
/** `unit` 0: the currency, 1: contracts, 2: dollars. */
const contractVolume = (ask: Ask) =>
  (volumes[Number(ask.query.get('unit') || '1')] ?? parameters.refuse('unit', ask))(ask);
/** Daily fractions of every coin. */
function loanQuota(ask: Ask) {
  const basic = loansAt(ask, venue).map(({ symbol, annual, most }) => {
    return { ccy: symbol, quota: plain(most, 0), rate: plain(annual / 365, 8) };
  });
  return ok([{ basic }]);
}
const longShort = 'rubik/stat/contracts/long-short-';

/** Each path has a limit of its own in 2 s. */
const routes = under('/api/v5/', {
  'public/instruments': instruments,
  'public/open-interest': orOptions(rows(interest, trading), optionInterest),
  'public/opt-summary': optionSummaries,
  'public/funding-rate': rows(funding, swaps),
  'public/funding-rate-history': fundingHistory,
  'public/mark-price': orOptions(rows(mark, trading), optionMarks),
  [`${longShort}account-ratio`]: ofCurrency(ratio('Accounts')),
  [`${longShort}account-ratio-contract-top-trader`]: history(
    ratio('TopAccounts'),
    `${periods}; points`,
  ),
  [`${longShort}position-ratio-contract-top-trader`]: history(
    ratio('TopPositions'),
    `${periods}; points`,
  ),
  'rubik/stat/contracts/open-interest-history': history(interestRow, `${periods}; points`),
  'rubik/stat/taker-volume-contract': contractVolume,
  'rubik/stat/taker-volume': ofCurrency(taken('base'), 'taken'),
  'market/tickers': orOptions(rows(tickerRow, trading), optionTickers),
  'market/books': book({ row: row('asks bids ts=$now'), level, depth: ['sz', 1, 400] }),
  'market/trades': newest(trade, ['limit', 100, 500]),
  'market/candles': candles(1440, candle),
  'market/history-candles': candles(10_000, candle),
  'market/mark-price-candles': candles(1440, markCandle, 100),
  'market/index-candles': candles(1440, indexCandle, 100),
  'market/history-mark-price-candles': candles(10_000, markCandle, 100),
  'market/history-index-candles': candles(10_000, indexCandle, 100),
  'market/index-tickers': rows(indexTicker, pairs),
  'public/interest-rate-loan-quota': loanQuota,
});

const told = (channel: string, made: Row, suffix = '') =>
  ticker(
    (market, at) => {
      const instId = market.id.slice(0, market.id.length - suffix.length);
      return { arg: { channel, instId }, data: [made(market, at)] };
    },
    {
      id: ({ id }) => (suffix === '' || id.endsWith(suffix) ? id.replace(suffix, '') : ''),
      group: (id) => groupOf(`${id}${suffix}`),
    },
  );
const streamTrade = row(`
  arg{ channel='trades' instId=id } data[ { instId=id tradeId=$tradeId px=tradePrice sz=tradeSize
  side=taker ts=$traded count='1' source='0' seqId=tradeId } ]`);
const forced = row(`
  arg{ channel='liquidation-orders' instType=group }
  data[ { details[ { bkLoss='0' bkPx=tradePrice ccy='' posSide=position side=taker sz=tradeSize
  ts=$traded } ] instFamily='{symbol}-{quote}' instId=id instType=group } ]`);

/** The simulated exchange. */
export const okx = exchange({
  id: venue,
  hosts: [
    'www.okx.com',
    'openapi.okx.com',
    'my.okx.com',
    'us.okx.com',
    'ws.okx.com',
    'wsopenapi.okx.com',
  ],
  lists: without(7, 6),
  sorts: {
    spot: '{base}-{quote} spot=SPOT',
    linear: '{base}-{quote}-SWAP group=SWAP worth=100,BTC:0.01,ETH:0.1 lot=2',
    inverse: '{base}-{quote}-SWAP group=SWAP dollars',
  },
  lines: `
    spot USDT 0.08
    spot USDC 0.01 0..38
    spot USD 0.01 0..8
    spot BTC 0.002 1..18>0.1
    spot EUR 0.002 0..6
    spot USD 0.02 stables
    spot USDT 0.02 USDC
    linear USDT 0.15 80% halted@60
    linear USDC 0.01 0..5
    inverse USD 0.02 0..5
    linear USDT 0 -1.. preopen
    linear USDT 0.00375 0..2 dated
    inverse USD 0.0005 0..2 dated`,
  more: { dated: dated(({ id }, expires) => id.replace('SWAP', yymmdd(expires)), 'FUTURES') },
  refusals: refusalsOf(
    (code: string, msg) => ({ code, data: [], msg }),
    [429, '50011', 'Rate limit reached. Please refer to API documentation.'],
    [403, '50011', 'Rate limit reached. Please refer to API documentation.'],
    [503, '50001', 'Service temporarily unavailable. Please try again later.'],
  ),
  routes,
  topics({ op, args }) {
    const named = recordsOf(args).map(
      ({ channel, instId, instFamily, instType }) =>
        `${channel} ${instId ?? instFamily ?? instType}`,
    );
    return ordered(op, subscribing, named);
  },
  group: groupOf,
  channels: {
    'tickers {id}': told('tickers', tickerRow),
    'mark-price {id}': told('mark-price', mark),
    'funding-rate {id}': told('funding-rate', funding),
    'open-interest {id}': told('open-interest', interest),
    'index-tickers {id}': told('index-tickers', indexTicker, '-SWAP'),
    'liquidation-orders {group}': liquidations(eachForced(forced)),
    'option-trades {group}': timed(1, (at, families) =>
      families.flatMap((instFamily) => {
        const arg = { channel: 'option-trades', instType: 'OPTION', instFamily };
        return optionTrades(at, instFamily).map((one) => ({ arg, data: [one] }));
      }),
    ),
    'trades {id}': trades(streamTrade),
    'books {id}': bookMessages(
      row(`
        arg{ channel='books' instId=id } action=isWhole:snapshot/update
        data[ { asks bids ts=$now checksum=0 seqId=sequence prevSeqId=isWhole?-1:previous } ]`),
      { level: (one) => [...one, '0', '1'] },
    ),
  },
  /** A ping gets `pong`; a subscription one event for each channel. */
  reply: ({ args }, frame) =>
    frame === 'ping' ? ['pong'] : recordsOf(args).map((arg) => ({ event: 'subscribe', arg })),
});
