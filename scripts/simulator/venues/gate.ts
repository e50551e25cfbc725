/** Gate: spot, perpetual and dated contracts. https://www.gate.com/docs/developers/apiv4; times in seconds, oldest rows first. */
import { text } from '../../../actors/read.ts';
import { answersOf, isLive } from '../answers.ts';
import { bookMessages } from '../book-streams.ts';
import { openOf } from '../calendar.ts';
import { forcedRows, liquidations } from '../events.ts';
import { exchange, refusalsOf, under } from '../exchange.ts';
import { plain } from '../format.ts';
import { date, dated, sortOf, without } from '../listing.ts';
import { annualRate } from '../market/borrowing.ts';
import type { Market } from '../market.ts';
import { hours, Parameters } from '../pages.ts';
import { type Row, rowsOf, type Sight } from '../rows.ts';
import { ordered, subscribing, textsOf, ticker, tickers } from '../streams.ts';
import type { Asset } from '../symbols.ts';
import { type Ask, Refused } from '../venue.ts';

const venue = 'gate';
/** Prices have too many zeros: counted by the thousand. */
const isCheap = ({ symbol }: Asset) => symbol === 'SATS' || symbol === 'BONK';

const refuse = (label: string, message: string): never => {
  throw new Refused(400, { label, message });
};
const parameters = new Parameters((name) =>
  refuse('INVALID_PARAM_VALUE', `invalid argument: ${name}`),
);

function marketOf({ query, model, now }: Ask, group: string): Market {
  const id = query.get(group === 'spot' ? 'currency_pair' : 'contract') ?? '';
  const found = model.market(venue, group, id, now);
  if (found?.state === 'live') return found;
  return group === 'spot'
    ? refuse('INVALID_CURRENCY_PAIR', `Invalid currency pair ${id}`)
    : refuse('CONTRACT_NOT_FOUND', 'contract not found');
}

/** Of both sides; `position_size` of a contract is of one. */
const bothSides = ({ interest }: Sight): number => 2 * Math.round(interest.contracts);

const { all, page, book } = answersOf({ venue, parameters, marketOf });

const { row, list } = rowsOf(venue, {
  pairName: ({ market }) => market.id.replace(/_\d+$/, ''),
  isEnding: ({ market }) => market.state === 'halted',
  bothSides,
  worth(sight) {
    const { market, now } = sight;
    return bothSides(sight) * market.contract * (market.inverse ? 1 : market.exact(now));
  },
  nextSeconds: ({ funding }) => funding.next / 1000,
  since: ({ market }) => market.listed / 1000,
  expiresSeconds: ({ market }) => (market.expires ?? 0) / 1000,
  signed: ({ trade }) => `${trade.bought ? '' : '-'}${trade.quantity}`,
});

const pair = row(
  'id base=first quote precision=decimals trade_status=isLive:tradable/untradable',
  'spot-instruments ',
);
const spotTicker = row(`
  currency_pair=id last lowest_ask=ask highest_bid=bid change_percentage=percent.2f
  base_volume=base.10 quote_volume=turnover.10 high_24h=high low_24h=low`);
/** `total_size` counts both sides here. */
const contractTicker = row(`
  contract=id last low_24h=low high_24h=high change_percentage=percent.2f total_size=$bothSides
  volume_24h=quantity.0 volume_24h_btc='0' volume_24h_usd=turnover.0 volume_24h_base=base.0
  volume_24h_quote=turnover volume_24h_settle=settled.8 mark_price=mark funding_rate=rate
  index_price=index highest_bid=bid lowest_ask=ask`);
/** `position_size` counts one side. */
const contract = row(
  `name=id type=isInverse:inverse/direct quanto_multiplier=isInverse?'0':contract last_price=last
  mark_price=mark index_price=index
  order_price_round=tick funding_rate=rate funding_interval=fundingSeconds funding_next_apply=nextSeconds
  in_delisting=isEnding position_size=contracts create_time=since
  status=state:trading/delisted/prelaunch contract_type=isShare:stocks/`,
  'usdt-instruments bodies.0',
);
const delivery = row(`
  name=id underlying=pairName type=isInverse:inverse/direct quanto_multiplier=isInverse?'0':contract
  last_price=last mark_price=mark
  index_price=index expire_time=expiresSeconds order_price_round=tick position_size=contracts
  in_delisting=isEnding`);

