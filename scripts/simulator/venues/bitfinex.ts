/** Bitfinex: spot and perpetuals, every row an array. https://docs.bitfinex.com (public API v2) */
import { crc32 } from 'node:zlib';
import { text } from '../../../actors/read.ts';
import { answersOf, bookRows, isLive } from '../answers.ts';
import type { WireLevel } from '../book.ts';
import { type BookUpdate, books, stepsOf } from '../book-streams.ts';
import { forcedRows, liquidations, trades } from '../events.ts';
import { exchange, refusalsOf, under } from '../exchange.ts';
import { plain } from '../format.ts';
import { without } from '../listing.ts';
import type { Market } from '../market.ts';
import { Parameters } from '../pages.ts';
import { type Row, rowsOf } from '../rows.ts';
import { type Frame, ticker, timed } from '../streams.ts';
import { type Ask, Refused } from '../venue.ts';
import { fundingStats, fundingTickers, stats } from './bitfinex-funding.ts';
import { ownName, ownNames } from './names.ts';

const venue = 'bitfinex';
const minute = 60_000;
const eight = 8 * 60 * minute;

const parameters = new Parameters((name) => {
  throw new Refused(500, ['error', 10_020, `${name}: invalid`]);
});
const all = ({ model, now }: Ask) => model.markets(venue, now, 'all');
const marketOf = (ask: Ask, id = ask.query.get('symbol') ?? ''): Market =>
  ask.model.market(venue, 'all', id, ask.now) ?? parameters.refuse('symbol', ask);

const { page, trades: newest } = answersOf({ venue, parameters, marketOf: (ask) => marketOf(ask) });

/** Funding per 8 hours. */
const eightHours = (market: Market, at: number) =>
  (market.fundingRate(at) * 8) / market.fundingHours;
const settling = (now: number) => (Math.floor(now / eight) + 1) * eight;

const { list } = rowsOf(venue, {
  amount: ({ trade }) => (trade.bought ? 1 : -1) * trade.quantity,
  position: ({ trade }) => (trade.bought ? -1 : 1) * trade.quantity,
  askAmount: ({ level }) => -(level?.quantity ?? 0),
  mid: ({ market, now }) => market.round(market.exact(now)),
  next: ({ now }) => settling(now),
  charging: ({ market, now }) => eightHours(market, settling(now)),
  accrued: ({ market, now }) =>
    eightHours(market, settling(now) + eight) * (1 - (settling(now) - now) / eight),
});
const tickerRow = list(`
  id #bestBid @bestBidSize #bestAsk @bestAskSize #rise #fraction.8 @close #base @high @low`);
/** At 12 what the next of the three times a day charges, at 9 what has accrued for the one after that. */
const states = `
  now null mid #index null 36950860.76010306 null next #accrued.12 82 null #charging.12 null null
  #mark null null #interest.8 null null null 0.0005 0.0025`;
const status = list(`id ${states}`);
const [bidLevel, askLevel] = [list('#price orders #size.8'), list('#price orders #askAmount.8')];
const trade = list('tradeId traded #amount.8 @tradePrice');

function config(ask: Ask, name: string): unknown {
  const info = (kind: Market['kind'], length: number) =>
    all(ask)
      .filter((market) => market.kind === kind)
      .map((market) => {
        const facts = [null, null, null, plain(10 / market.exact(ask.now), 8), '5000.0'];
        return [market.id.slice(1), [...facts, ...Array(length - facts.length).fill(null)]];
      });
  const test = ['TESTBTC:TESTUSD', [null, null, null, '0.001', '5000.0', ...Array(7).fill(null)]];
  if (name === 'pub:info:pair') return [...info('spot', 12), test];
  if (name === 'pub:info:pair:futures') return info('perpetual', 10);
  if (name === 'pub:list:pair:securities') return ['TITAN1:USD'];
  if (name !== 'pub:map:currency:sym') return parameters.refuse('config', ask);
  // Upper and lower case as the exchange has it: USDt.
  return [...ownNames].map(([usual, own]) => [own, usual === 'USDT' ? 'USDt' : usual]);
}
/** `conf/<names, separated by commas>`: one value for each. */
const configs = (ask: Ask) =>
  parameters
    .text(ask, 'names')
    .split(',')
    .map((name) => config(ask, name));

