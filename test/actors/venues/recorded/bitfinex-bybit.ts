/** Bitfinex to Bybit: what is recorded of each, and where ccxt reads it otherwise. */
import { byPath, replayed } from '../ccxt.ts';
import {
  bars,
  book,
  handMade,
  instruments,
  perpetual,
  type RecordedVenue,
  refusal,
  rows,
  valueAt,
} from './check.ts';
import { About } from './columns.ts';

/** The recorded lists, and the pairs of the other recordings. */
const bitfinexLists = (read: (name: string) => unknown) => [
  [...valueAt(read('pairs-spot'), '0'), ['BTCUSD', []]],
  [...valueAt(read('pairs-futures'), '0'), ['BTCF0:USTF0', []]],
];
const contract = 'BTC/USDT:USDT';

export const bitfinex: RecordedVenue = {
  load: (read) =>
    replayed(
      'bitfinex',
      byPath({
        'conf/{config}': bitfinexLists(read),
        tickers: read('tickers'),
        'status/deriv': read('deriv-status'),
        'book/{symbol}/{precision}': read('orderbook'),
        'candles/trade:{timeframe}:{symbol}/hist': read('candles'),
      }),
    ),
  lists: {
    all: (read) => [
      ...bitfinexLists(read),
      [
        ['UST', 'USDt'],
        ['ALG', 'ALGO'],
      ],
      [],
    ],
  },
  checks: [
    instruments('all', 8, {
      // ccxt looks `ALGF0` up in its names, before it takes the F0 off.
      but: (_, { base, spot, swap }) => ({
        symbol: base === 'ALG' ? 'ALGO' : base,
        followed: spot || swap,
        // Five significant digits, so that the step depends on the price.
        step: undefined,
      }),
    }),
    // ccxt gives no quote volume; ours is this, for want of one on the wire.
    rows('prices', 'all', ['tickers'], {
      at: '',
      theirs: async (exchange) => (await exchange.fetchTickers())['BTC/USD'],
      but: (_, { baseVolume, last }) => ({ volume: baseVolume * last }),
    }),
    // ccxt takes the mid price of the contract itself (column 3) for its index; column 4 is the spot price.
    rows('derivatives', 'all', ['deriv-status'], {
      at: '',
      theirs: async (exchange) => (await exchange.fetchFundingRates([contract]))[contract],
      but: (_, { nextFundingTimestamp }) => ({
        ...{ index: 29_277.5, next_funding: nextFundingTimestamp },
        funding_hours: undefined,
      }),
    }),
    // ccxt gives no value.
    rows('openInterest', 'all', ['deriv-status'], {
      at: '',
      theirs: (exchange) => exchange.fetchOpenInterest(contract),
      but: { value: 9636.07644994 * 29_278.8925, stated: undefined },
    }),
    book('all', 'orderbook', 'tBTCUSD', {
      ...{ levels: 0, stated: null },
      theirs: (exchange) => exchange.fetchOrderBook('BTC/USD', 25, { precision: 'P0' }),
    }),
    bars('all', 'candles', 'tBTCUSD', {
      theirs: (exchange) => exchange.fetchOHLCV('BTC/USD', '1m'),
    }),
    refusal('rest', 'error-ratelimit', 'rate_limited'),
  ],
};

const usdtFutures = 'usdt-futures';
const bitgetBars = (part: string, name: string, symbol: string, turnover: number[]) =>
  bars(part, name, 'BTCUSDT', { symbol, turnover });
const bitgetCoins = [
  perpetual('BTCUSD', { symbol: 'BTC', quote: 'USD' }),
  handMade('ETHUSD_231229', { kind: 'other', quote: 'USD' }),
];

export const bitget: RecordedVenue = {
  load: (read) =>
    replayed('bitget', (path, { productType }) => {
      if (path === 'v2/spot/public/symbols') return read('spot-symbols');
      const linear = path === 'v2/mix/market/contracts' && productType === 'USDT-FUTURES';
      return linear ? read('perp-contracts') : { data: [] };
    }),
  lists: { spot: 'spot-symbols', [usdtFutures]: 'perp-contracts' },
  // There is no recorded list of coin-margined contracts.
  known: { 'coin-futures': bitgetCoins },
  checks: [
    instruments('spot', 1, {
      theirs: (exchange) => exchange.market('BTC/USDT'),
      but: { market: 'BTCUSDT', funding_hours: null },
    }),
    instruments(usdtFutures, 1, {
      theirs: (exchange) => exchange.market(contract),
      but: { market: 'BTCUSDT', funding_hours: 8 },
    }),
    rows('prices', 'spot', ['spot-tickers']),
    rows('prices', usdtFutures, ['perp-tickers']),
    // It had not traded: its change is stated as 0, which ccxt leaves out beside an open of 0. One is dated.
    rows('prices', 'coin-futures', ['perp-coin-tickers'], {
      native: ([body]) => body.data.slice(0, 1),
      but: { change: 0 },
    }),
    rows('derivatives', usdtFutures, ['perp-tickers', 'funding-current'], {
      theirs: (exchange, native) => exchange.parseTicker(native),
      but: { stated: undefined },
    }),
    rows('derivatives', usdtFutures, ['perp-tickers', 'funding-current'], {
      native: ([, rates]) => rates.data,
    }),
    // ccxt reads another endpoint, recorded on another day. The inverse row has no mark price: the last one then.
    rows('openInterest', usdtFutures, ['perp-tickers'], {
      theirs: () => null,
      but: { units: 7452.6421, value: 7452.6421 * 104824.2 },
    }),
    rows('openInterest', 'coin-futures', ['perp-coin-tickers'], {
      native: ([body]) => body.data.slice(0, 1),
      theirs: () => null,
      but: { units: 125.6844, value: 125.6844 * 29904.5 },
    }),
    book('spot', 'spot-orderbook', 'BTCUSDT', {
      at: 'data',
      stated: ({ data }) => Number(data.ts),
    }),
    book(usdtFutures, 'perp-orderbook', 'BTCUSDT', {
      at: 'data',
      stated: ({ data }) => Number(data.ts),
    }),
    bitgetBars('spot', 'spot-candles', 'BTC/USDT', [16198849.1079, 16198849.1079]),
    bitgetBars(usdtFutures, 'perp-candles', contract, [687897.63, 470618.72]),
    refusal('rest', 'error', 'refused'),
  ],
};