/** `futures/{settle}/contracts?limit=&offset=`. */
const contracts = (group: string) => (ask: Ask) => {
  const from = parameters.whole(ask, 'offset', 0, [0, 1e6]);
  const limit = parameters.whole(ask, 'limit', 1000, [0, 1000]);
  const rows = ask.model.markets(venue, ask.now, group).slice(from, from + limit);
  return rows.map((market) => contract(market, ask));
};

const candleRows = {
  spot: list('$startSeconds turnover close high low open base $isClosed'),
  futures: row('t=startSeconds v=@quantity c=close h=high l=low o=open sum=turnover'),
};
const formOf = (group: string) => (group === 'spot' ? 'spot' : 'futures');

/** `order_book`: strings and ms on spot, `{s, p}` and seconds on futures; at most 300 levels. */
const orderBook = (group: string) => {
  const time = group === 'spot' ? 'now' : 'seconds';
  return book({
    row: row(`id=sequence current=${time} asks bids update=${time}`),
    level: group === 'spot' ? list('price size') : row('s=@size p=price'),
    depth: (ask) => parameters.whole(ask, 'limit', 10, [0, 300]),
    group,
  });
};

const bounds = 'from from; to to; seconds; onward';
/** `7d` is of any week, while `1w` opens on Mondays. */
const candlePage = `in interval 1m 5m 15m 30m 1h 4h 8h 1d 1w 30d=1M 7d; ${bounds}`;
const flat = (price: string) =>
  row(`t=startSeconds o=${price} h=${price} l=${price} c=${price} v=0`);
/** Either the newest `limit`, or those of a range, never both; `mark_BTC_USDT` and `index_BTC_USDT` have those of their prices. */
const candles = (group: string) => (ask: Ask) => {
  const ranged = ask.query.has('from');
  if (ranged && ask.query.has('limit')) parameters.refuse('limit', ask);
  const [, price, contract = ''] =
    /^(mark|index)_(.+)$/.exec(ask.query.get('contract') ?? '') ?? [];
  const made: Row<unknown> = price ? flat(`${price}Then`) : candleRows[formOf(group)];
  const named = price ? { ...ask, query: new URLSearchParams({ contract }) } : ask;
  const rows = ranged ? 'rows 1000' : 'rows limit 100 1000';
  return parameters.page(made, `${candlePage}; ${rows}`)(ask, marketOf(named, group));
};
/** `contract_stats?contract=&interval=&from=&limit=`: open interest, three ratios. */
const statistics = row(`
  time=seconds lsr_account=ratioAccounts.13 top_lsr_account=ratioTopAccounts.13
  top_lsr_size=ratioTopPositions.13 open_interest=$bothSides open_interest_usd=worth.4
  mark_price=mark`);
const statisticsPage = `in interval:5m 1m 5m 15m 30m 1h 4h 1d; rows limit 30 100; ${bounds}; points`;

/** `unified/history_loan_rate?currency=&limit=&page=&tier=`: each hour's fraction, newest first. */
function loanRates(ask: Ask) {
  const { query, model, now } = ask;
  const currency = query.get('currency') ?? '';
  if (!model.assets.some(({ symbol, listed }) => symbol === currency && listed <= now))
    refuse('INVALID_CURRENCY', `Invalid currency ${currency}`);
  const limit = parameters.count(ask, ['limit', 100, 100]);
  const page = parameters.count(ask, ['page', 1, 1000]);
  const rates = Array.from({ length: limit }, (_, at) => {
    const time = openOf(hours, now) - ((page - 1) * limit + at) * 3_600_000;
    return { time, rate: plain(annualRate(model.seed, [venue, currency], time) / 8760, 12) };
  });
  return { currency, tier: query.get('tier') ?? '1', rates };
}

const prices = (group: string) => ({
  tickers: all(contractTicker, group, isLive),
  order_book: orderBook(group),
  candlesticks: candles(group),
});
const futures = (group: string) =>
  under(`futures/${group}/`, {
    ...prices(group),
    contracts: contracts(group),
    contract_stats: page(statistics, statisticsPage, group),
    /** Newest first. */
    funding_rate: page(
      row('t=seconds r=charged'),
      'every funding; rows limit 100 1000; newest; points',
      group,
    ),
  });

const update = (now: number, channel: string, result: unknown) => {
  return { time: now / 1_000, time_ms: now, channel, event: 'update', result };
};
const forced = row('price=@tradePrice size=signed time_ms=traded contract=id');
const bookOn = (channel: string) =>
  row(`
    time=seconds time_ms=now channel='${channel}' event='update'
    result{ t=now s='ob.{id}.400' u=sequence b=bids a=asks full=isWhole?true:- U=following }`);

