import t from 'tap';
import { deribit } from '../../../../actors/venues/deribit/index.ts';
import {
  askFor,
  derivativesOf,
  fixture,
  instrumentOf,
  openInterestOf,
  pricesOf,
} from '../fixtures.ts';
import { rounded } from '../stream-suite.ts';

const { orderBook, candles } = deribit.queries;
const stated = 1_750_000_000_321;

t.test('instruments', async (t) => {
  t.strictSame(instrumentOf(deribit, 'spot', 'BTC_USDC'), {
    market: 'BTC_USDC',
    kind: 'spot',
    symbol: 'BTC',
    quote: 'USDC',
    scale: 1,
    contract: 1,
    inverse: false,
    funding_hours: null,
  });
  t.strictSame(instrumentOf(deribit, 'linear', '1000PEPE_USDC-PERPETUAL'), {
    market: '1000PEPE_USDC-PERPETUAL',
    kind: 'perpetual',
    symbol: 'PEPE',
    quote: 'USDC',
    scale: 1000,
    contract: 1,
    inverse: false,
    funding_hours: null,
  });
  t.strictSame(instrumentOf(deribit, 'inverse', 'BTC-PERPETUAL'), {
    market: 'BTC-PERPETUAL',
    kind: 'perpetual',
    symbol: 'BTC',
    quote: 'USD',
    scale: 1,
    contract: 1, // amounts are dollars: the 10 of contract_size are only their step
    inverse: true,
    funding_hours: null,
  });
});

t.test('prices', async (t) => {
  t.strictSame(rounded(pricesOf(deribit, 'spot').rows), [
    {
      market: 'BTC_USDC', // given in two bodies, counted once
      kind: 'spot',
      symbol: 'BTC',
      quote: 'USDC',
      price: 100_000,
      bid: 99_998,
      ask: 100_001,
      high: 101_040.5,
      low: 96_502.5,
      base: 2.5,
      volume: 250_000, // no turnover: 2.5 x 100,000
      change: 2.51,
      stated,
    },
    {
      market: 'ETH_USDT',
      kind: 'spot',
      symbol: 'ETH',
      quote: 'USDT',
      price: 2500,
      bid: 2499.947,
      ask: 2500.043,
      high: 2578,
      low: 2392.75,
      base: 4,
      volume: 9943, // volume_usd, without a volume_notional
      change: 3.14,
      stated,
    },
  ]);
  t.strictSame(rounded(pricesOf(deribit, 'linear').rows[1]), {
    market: '1000PEPE_USDC-PERPETUAL',
    kind: 'perpetual',
    symbol: 'PEPE',
    quote: 'USDC',
    price: 0.0000125, // 0.0125 for a thousand
    bid: 0.00001249,
    ask: 0.00001252,
    high: 0.0000129,
    low: 0.0000121,
    base: 5_000_000_000, // 5,000,000 x 1000
    volume: 62_400, // volume_notional, not the 62,406 of volume_usd
    change: -1.25,
    stated,
  });
  const [btc, eth] = pricesOf(deribit, 'inverse').rows;
  t.strictSame(btc, {
    market: 'BTC-PERPETUAL',
    kind: 'perpetual',
    symbol: 'BTC',
    quote: 'USD',
    price: 100_000,
    bid: 99_998,
    ask: 100_001,
    high: 101_040.5,
    low: 96_502.5,
    base: 500.5,
    volume: 49_500_000,
    change: 3.4,
    stated,
  });
  t.match(eth, { volume: 2_000_400, change: null }, 'volume_usd where volume_notional is null');
});

