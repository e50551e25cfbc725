import type { Instrument } from '../../../../actors/topics/index.ts';
import { byPath, listing, offline, replayed } from '../ccxt.ts';
import {
  bars,
  book,
  handMade,
  instruments,
  perpetual,
  type RecordedVenue,
  refusal,
  rows,
} from './check.ts';
import type { Loose } from './columns.ts';

/** The international exchange and the older API are libraries of their own. */
const international = (): Promise<Loose> => offline('coinbaseinternational');

export const coinbase: RecordedVenue = {
  load: () => offline('coinbase'),
  lists: { spot: 'products' },
  known: { perpetual: [perpetual('ETH-PERP', { quote: 'USDC' })] },
  checks: [
    rows('instruments', 'spot', ['products'], {
      at: 'products',
      theirs: (_, wire) => ({
        base: wire.base_currency_id,
        quote: wire.quote_currency_id,
        active: true,
        spot: true,
      }),
      but: ({ product_id }) => ({ market: product_id, swap: false }),
    }),
    // ccxt lists BTC-USDC beside BTC-USD, whose volume it repeats.
    rows('prices', 'spot', ['products'], {
      native: ([body]) => body.products.filter((row: { alias: string }) => row.alias === ''),
    }),
    rows('instruments', 'perpetual', ['intx-instruments'], {
      at: '',
      theirs: async (_, wire) => (await international()).parseMarket(wire),
      but: (_, { id }) => ({ market: id }),
    }),
    // ccxt reads the mark, the index and the time only; the rates are per hour.
    rows('prices', 'perpetual', ['intx-instruments'], {
      at: '',
      theirs: async (_, wire) => (await international()).parseTicker(wire.quote),
      but: { price: 2490.39, volume: 110943454.279785, base: 44434.8131, change: undefined },
    }),
    rows('derivatives', 'perpetual', ['intx-instruments'], {
      at: '',
      theirs: async (_, wire) => (await international()).parseTicker(wire.quote),
      but: { funding_rate: 0.000009, funding_rate_8h: 0.000072 },
    }),
    rows('openInterest', 'perpetual', ['intx-instruments'], {
      ...{ at: '', theirs: () => null, but: { units: 1270.749, value: 1270.749 * 2490.8 } },
    }),
    book('spot', 'product-book', 'BTC-USD', {
      ...{ at: 'pricebook', keys: ['bids', 'asks', 'price', 'size'] },
      stated: ({ pricebook }) => Date.parse(pricebook.time),
    }),
    bars('spot', 'exchange-candles', 'ETH-BTC', {
      theirs: async (_, body) => (await offline('coinbaseexchange')).parseOHLCVs(body),
    }),
    bars('perpetual', 'intx-candles', 'BTC-PERP', {
      theirs: async (_, body) => (await international()).parseOHLCVs(body.aggregations),
    }),
    refusal('international', 'intx-error', { code: 'refused', status: 400 }),
  ],
};

/** The markets of the other recordings, which the recorded list lacks. */
const cryptocomMore: readonly Instrument[] = [
  perpetual('AVAXUSD-PERP', { symbol: 'AVAX', quote: 'USD' }),
  perpetual('BTCUSD-PERP', { symbol: 'BTC', quote: 'USD' }),
  handMade('BTC_USD', { symbol: 'BTC', quote: 'USD' }),
];
const cryptocomList = (read: (name: string) => Loose) => {
  const body = read('instruments');
  const more = cryptocomMore.map(({ market, kind, symbol, quote }) => ({
    symbol: market,
    inst_type: kind === 'spot' ? 'CCY_PAIR' : 'PERPETUAL_SWAP',
    ...{ base_ccy: symbol, quote_ccy: quote, tradable: true, contract_size: '1' },
  }));
  return { ...body, result: { ...body.result, data: [...body.result.data, ...more] } };
};

