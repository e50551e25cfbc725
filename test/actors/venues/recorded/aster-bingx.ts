/** Aster to BingX: what is recorded of each, and where ccxt reads it otherwise. */
import { listing, offline } from '../ccxt.ts';
import { pollOf } from '../fixtures.ts';
import {
  bars,
  book,
  contextOf,
  facts,
  handMade,
  instruments,
  perpetual,
  type RecordedVenue,
  refusal,
  rows,
} from './check.ts';
import { About } from './columns.ts';

export const aster: RecordedVenue = {
  // The recorded list holds the venue's test symbol only.
  load: (read) => {
    const [row] = read('exchange-info-symbols').symbols;
    return listing('aster', [
      row,
      { ...row, symbol: 'BTCUSDT', baseAsset: 'BTC', quoteAsset: 'USDT' },
    ]);
  },
  lists: { linear: 'exchange-info-symbols' },
  known: { linear: [perpetual('BTCUSDT', { symbol: 'BTC' })] },
  received: 1_750_146_971_000,
  checks: [
    // TEST… are the venue's own: they are not for trading.
    instruments('linear', 1, {
      but: (_, theirs) => ({ followed: !theirs.active, swap: undefined }),
    }),
    // The library takes the rounded 1.755 of the wire.
    rows('prices', 'linear', ['tickers-perp'], {
      at: '',
      but: { change: (107037.7 / 105192 - 1) * 100 },
    }),
    // The library joins no intervals; BTCUSDT is not in the recorded info.
    rows('derivatives', 'linear', ['premium-index', 'funding-info'], {
      at: '',
      but: { funding_hours: 8 },
    }),
    ...(
      [
        ['INJUSDT', 8, 0.0001],
        ['ZORAUSDT', 4, 0.0002],
      ] as const
    ).map(([symbol, hours, rate]) =>
      rows('derivatives', 'linear', [[{ symbol, lastFundingRate: '0.0001' }], 'funding-info'], {
        at: '',
        known: [perpetual(symbol)],
        but: { funding_hours: hours, funding_rate: 0.0001, funding_rate_8h: rate },
      }),
    ),
    book('linear', 'order-book', 'BTCUSDT', { stated: (body) => body.T }),
    bars('linear', 'candles', 'BTCUSDT', { at: '', turnover: [2434.19055334] }),
    refusal('linear', 'error-invalid-symbol', { code: 'unknown_instrument', status: 400 }),
  ],
};

const backpackMarket = (symbol: string, baseSymbol: string, marketType: string) => ({
  ...{ symbol, baseSymbol, quoteSymbol: 'USDC', marketType },
});
const backpackAll = 'BTC_USDC_PERP';

export const backpack: RecordedVenue = {
  // The recorded list holds neither of the recorded markets.
  load: (read) =>
    listing('backpack', [
      ...[...read('markets'), backpackMarket(backpackAll, 'BTC', 'PERP')],
      backpackMarket('AAVE_USDC', 'AAVE', 'SPOT'),
    ]),
  lists: { all: 'markets' },
  known: {
    all: [
      perpetual(backpackAll, { symbol: 'BTC', quote: 'USDC', funding_hours: 1 }),
      handMade('AAVE_USDC', { symbol: 'AAVE', quote: 'USDC' }),
    ],
  },
  checks: [
    // A number of ms on spot, where it means nothing, and text on the perpetual.
    instruments('all', 2, { but: (_, { swap }) => ({ funding_hours: swap ? 8 : null }) }),
    // ccxt gives the venue's rounded -3.1279 %.
    rows('prices', 'all', ['tickers'], { at: '', but: { change: (317.14 / 327.38 - 1) * 100 } }),
    rows('prices', 'all', ['tickers'], {
      at: '',
      but: (_, { percentage }) => ({ change: new About(percentage, 5e-5) }),
    }),
    rows('derivatives', 'all', ['mark-prices'], { at: '' }),
    // ccxt calls the number a value; at 1,273.85214 USDC it would be a hundredth of a coin.
    rows('openInterest', 'all', ['open-interest', 'mark-prices'], {
      at: '',
      theirs: (exchange, native) =>
        exchange.parseOpenInterest(native, exchange.market(backpackAll)),
      but: (_, { openInterestValue }) => ({
        ...{ units: openInterestValue, value: 1273.85214 * 118343.51853741 },
      }),
    }),
    // Microseconds.
    book('all', 'order-book', backpackAll, { levels: 2, stated: 1753102447307 }),
    bars('all', 'candles', backpackAll, {
      at: '',
      symbol: 'BTC/USDC:USDC',
      turnover: [4106.558156],
    }),
    refusal('rest', 'error-invalid-symbol', 'unknown_instrument'),
    refusal('rest', 'error-bad-limit', null),
  ],
};

