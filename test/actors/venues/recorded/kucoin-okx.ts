/** KuCoin to OKX: what is recorded of each, and where ccxt reads it otherwise. */
import { byPath, listing, replayed } from '../ccxt.ts';
import {
  bars,
  book,
  facts,
  handMade,
  instruments,
  perpetual,
  type RecordedVenue,
  refusal,
  rows,
} from './check.ts';
import type { Loose } from './columns.ts';
import { About } from './columns.ts';

type Read = (name: string) => Loose;

const kucoinSpot = (symbol: string) => {
  const [baseCurrency, quoteCurrency] = symbol.split('-');
  return { symbol, baseCurrency, quoteCurrency, enableTrading: true };
};
const kucoinContracts = (read: Read) => {
  const [linear] = read('perp-contracts').data;
  const inverse = { symbol: 'XBTUSDM', quoteCurrency: 'USD', settleCurrency: 'XBT' };
  return { data: [linear, { ...linear, ...inverse, multiplier: -1, isInverse: true }] };
};
const kucoinHow = { but: (_: Loose, { spot }: Loose) => ({ funding_hours: spot ? null : 8 }) };
const usd = handMade('XBTUSDM', { quote: 'USD', contract: 1, inverse: true });
const kucoinReceived = 1_640_000_000_000;

export const kucoin: RecordedVenue = {
  // The recorded lists with the other recorded markets added.
  load: (read) =>
    replayed(
      'kucoin',
      byPath({
        symbols: {
          data: [...read('spot-symbols').data, kucoinSpot('BTC-USDT'), kucoinSpot('ETH-BTC')],
        },
        'market/allTickers': read('spot-tickers'),
        'contracts/active': kucoinContracts(read),
        '_{limit}': read('spot-orderbook'),
        depth20: read('perp-orderbook'),
      }),
    ),
  lists: { spot: 'spot-symbols', futures: kucoinContracts },
  received: kucoinReceived,
  checks: [
    instruments('spot', 2, kucoinHow),
    instruments('futures', 2, kucoinHow),
    rows('prices', 'spot', ['spot-tickers'], {
      at: 'data.ticker',
      known: [handMade('BTC-USDT')],
      theirs: async (exchange) => (await exchange.fetchTickers())['BTC/USDT'],
    }),
    // ccxt reads prices of contracts from another list, which has no turnover: it is in quote, the volume in base.
    rows('prices', 'futures', ['perp-contracts'], {
      theirs: () => null,
      but: {
        ...{ market: 'XBTUSDTM', price: 44493, volume: 2361994501.712677, stated: null },
        ...{ bid: null, ask: null, high: 44948, low: 38040, base: 56067.116 },
        change: new About(17.02, 0.02),
      },
    }),
    facts('turnover by price is the base volume', ({ read }) => {
      const [{ volumeOf24h, turnoverOf24h, lastTradePrice }] = read('perp-contracts').data;
      return [
        { base: turnoverOf24h / lastTradePrice },
        { base: new About(volumeOf24h, volumeOf24h / 10) },
      ];
    }),
    rows('derivatives', 'futures', ['perp-contracts'], {
      theirs: () => null,
      but: {
        ...{ mark: 44514.03, index: 44510.78, funding_rate: 0.0001, funding_hours: 8 },
        next_funding: Math.round((kucoinReceived + 21031525) / 60_000) * 60_000,
      },
    }),
    // ccxt reads rates from answers of their own: the same fraction, per the same 8 hours.
    facts('rates of the answers that ccxt reads', ({ exchange, read }) => {
      const rates = [read('funding-current').data, read('funding-current-bulk').data[0]].map(
        (row) => Object(exchange).parseFundingRate(row),
      );
      const [a, b] = rates;
      return [
        {
          a: a.interval,
          b: b.interval,
          small: rates.every((rate) => Math.abs(rate.fundingRate) < 0.001),
        },
        { a: '8h', b: '8h', small: true },
      ];
    }),
    // 5,191,275 x 0.001 BTC at the mark price.
    rows('openInterest', 'futures', ['perp-contracts'], {
      theirs: () => null,
      but: { units: 5191.275, value: 5191.275 * 44514.03 },
    }),
    // The bulk answer that ccxt reads counts the same contracts: of ETHUSDTM, as if of XBTUSDTM.
    rows(
      'openInterest',
      'futures',
      [
        (read) => ({
          data: [
            {
              ...read('perp-contracts').data[0],
              openInterest: read('open-interest-bulk').data[0].openInterest,
            },
          ],
        }),
      ],
      {
        theirs: (exchange, native) =>
          exchange.parseOpenInterest(native, exchange.market('BTC/USDT:USDT')),
        but: (_, { openInterestAmount }) => ({
          units: openInterestAmount * 0.001,
          stated: undefined,
        }),
      },
    ),
    // Read as linear with contracts of 1: ccxt leaves contracts as they are.
    book('spot', 'spot-orderbook', 'X', {
      ...{
        theirs: (exchange) => exchange.fetchOrderBook('BTC/USDT', 20),
        instrument: handMade('X'),
      },
    }),
    book('futures', 'perp-orderbook', 'X', {
      ...{
        theirs: (exchange) => exchange.fetchOrderBook('BTC/USD:BTC', 20),
        instrument: handMade('X'),
      },
    }),
    // Contracts of 1 USD.
    book('futures', 'perp-orderbook', 'XBTUSDM', {
      ...{ theirs: (exchange) => exchange.fetchOrderBook('BTC/USD:BTC', 20), instrument: usd },
      base: (contracts, price) => contracts / price,
    }),
    bars('spot', 'spot-candles', 'X', {
      turnover: [1.50060885172798, 2.494143499081, 0.4761861079404],
    }),
    bars('futures', 'perp-candles', 'X', { instrument: handMade('X', { contract: 0.001 }) }),
    refusal('spot', 'error', { code: 'refused', status: 400 }),
  ],
};