export const cryptocom: RecordedVenue = {
  load: (read) =>
    replayed(
      'cryptocom',
      byPath({ 'get-instruments': cryptocomList(read), 'get-tickers': read('tickers') }),
    ),
  lists: { all: cryptocomList },
  known: { all: cryptocomMore },
  received: 1_687_892_400_000,
  checks: [
    // Dated futures and warrants are not followed.
    instruments('all', 7, {
      but: (_, { spot, swap, contractSize }) => ({
        ...{ followed: spot || swap, contract: swap ? contractSize : undefined },
      }),
    }),
    // ccxt takes the fraction for percent.
    rows('prices', 'all', ['tickers'], {
      at: 'result.data',
      but: (_, { percentage }) => ({ change: percentage * 100 }),
    }),
    rows('openInterest', 'all', ['tickers'], {
      ...{
        at: 'result.data',
        theirs: () => null,
        but: { units: 10_888.9, value: 10_888.9 * 13.209 },
      },
    }),
    // ccxt asks for the estimate of the next hours, we for the rate of these; the answers have one form.
    rows('derivatives', 'all', ['funding-current'], {
      at: 'result.data',
      but: ({ v, t }) => ({
        ...{ funding_rate: Number(v), stated: t, funding_rate_8h: -0.000001884 * 8 },
        ...{ funding_hours: undefined, next_funding: undefined },
      }),
    }),
    book('all', 'order-book', 'BTC_USD', {
      ...{ at: 'result.data.0', levels: 3, stated: ({ result }) => result.data[0].t },
    }),
    bars('all', 'candles', 'BTC_USD', { at: 'result.data' }),
    refusal('rest', 'error-invalid-instrument', 'unknown_instrument'),
    refusal('rest', 'error-unknown-path', null),
  ],
};

const bitcoin = 'BTC/USD:BTC';

export const deribit: RecordedVenue = {
  load: (read) =>
    replayed(
      'deribit',
      byPath({
        get_instruments: read('instruments'),
        get_book_summary_by_instrument: read('book-summary-perpetual'),
        get_tradingview_chart_data: read('candles'),
      }),
    ),
  lists: { inverse: 'instruments' },
  checks: [
    // Options are not followed, dated futures apart (`futures.test.ts`). ccxt takes `contract_size` for a multiplier; amounts are dollars.
    instruments('inverse', 3, {
      but: (_, { swap, inverse }) => ({
        ...{ followed: swap, contract: swap ? 1 : undefined, inverse: swap ? inverse : undefined },
      }),
    }),
    // ccxt leaves price_change unread.
    rows('prices', 'inverse', ['book-summary-perpetual'], {
      at: 'result',
      but: { change: -3.2032 },
    }),
    // ccxt reads funding from another endpoint; these are the fields of the body.
    rows('derivatives', 'inverse', ['book-summary-perpetual'], {
      at: 'result',
      theirs: (exchange, native) => exchange.parseTicker(native),
      but: { funding_rate: 1.2966e-4, funding_rate_8h: 1.2966e-4, index: 87047.2 },
    }),
    // ccxt gives no base amount.
    rows('openInterest', 'inverse', ['book-summary-perpetual'], {
      at: 'result',
      theirs: (exchange) => exchange.fetchOpenInterest(bitcoin),
      but: { units: 9_978_911_260 / 87_102.01 },
    }),
    // ccxt leaves dollars as they are.
    book('inverse', 'order-book', 'BTC-PERPETUAL', {
      ...{ at: 'result', base: (dollars, price) => dollars / price },
      stated: ({ result }) => result.timestamp,
    }),
    bars('inverse', 'candles', 'BTC-PERPETUAL', {
      theirs: (exchange) => exchange.fetchOHLCV(bitcoin, '1m'),
      turnover: [257_490, 250_000, 20_200, 8_370, 8_910],
    }),
    refusal('rest', 'error-invalid-params', { code: 'refused', message: 'Deribit error -32602' }),
  ],
};

/** A map of markets by id. */
const dydxRows = { native: ([body]: readonly Loose[]) => Object.values<Loose>(body.markets) };