/** `ALL`, or some of them; unknown ones are left out. */
const wanted = (ask: Ask, name: string, rows: unknown[][]) => {
  const symbols = parameters.text(ask, name);
  const some = new Set(symbols.split(','));
  return rows.filter(([id]) => symbols === 'ALL' || some.has(String(id)));
};
const tickers = (ask: Ask) => {
  const rows = all(ask)
    .filter(isLive)
    .map((market) => tickerRow(market, ask));
  return wanted(ask, 'symbols', [...rows, ...fundingTickers(ask)]);
};
/** `status/deriv?keys=`; a contract that ended long ago stays in the answer. */
const statuses = (ask: Ask) => {
  const markets = all(ask).filter((market) => isLive(market) && market.kind === 'perpetual');
  const [first] = markets.map((market) => status(market, ask));
  const ended = [...(first ?? [])].with(0, 'tOLDF0:USTF0').with(1, 1_650_000_000_000);
  const gone = ended.with(8, 1_650_002_400_000);
  return wanted(ask, 'keys', [...markets.map((market) => status(market, ask)), gone]);
};

/** `book/<symbol>/P0?len=`: bids, then asks with negative amounts; 1, 25 or 100 levels, 25 when absent. */
function book(ask: Ask): unknown {
  const market = marketOf(ask);
  const length = parameters.oneOf(ask, 'len', 25, [1, 25, 100]);
  const { bids } = bookRows(bidLevel, market, ask, length);
  return [...bids, ...bookRows(askLevel, market, ask, length).asks];
}

/** Rows newest first, at most so many. */
const range = 'from start; to end';
const candle = list('start @open @close @high @low #base');
const candlePage = `
  in bar 1m 5m 15m 30m 1h 3h 6h 12h 1D=1d 1W=1w 14D=2w 1M; rows limit 100 10000 cut; ${range}`;
/** The newest first, or the oldest from a start on where `sort` is 1. */
const sorted = {
  '-1': parameters.page(candle, `${candlePage}; newest`),
  '1': parameters.page(candle, `${candlePage}; onward`),
};
function candles(ask: Ask): unknown {
  const [, word = '', ...symbol] = parameters.text(ask, 'key').split(':');
  const query = new URLSearchParams(ask.query);
  query.set('bar', word);
  const isAscending = ask.query.get('sort') === '1';
  return sorted[isAscending ? '1' : '-1']({ ...ask, query }, marketOf(ask, symbol.join(':')));
}

/** The numbers of the channels of a market follow from its name: of its book, its ticker, its state, its trades. */
const numberOf = (channel: string, symbol: string): number => {
  const first = { book: 0, ticker: 2_000_000, status: 4_000_000, trades: 6_000_000 }[channel] ?? 0;
  return 400_000 + (crc32(symbol) % 1_000_000) + first;
};
const liquidated = 386_841;
/** The topic of a frame: a status is named by a key, a book by its number, by which it is given up. */
const topicOf = ({ channel, symbol, key }: Frame): string => {
  if (channel === 'status') return text(key);
  const name = text(symbol);
  return `${text(channel)} ${channel === 'book' ? numberOf('book', name) : name}`;
};

const forcedRow = (isMatch: 0 | 1) =>
  list(`'pos' tradeId traded null id @position @open null ${isMatch} 1 null @tradePrice`);
const [forced, filled] = [forcedRow(0), forcedRow(1)];
const bookRow = (side: 'bids' | 'asks', [price, amount]: WireLevel) => {
  const sign = side === 'bids' ? 1 : -1;
  return amount === '0' ? [Number(price), 0, sign] : [Number(price), 1, sign * Number(amount)];
};
function checksumOf({ top }: BookUpdate): number {
  const parts = top.bids.flatMap((bid, i) => {
    const [price = '', amount = ''] = top.asks[i] ?? [];
    return [...bid.map(Number), Number(price), -Number(amount)];
  });
  return crc32(parts.join(':')) | 0;
}
/** The columns of an answer but the first, under the number of the channel. */
const columns = (channel: string, made: Row<unknown[]>) =>
  ticker((market, at) => [numberOf(channel, market.id), made(market, at).slice(1)]);