t.test('funding accrues: the rate is per 8 hours and has no next time', async (t) => {
  const { rows, dropped } = derivativesOf(deribit, 'linear');
  t.strictSame(dropped, []);
  t.strictSame(rounded(rows[1]), {
    market: '1000PEPE_USDC-PERPETUAL',
    symbol: 'PEPE',
    quote: 'USDC',
    mark: 0.0000126, // 0.0126 for a thousand
    index: 0.00001255,
    funding_rate: 0.00013,
    funding_hours: 8,
    funding_rate_8h: 0.00013,
    next_funding: null,
    stated,
  });
  t.equal(rows.length, 3, 'a market without a last price has a mark');
  t.match(derivativesOf(deribit, 'inverse').rows, [
    { market: 'BTC-PERPETUAL', mark: 100_010, index: 100_020, funding_rate: 0.00012 },
    { market: 'ETH-PERPETUAL', mark: 2500.25, index: 2501, funding_rate: -0.00003 },
  ]);
});

t.test('open interest: base times mark, dollars on inverse contracts', async (t) => {
  const [btc, pepe] = openInterestOf(deribit, 'linear').rows;
  t.strictSame(btc, {
    market: 'BTC_USDC-PERPETUAL',
    symbol: 'BTC',
    quote: 'USDC',
    units: 12.5,
    value: 1_250_125, // x 100,010
    mark: 100_010,
    stated,
  });
  t.match(rounded(pepe), {
    units: 2_000_000_000, // 2,000,000 x 1000
    value: 25_200, // 2,000,000 x 0.0126
    mark: 0.0000126,
  });
  t.strictSame(openInterestOf(deribit, 'inverse').rows, [
    {
      market: 'BTC-PERPETUAL',
      symbol: 'BTC',
      quote: 'USD',
      units: 10_000, // 1,000,100,000 USD / 100,010
      value: 1_000_100_000,
      mark: 100_010,
      stated,
    },
    {
      market: 'ETH-PERPETUAL',
      symbol: 'ETH',
      quote: 'USD',
      units: 2000, // 5,000,500 USD / 2,500.25
      value: 5_000_500,
      mark: 2500.25,
      stated,
    },
  ]);
});

t.test('order books', async (t) => {
  const book = (part: string, market: string) =>
    orderBook.parse(fixture(deribit, `${part}-order-book`), askFor(deribit, part, market));
  t.strictSame(book('spot', 'BTC_USDC'), {
    bids: [
      { price: 100_000, quantity: 0.5 },
      { price: 99_999.5, quantity: 2 },
    ],
    asks: [
      { price: 100_000.5, quantity: 0.25 },
      { price: 100_001, quantity: 3 },
    ],
    stated: 1_750_000_000_340,
  });
  t.strictSame(book('inverse', 'BTC-PERPETUAL'), {
    bids: [
      { price: 100_000, quantity: 1.25 }, // 125,000 USD / 100,000
      { price: 99_999, quantity: 3 },
    ],
    asks: [{ price: 100_001, quantity: 2 }], // an empty level is none
    stated: 1_750_000_000_340,
  });
});

t.test('1000PEPE: price over 1000, quantity times 1000', async (t) => {
  const ask = askFor(deribit, 'linear', '1000PEPE_USDC-PERPETUAL');
  for (const known of [ask, { ...ask, instrument: null }]) {
    const book = orderBook.parse(fixture(deribit, 'linear-order-book'), known);
    t.match(rounded(book), {
      bids: [{ price: 0.0000125, quantity: 4_000_000 }],
      asks: [{ price: 0.0000126, quantity: 2_000_000 }],
    });
    const [bar] = candles.parse(fixture(deribit, 'linear-candles'), known);
    t.strictSame(rounded(bar), {
      timestamp: 1_749_996_000_000,
      open: 0.0000124,
      high: 0.0000127,
      low: 0.0000123,
      close: 0.0000125,
      volume: 1_000_000_000,
      turnover: 12_460,
    });
  }
});

t.test('candles: volume is base and cost quote, on inverse contracts too', async (t) => {
  const ask = askFor(deribit, 'inverse', 'BTC-PERPETUAL');
  t.strictSame(candles.parse(fixture(deribit, 'inverse-candles'), ask), [
    {
      timestamp: 1_749_996_000_000,
      open: 99_000,
      high: 100_500,
      low: 98_000,
      close: 100_000,
      volume: 20.1,
      turnover: 2_000_400,
    }, // the other has no close
  ]);
});