const cm = { quote: 'USD', contract: 10, inverse: true };

export const binance: RecordedVenue = {
  load: (read) =>
    listing(
      'binance',
      ['spot', 'perp', 'inverse'].flatMap((name) => read(`${name}-exchange-info`).symbols),
      // The library looks these up while it reads a market, and would ask for them.
      { crossMarginPairsData: [], isolatedMarginPairsData: [] },
    ),
  lists: {
    ...{
      spot: 'spot-exchange-info',
      linear: 'perp-exchange-info',
      inverse: 'inverse-exchange-info',
    },
  },
  checks: [
    instruments('spot', 2, { type: 'spot' }),
    instruments('linear', 2, { type: 'swap' }),
    instruments('inverse', 2, { type: 'swap' }),
    // The recorded spot markets quote in BTC, which we do not follow: taken as if in USDT.
    rows('prices', 'spot', ['spot-tickers'], {
      at: '',
      known: ['ETHBTC', 'LTCBTC', 'BNBBTC'].map((id) => handMade(id)),
    }),
    rows('prices', 'linear', ['perp-tickers'], { at: '', known: [perpetual('BCHUSDT')] }),
    // ccxt takes coins x average price, we contracts x their size.
    rows('prices', 'inverse', ['inverse-tickers'], {
      at: '',
      known: [perpetual('LINKUSD_PERP', cm)],
    }),
    facts('without those markets the rows are unknown or silent', (stage) => {
      const parse = (part: string, name: string) =>
        pollOf(stage.venue, 'prices', part)
          ?.parse([stage.read(name)], contextOf(stage, part))
          .dropped.map(({ key, code }) => `${key} ${code}`)
          .join();
      return [
        { spot: parse('spot', 'spot-tickers'), linear: parse('linear', 'perp-tickers') },
        { spot: 'BNBBTC unknown_instrument', linear: 'BCHUSDT unknown_instrument' },
      ];
    }),
    book('spot', 'spot-orderbook', 'BTCUSDT', { stated: null }),
    book('linear', 'perp-orderbook', 'BTCUSDT', { stated: ({ T }) => T }),
    // ccxt leaves contracts as they are: 100 USD each.
    book('inverse', 'inverse-orderbook', 'BTCUSD_PERP', {
      stated: ({ T }) => T,
      base: (quantity, price) => (quantity * 100) / price,
    }),
    bars('spot', 'spot-candles', 'BTCUSDT', { at: '', symbol: 'BTC/USDT' }),
    bars('linear', 'perp-candles', 'BTCUSDT', { at: '', symbol: 'BTC/USDT:USDT' }),
    bars('inverse', 'inverse-candles', 'BTCUSD_PERP', { at: '', symbol: 'BTC/USD:BTC' }),
    rows('derivatives', 'linear', ['perp-premium-index'], {
      at: '',
      known: ['EOSUSDT', 'SUSHIUSDT', 'BALUSDT'].map((id) => perpetual(id, { funding_hours: 8 })),
    }),
    // Dated: ccxt gives them a null rate, we leave them out.
    rows('derivatives', 'inverse', ['inverse-premium-index'], {
      native: ([body]) => body.filter((row: { symbol: string }) => row.symbol === 'FILUSD_PERP'),
      known: [
        perpetual('FILUSD_PERP', { ...cm, funding_hours: 8 }),
        handMade('LINKUSD_231229', { kind: 'other', quote: 'USD' }),
        handMade('DOTUSD_230929', { kind: 'other', quote: 'USD' }),
      ],
    }),
    // Hours between fundings; BTCUSDT and ETHUSDT are not among the recorded ones.
    rows(
      'instruments',
      'linear',
      [
        (read) => ({
          symbols: read('perp-funding-info').map(({ symbol }: { symbol: string }) => ({
            ...{
              symbol,
              status: 'TRADING',
              contractType: 'PERPETUAL',
              baseAsset: 'X',
              quoteAsset: 'USDT',
            },
          })),
        }),
        'perp-funding-info',
      ],
      { native: ([, info]) => info, theirs: () => null, but: () => ({}) },
    ),
    rows('instruments', 'linear', ['perp-exchange-info', 'perp-funding-info'], {
      at: 'symbols',
      but: { funding_hours: 8 },
    }),
    ...(['perp-open-interest', 'analytics-fapi-open-interest'] as const).map((name) =>
      rows('openInterest', 'linear', [[{ symbol: 'BTCUSDT', markPrice: '43750.5' }], name], {
        native: ([, body]) => [body],
        but: (_, { openInterestAmount: amount }) => ({ units: amount, value: amount * 43_750.5 }),
      }),
    ),
    // ccxt gives what is on the wire: contracts of 100 USD.
    ...(['inverse-open-interest', 'analytics-dapi-open-interest'] as const).map((name) =>
      rows('openInterest', 'inverse', [[{ symbol: 'BTCUSD_PERP', markPrice: '43750.5' }], name], {
        native: ([, body]) => [body],
        but: (_, { openInterestAmount: amount }) => ({
          ...{ units: (amount * 100) / 43_750.5, value: amount * 100 },
        }),
      }),
    ),
    refusal('spot', 'error-invalid-symbol', { code: 'unknown_instrument', status: 400 }),
  ],
};