const details = {
  'order-book-details': 'order_book_details',
  'spot-order-book-details': 'spot_order_book_details',
};
const ether = 'ETH/USDC:USDC';

export const lighter: RecordedVenue = {
  // ccxt has no parser of one market: it reads the answer as a whole.
  load: (read) => {
    const lists = Object.entries(details).map(([name, key]) => [key, read(name)[key]]);
    return replayed(
      'lighter',
      byPath({ orderBookDetails: { code: 200, ...Object.fromEntries(lists) } }),
    );
  },
  lists: {
    all: (read) => ({
      ...read('order-book-details'),
      spot_order_book_details: read('spot-order-book-details').spot_order_book_details,
    }),
  },
  received: Date.UTC(2026, 4, 5, 1, 40),
  checks: [
    instruments('all', 2),
    ...Object.entries(details).map(([name, at]) => rows('prices', 'all', [name], { at })),
    // ccxt leaves it as it is; at the last price.
    rows('openInterest', 'all', ['order-book-details'], {
      at: 'order_book_details',
      theirs: (exchange, native) => exchange.parseTicker(native).info,
      but: (_, { open_interest }) => ({ units: open_interest, value: 27350.8981 * 2361.31 }),
    }),
    rows('derivatives', 'all', ['funding-rates'], {
      native: ([body]) => [{ rates: body.funding_rates }],
      theirs: (exchange, { rates }) => exchange.parseFundingRates(rates)[ether],
      but: (_, theirs) => ({
        ...{ funding_rate_8h: theirs?.fundingRate, next_funding: Date.UTC(2026, 4, 5, 2) },
        ...{ funding_hours: undefined, stated: undefined },
      }),
    }),
    book('all', 'order-book', '0', { keys: ['bids', 'asks', 'price', 'remaining_base_amount'] }),
    bars('all', 'candles', '0', { at: 'c', symbol: ether, turnover: [178530.793575] }),
  ],
};

const mexcSpot = (baseAsset: string) => ({
  ...{ symbol: `${baseAsset}USDT`, baseAsset, quoteAsset: 'USDT', status: '1' },
  isSpotTradingAllowed: true,
});
const ethereum = {
  ...{ symbol: 'ETH_USDT', baseCoin: 'ETH', quoteCoin: 'USDT', settleCoin: 'USDT' },
  ...{ contractSize: 0.01, state: 0, isHidden: false },
};
const mexcContracts = (read: Read) => ({
  ...{ success: true, code: 0 },
  data: [...read('perp-contracts').data, ethereum],
});
const lot = {
  instrument: handMade('X', { contract: 0.01 }),
  base: (quantity: number) => quantity * 0.01,
};