export const dydx: RecordedVenue = {
  load: (read) => listing('dydx', Object.values(read('perpetual-markets').markets)),
  lists: { perp: 'perpetual-markets' },
  received: 1_765_210_316_125,
  checks: [
    // The contract is quoted in USD; the library names the currency that it is settled in.
    instruments('perp', 3, { but: { quote: 'USD' } }),
    // The library reads none of these.
    rows('prices', 'perp', ['perpetual-markets'], {
      ...{ ...dydxRows, theirs: () => null },
      but: ({ oraclePrice, volume24H, priceChange24H }) => ({
        ...{ price: Number(oraclePrice), volume: Number(volume24H) },
        change: (Number(priceChange24H) / (Number(oraclePrice) - Number(priceChange24H))) * 100,
      }),
    }),
    // The library's rule for its own next time: the next full hour.
    rows('derivatives', 'perp', ['perpetual-markets'], {
      ...{ ...dydxRows, theirs: () => null },
      but: ({ oraclePrice, nextFundingRate }) => ({
        ...{ mark: Number(oraclePrice), funding_rate: Number(nextFundingRate) },
        ...{ funding_rate_8h: Number(nextFundingRate) * 8, next_funding: 1_765_213_200_000 },
      }),
    }),
    rows('openInterest', 'perp', ['perpetual-markets'], {
      ...{ ...dydxRows, theirs: () => null },
      but: ({ openInterest, oraclePrice }) => ({
        ...{ units: Number(openInterest), value: Number(openInterest) * Number(oraclePrice) },
      }),
    }),
    book('perp', 'order-book', 'BTC-USD', { keys: ['bids', 'asks', 'price', 'size'], levels: 5 }),
    bars('perp', 'candles', 'BTC-USD', {
      at: 'candles',
      turnover: [109940.752, 351009.0795, 294697.4391],
    }),
  ],
};

/** BTC_USDT, and 0G_USDT with the keys of today. */
const gateContracts = (read: (name: string) => Loose) =>
  ['perp-contracts-funding', 'perp-contracts'].flatMap((name) => read(name));
const gateKeys = ['bids', 'asks', 'p', 's'];

export const gate: RecordedVenue = {
  load: (read) =>
    replayed('gate', (path, { settle }) => {
      if (path === 'currency_pairs') return read('spot-pairs');
      return path === '{settle}/contracts' && settle === 'usdt' ? gateContracts(read) : [];
    }),
  lists: { spot: 'spot-pairs', usdt: gateContracts },
  checks: [
    instruments('spot', 3, { type: 'spot', delimiter: '_', but: { funding_hours: null } }),
    instruments('usdt', 2, { type: 'contract', delimiter: '_', but: { funding_hours: 8 } }),
    // A leveraged token, which we do not follow: taken as if it were a coin. No row has a time.
    rows('prices', 'spot', ['spot-tickers'], {
      at: '',
      known: [handMade('BTC3L_USDT')],
      but: { stated: null },
    }),
    rows('prices', 'usdt', ['perp-tickers'], { at: '', but: { stated: null } }),
    rows('derivatives', 'usdt', [gateContracts, []], { at: '' }),
    // ccxt reads the history, where open_interest counts both sides in contracts.
    rows('openInterest', 'usdt', [gateContracts, []], {
      ...{ at: '', theirs: () => null },
      but: (_, __, market) =>
        market === 'BTC_USDT'
          ? { units: 5223816 * 0.0001, value: 5223816 * 0.0001 * 37985.6 }
          : { units: 783779, value: 783779 * 0.2048 },
    }),
    book('spot', 'spot-orderbook', 'BTC_USDT', { stated: ({ update }) => update }),
    // ccxt leaves contracts as they are: 0.0001 BTC each.
    book('usdt', 'perp-orderbook', 'BTC_USDT', {
      ...{
        keys: gateKeys,
        base: (quantity) => quantity * 0.0001,
        stated: ({ update }) => update * 1000,
      },
    }),
    bars('spot', 'spot-candles', 'BTC_USDT', {
      at: '',
      symbol: 'BTC/USDT',
      turnover: [1157762.868212],
    }),
    bars('usdt', 'perp-candles', 'BTC_USDT', {
      ...{
        at: '',
        symbol: 'BTC/USDT:USDT',
        turnover: [3580],
        odd: true,
        base: (quantity) => quantity * 0.0001,
      },
    }),
    refusal('spot', 'error', 'refused'),
  ],
};