/** The simulated exchange. */
export const bitfinex = exchange({
  id: venue,
  hosts: ['api-pub.bitfinex.com', 'api.bitfinex.com'],
  lists: without(3, 2),
  sorts: {
    spot: {
      group: 'all',
      kind: 'spot',
      id(_, quote, { symbol }) {
        const [base, other] = [ownName(symbol), ownName(quote)];
        return `t${base}${base.length === 3 && other.length === 3 ? '' : ':'}${other}`;
      },
    },
    perpetual: { group: 'all', id: (_, __, { symbol }) => `t${ownName(symbol)}F0:USTF0` },
  },
  lines: `
    spot USD 0.02 * since2013
    spot USDT 0.01 0..40
    spot USD 0.01 stables
    spot BTC 0.002 1..6
    perpetual USDT 0.01 0..30 halted@30`,
  more: { since2013: ({ id }) => (id === 'tBTCUSD' ? { listed: Date.UTC(2013, 3, 1) } : {}) },
  refusals: refusalsOf(
    (code: number, message) => ['error', code, message],
    [429, 11_010, 'ratelimit: error'],
    [403, 11_010, 'ratelimit: error'],
    [500, 20_060, 'maintenance'],
  ),
  routes: under('/v2/', {
    'conf/{names}': configs,
    tickers: tickers,
    'status/deriv': statuses,
    /** A row a minute, without the symbol. */
    'status/deriv/{symbol}/hist': page(
      list(states),
      `every 1m; rows limit 100 5000 cut; ${range}; newest; points`,
    ),
    'book/{symbol}/P0': book,
    'candles/{key}/hist': candles,
    'trades/{symbol}/hist': newest(trade, ['limit', 125, 10_000, 'cut']),
    'stats1/{key}/{section}': stats,
    'funding/stats/{symbol}/hist': fundingStats,
  }),
  topics(frame) {
    const { event, chanId } = frame;
    if (event === 'unsubscribe') return { on: false, topics: [`book ${chanId}`] };
    const beats = frame.key === 'liq:global' ? ['hb'] : [];
    return event === 'subscribe' ? { on: true, topics: [topicOf(frame), ...beats] } : null;
  },
  group: () => 'all',
  /** All messages of a connection with books are counted. */
  numbered: (message, number) => (Array.isArray(message) ? [...message, number] : message),
  channels: {
    /** Each liquidation, then its fill. */
    'liq:global': liquidations((found, at) =>
      [forced, filled].map((made) => [liquidated, forcedRows(made, found, at)]),
    ),
    hb: timed(15, () => [[liquidated, 'hb']]),
    'ticker {id}': columns('ticker', tickerRow),
    'deriv:{id}': columns('status', status),
    /** The past of a market, then each trade when it is made (`te`) and again when it is settled (`tu`). */
    'trades {id}': trades(
      trade,
      (rows, { id }) =>
        rows.flatMap((one) => ['te', 'tu'].map((word) => [numberOf('trades', id), word, one])),
      { past: (rows, { id }) => [numberOf('trades', id), rows] },
    ),
    /** A message for every level, then the checksum. */
    'book {id}': books({
      depth: 25,
      every: 4,
      id: ({ id }) => String(numberOf('book', id)),
      tell(update) {
        const chanId = numberOf('book', update.market.id);
        const changes = stepsOf(update).map(([side, level]) => bookRow(side, level));
        if (update.whole) return [[chanId, changes]];
        return [...changes.map((one) => [chanId, one]), [chanId, 'cs', checksumOf(update)]];
      },
    }),
  },
  /** A subscription is acknowledged with the number of its channel. */
  reply({ event, channel, symbol, key, ...message }) {
    if (event === 'ping') return [{ ...message, event: 'pong' }];
    if (event !== 'subscribe') return [];
    const named = channel === 'status' ? text(key).replace(/^deriv:/, '') : text(symbol);
    const chanId = key === 'liq:global' ? liquidated : numberOf(text(channel), named);
    return [{ event: 'subscribed', channel, chanId, symbol, key }];
  },
});