export const bitstamp: RecordedVenue = {
  load: (read) => replayed('bitstamp', byPath({ 'markets/': read('markets') })),
  lists: { markets: 'markets' },
  known: { markets: [handMade('daiusd', { symbol: 'DAI', quote: 'USD' })] },
  checks: [
    // ccxt has no contract size; the recorded one is "1.00000000".
    instruments('markets', 2, {
      but: (_, { spot, active }) => ({ swap: !spot, followed: active, contract: 1 }),
    }),
    // ccxt takes the change since the UTC midnight; the venue rounds that of 24 h to 0.01 %.
    rows('prices', 'markets', ['tickers'], {
      at: '',
      but: ({ percent_change_24: change }) => ({
        change: change === '' ? null : new About(Number(change), 0.005 + 1e-9),
      }),
    }),
    // ccxt looks for mark and index in the funding rate, where only the WebSocket has them.
    rows('derivatives', 'markets', ['tickers', 'funding-current'], {
      native: ([, rate]) => [rate],
      theirs: (exchange, native) =>
        exchange.parseFundingRate(native, exchange.market('btcusd-perp')),
      but: { mark: 84904.06679064, index: 84911.57133333334, funding_hours: undefined },
    }),
    // ccxt does not read it. The venue values the units at the mark price.
    rows('openInterest', 'markets', ['tickers'], {
      native: () => [{}],
      theirs: () => null,
      but: { market: 'btcusd-perp', units: 8.99503, value: 8.99503 * 84904.06679064 },
    }),
    book('markets', 'order-book', 'btcusd', {
      ...{ levels: 3, stated: ({ microtimestamp }) => Math.floor(Number(microtimestamp) / 1000) },
    }),
    bars('markets', 'candles', 'btcusd', { at: 'data.ohlc', symbol: 'BTC/USD' }),
    refusal('rest', 'error-not-found', 'unknown_instrument'),
  ],
};

const bybitLists = {
  ...{
    spot: 'spot-instruments',
    linear: 'perp-linear-instruments',
    inverse: 'perp-inverse-instruments',
  },
};
// The recording says 8 where the documentation has minutes: no interval rather than a wrong one.
const bybitInstruments = { at: 'result.list', but: { funding_hours: null, contract: 1 } };
const bybitKeys = ['b', 'a'];

export const bybit: RecordedVenue = {
  load: (read) =>
    replayed('bybit', (path, { category }) => {
      const name = Object.entries(bybitLists).find(([part]) => part === category)?.[1];
      if (!path.endsWith('instruments-info') || !name) return { result: { list: [] } };
      // The recorded lists are shortened by the category, which ccxt reads there.
      return { result: { category, list: read(name).result.list } };
    }),
  lists: bybitLists,
  checks: [
    instruments('spot', 2, { type: 'spot', ...bybitInstruments }),
    instruments('linear', 2, { type: 'contract', ...bybitInstruments }),
    instruments('inverse', 1, { type: 'contract', ...bybitInstruments }),
    // ccxt gives no time: the rows have none. The answer has.
    rows('prices', 'spot', ['spot-tickers'], { at: 'result.list', but: { stated: 1673859087947 } }),
    // ccxt takes an inverse contract's turnover for the quote; it is in the base, and its volume in the quote.
    rows('prices', 'inverse', ['perp-inverse-tickers'], {
      at: 'result.list',
      but: (_, { baseVolume, quoteVolume }) => ({
        ...{ volume: baseVolume, base: quoteVolume, stated: 1760352369814 },
      }),
    }),
    // ccxt reads the 8 of the instrument as minutes; the ticker says 8 h.
    rows('derivatives', 'inverse', ['perp-inverse-tickers'], {
      at: 'result.list',
      but: { funding_hours: 8, stated: undefined },
    }),
    // ccxt leaves both sides counted.
    rows('openInterest', 'inverse', ['perp-inverse-tickers'], {
      at: 'result.list',
      theirs: (exchange, native) =>
        exchange.parseOpenInterest(native, exchange.market('BTC/USD:BTC')),
      but: (_, { openInterestValue }) => ({
        value: openInterestValue / 2,
        units: 2089.79 / 2,
        stated: undefined,
      }),
    }),
    // ccxt gives the time of the answer, we that of the matching engine.
    book('spot', 'spot-orderbook', 'BTCUSDT', {
      at: 'result',
      keys: bybitKeys,
      stated: ({ result }) => result.cts,
    }),
    book('linear', 'perp-orderbook', 'BTCUSDT', {
      at: 'result',
      keys: bybitKeys,
      stated: ({ result }) => result.cts ?? result.ts,
    }),
    bars('linear', 'perp-linear-candles', 'BTCUSDT', {
      at: 'result.list',
      symbol: contract,
      turnover: [3_390_000],
    }),
    bars('inverse', 'perp-inverse-candles', 'BTCUSD', {
      ...{ at: 'result.list', symbol: 'BTC/USD:BTC', turnover: [6356, 4177, 268_611] },
    }),
    refusal('rest', 'error', 'unknown_instrument'),
  ],
};