export const mexc: RecordedVenue = {
  // The recorded lists with the other recorded markets added.
  load: (read) =>
    replayed(
      'mexc',
      byPath({
        exchangeInfo: {
          symbols: [...read('spot-exchange-info').symbols, mexcSpot('BTC'), mexcSpot('ETH')],
        },
        detail: mexcContracts(read),
        'depth/{symbol}': read('perp-orderbook'),
        'kline/{symbol}': read('perp-candles'),
      }),
    ),
  lists: { spot: 'spot-exchange-info', contracts: mexcContracts },
  checks: [
    instruments('spot', 1),
    instruments('contracts', 2),
    // The recorded turnover is null, and stays so in ccxt: base times last.
    rows('prices', 'spot', ['spot-tickers'], {
      at: '',
      known: ['BTCUSDT', 'ETHUSDT'].map((id) => handMade(id)),
      but: (_, { baseVolume, last }) => ({ volume: baseVolume * last }),
    }),
    // ccxt takes contracts, of 0.01 ETH here, for the base.
    rows('prices', 'contracts', ['perp-tickers'], {
      but: (_, { baseVolume }) => ({ base: baseVolume * 0.01 }),
    }),
    // ccxt does not read open interest here: 5,832,946 contracts of 0.01 ETH at the fair price.
    rows('openInterest', 'contracts', ['perp-tickers'], {
      theirs: () => null,
      but: { units: 58329.46, value: 58329.46 * 3581.08 },
    }),
    rows('derivatives', 'contracts', ['perp-tickers', 'funding-current-bulk'], {
      native: ([, rates]) => [rates.data[1]],
      but: { market: 'ETH_USDT', mark: 3581.08, index: 3580.7852, stated: undefined },
    }),
    book('spot', 'spot-orderbook', 'X', { stated: null, levels: 2 }),
    // ccxt leaves contracts as they are.
    book('contracts', 'perp-orderbook', 'X', {
      ...lot,
      theirs: (exchange) => exchange.fetchOrderBook('ETH/USDT:USDT'),
    }),
    bars('spot', 'spot-candles', 'X', { at: '', turnover: [168387.3] }),
    bars('contracts', 'perp-candles', 'X', {
      ...lot,
      theirs: (exchange) => exchange.fetchOHLCV('ETH/USDT:USDT', '1m', 0),
      turnover: [60793.623, 12260.4885, 10983.1375],
    }),
    refusal('spot', 'error-spot', { code: 'refused', message: 'MEXC error -1128' }),
    refusal('spot', 'error-contract', { code: 'refused', message: 'MEXC error 123456' }),
  ],
};

const okxMarks = { code: '0', data: [{ instId: 'BTC-USDT-SWAP', markPx: '19000.5' }] };

export const okx: RecordedVenue = {
  load: (read) =>
    listing('okx', [
      ...read('spot-instruments').data,
      // Outside the recorded list, but with a recorded ticker.
      { instId: 'BCD-BTC', instType: 'SPOT', baseCcy: 'BCD', quoteCcy: 'BTC', state: 'live' },
      ...read('perp-instruments').data,
    ]),
  lists: { spot: 'spot-instruments', swap: 'perp-instruments' },
  checks: [
    instruments('spot', 3, { type: 'spot' }),
    instruments('swap', 3, { type: 'swap' }),
    // The recorded market quotes in BTC, which we do not follow: taken as if in USDT.
    rows('prices', 'spot', ['spot-tickers'], { known: [handMade('BCD-BTC')] }),
    // ccxt takes contracts for coins on swaps and gives no quote volume; 2222 is `volCcy24h` of both rows.
    rows('prices', 'swap', ['perp-tickers'], {
      known: [perpetual('LTC-USD-SWAP', { quote: 'USD', inverse: true, contract: 10 })],
      but: (_, { last }) => ({ volume: 2222 * last }),
    }),
    book('spot', 'spot-orderbook', 'ETH-BTC', {
      at: 'data.0',
      stated: ({ data }) => Number(data[0].ts),
    }),
    // ccxt leaves contracts as they are: 0.01 BTC each.
    book('swap', 'perp-orderbook', 'BTC-USDT-SWAP', {
      ...{
        at: 'data.0',
        base: (quantity) => quantity * 0.01,
        stated: ({ data }) => Number(data[0].ts),
      },
    }),
    // "0" beside a volume: the turnover was not filled in. Any spot market of the list reads the same.
    bars('spot', 'spot-candles', 'BTC-USDT', { symbol: 'BTC/USD', turnover: [null, null] }),
    // Contracts x 100 USD.
    bars('swap', 'perp-candles', 'BTC-USD-SWAP', {
      symbol: 'BTC/USD:BTC',
      turnover: [330_400, 256_500, 62_800],
    }),
    // ccxt reads no time of a funding rate, ours is that of the mark; and indices as tickers of the spot pair.
    rows('derivatives', 'swap', ['mark-price', 'funding-current', 'index-tickers'], {
      native: ([, rates]) => rates.data,
      but: { index: 43350, stated: undefined },
    }),
    rows('derivatives', 'swap', ['mark-price', 'funding-current', 'index-tickers'], {
      theirs: (exchange, native) => exchange.parseTicker(native),
      but: { index: 43350 },
    }),
    // ccxt leaves contracts as they are: 0.01 BTC each. The recording is older than `oiUsd`.
    ...['open-interest', 'analytics-swap-open-interest'].map((name) =>
      rows('openInterest', 'swap', [name, okxMarks], {
        but: (_, { openInterestAmount }) => ({
          ...{ units: openInterestAmount * 0.01, value: openInterestAmount * 0.01 * 19_000.5 },
        }),
      }),
    ),
    refusal('rest', 'error', 'refused'),
  ],
};