const inverseCoin = (market: string, contract: number) =>
  perpetual(market, { quote: 'USD', inverse: true, contract });

export const bingx: RecordedVenue = {
  load: () => offline('bingx'),
  lists: { spot: 'spot-symbols', linear: 'perp-contracts', inverse: 'perp-inverse-contracts' },
  // The recorded rows are of other markets than the recorded lists.
  known: {
    spot: [handMade('BTC-USDT')],
    linear: [perpetual('SFP-USDT')],
    inverse: [inverseCoin('BTC-USD', 100), inverseCoin('SOL-USD', 10)],
  },
  checks: [
    rows('instruments', 'spot', ['spot-symbols'], { at: 'data.symbols' }),
    rows('instruments', 'linear', ['perp-contracts']),
    rows('instruments', 'inverse', ['perp-inverse-contracts']),
    // ccxt takes the percentage of the venue, which is rounded, and on spot of another day than the prices.
    ...(
      [
        ['spot', 'spot-tickers'],
        // Recorded with a symbol, which gives one object for the list.
        ['linear', (read) => ({ ...read('perp-tickers'), data: [read('perp-tickers').data] })],
        ['inverse', 'perp-inverse-tickers'],
      ] as [string, Parameters<typeof rows>[2][number]][]
    ).map(([part, body]) =>
      rows('prices', part, [body], {
        but: (wire) => ({
          change: (Number(wire.lastPrice) / Number(wire.openPrice) - 1) * 100,
          // What the venue calls quote volume, and ccxt too, is base; contracts x 10 USD are dollars.
          ...(part === 'inverse' && {
            ...{ volume: Number(wire.volume) * 10, base: Number(wire.quoteVolume) },
          }),
        }),
      }),
    ),
    // An older answer, without hours.
    rows('derivatives', 'linear', ['funding-current'], { but: { funding_hours: null } }),
    // A value; base at the mark price.
    rows('openInterest', 'linear', ['funding-current', 'open-interest'], {
      native: ([, body]) => [body.data],
      theirs: (exchange, native) => exchange.parseOpenInterest(native, { inverse: false }),
      but: { units: 3289641547.1 / 16884.5 },
    }),
    rows(
      'openInterest',
      'inverse',
      [{ code: 0, data: [{ symbol: 'BTC-USD', markPrice: '57000' }] }, 'open-interest-inverse'],
      {
        native: ([, body]) => body.data,
        theirs: (exchange, native) => exchange.parseOpenInterest(native, { inverse: true }),
        but: { value: 749.116 * 57000 },
      },
    ),
    book('spot', 'spot-orderbook', 'BTC-USDT', {
      at: 'data',
      stated: ({ data }) => data.T ?? data.ts,
    }),
    // The name of the recorded market is not known; its lots are 1000 coins, which ccxt leaves as they are.
    book('linear', 'perp-orderbook', 'BONK-USDT', {
      ...{
        at: 'data',
        stated: ({ data }) => data.T ?? data.ts,
        base: (quantity) => quantity * 1000,
      },
    }),
    // ccxt leaves contracts, of 100 USD each, as they are.
    book('inverse', 'perp-inverse-orderbook', 'BTC-USD', {
      ...{ at: 'data', stated: ({ data }) => data.T ?? data.ts },
      base: (quantity, price) => (quantity * 100) / price,
    }),
    bars('spot', 'spot-candles', 'BTC-USDT', {
      turnover: [64851.33, 123968.7, 8548.46],
      odd: true,
    }),
    bars('linear', 'perp-candles', 'BTC-USDT', { turnover: [null] }),
    refusal('rest', 'error', 'unknown_instrument'),
  ],
};