const group = () => 'spot';
/** The simulated exchange. */
export const gate = exchange({
  id: venue,
  hosts: ['api.gateio.ws', 'fx-api.gateio.ws', 'fx-ws.gateio.ws'],
  lists: without(10, 8),
  sorts: {
    spot: '{base}_{quote}',
    leveraged: '{base}3L_USDT other=spot decimals=4',
    usdt: '{base}_{quote} worth=10,BTC:0.0001',
    scaled: {
      ...sortOf('{base}_{quote} group=usdt'),
      scale: () => 1000,
      contract: ({ price }) => 10 ** Math.round(Math.log10(10 / price)) / 1000,
    },
    btc: '{base}_{quote} inverse decimals=1',
    usd1: '{base}_{quote} worth=10,BTC:0.0001',
  },
  lines: `
    leveraged USDT 0.001 0..2 basis
    spot USDT 0.04
    spot USDC 0.003 0..6
    spot BTC 0.001 1..8>0.1
    spot USDT 0.02 USDC
    spot BUSD 0 2..4 halted
    usdt USDT 0.1 dear halted@9
    usdt USDT 0.1 last preopen
    scaled USDT 0.1 cheap
    usdt USDT 0.1 equities
    btc USD 0.005 0..1
    usd1 USD1 0.001 0..3
    usd1 USD1 0.001 equities
    usdt USDT 0.0025 0..2 dated`,
  which: {
    cheap: (coins) => coins.filter(isCheap),
    dear: (coins) => coins.filter((coin) => !isCheap(coin)).slice(0, -2),
    last: (coins) => coins.filter((coin) => !isCheap(coin)).slice(-1),
  },
  more: {
    basis: (_, { asset }) => ({ basis: 2.5 / asset.price - 1 }),
    dated: dated(date('_20'), 'delivery'),
  },
  refusals: refusalsOf(
    (label: string, message) => ({ label, message }),
    [429, 'TOO_MANY_REQUESTS', 'Request Rate Limit Exceeded'],
    [403, 'FORBIDDEN', 'forbidden'],
    [503, 'SERVER_ERROR', 'Internal server error'],
  ),
  routes: under('/api/v4/', {
    'spot/currency_pairs': all(pair, 'spot'),
    'spot/tickers': all(spotTicker, 'spot', isLive),
    'spot/order_book': orderBook('spot'),
    'spot/candlesticks': candles('spot'),
    'unified/history_loan_rate': loanRates,
    ...futures('usdt'),
    ...futures('btc'),
    ...futures('usd1'),
    'delivery/usdt/contracts': all(delivery, 'delivery'),
    ...under('delivery/usdt/', prices('delivery')),
  }),
  /** A subscription is acknowledged on its channel, under its id; a ping is answered. */
  reply({ id, channel, event = 'subscribe' }) {
    if (channel === undefined) return [];
    const pong = { channel: text(channel).replace('ping', 'pong'), event: '', result: null };
    const isPing = text(channel).endsWith('.ping');
    return [isPing ? pong : { id, channel, event, result: { status: 'success' } }];
  },
  topics({ channel, event, payload }) {
    const topics = textsOf(payload).map((one) => `${channel} ${one}`);
    return ordered(event, subscribing, topics);
  },
  group: (_, { path }) => path.split('/').at(-1) ?? null,
  channels: {
    'spot.tickers {id}': ticker(
      (market, at) => update(at.now, 'spot.tickers', spotTicker(market, at)),
      { group },
    ),
    /** Lists without quotes. */
    'futures.tickers {id}': tickers((markets, at) => {
      const result = markets.map((market) => {
        const { highest_bid, lowest_ask, ...own } = contractTicker(market, at);
        return { ...own, price_type: 'last', change_from: '24h', t: at.now };
      });
      return [update(at.now, 'futures.tickers', result)];
    }),
    'futures.public_liquidates !all': liquidations((found, at) => [
      update(at.now, 'futures.public_liquidates', forcedRows(forced, found, at)),
    ]),
    'spot.obu ob.{id}.400': bookMessages(bookOn('spot.obu'), { group }),
    'futures.obu ob.{id}.400': bookMessages(bookOn('futures.obu')),
  },
});
