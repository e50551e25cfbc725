/** What a chart is told about the prices of a market: its step as the exchange lists it, or six digits of its price. */
import t from 'tap';
import type { Instrument } from '../../../../actors/topics/index.ts';
import { symbolRoute } from '../../../../http/routes/compat/udf/symbols.ts';
import type { Context } from '../../../../http/routes/compat/udf/tickers.ts';
import { FakeClock } from '../../../support/clock.ts';
import { instrument, now, priceRow, reading } from '../../../support/makers.ts';
import { listedMarkets } from '../../../support/market-names.ts';
import { rowReader } from '../../../support/row-reader.ts';

const swap = (symbol: string, more: Partial<Instrument> = {}): Instrument =>
  instrument({ market: `${symbol}-USDT-SWAP`, kind: 'perpetual', symbol, ...more });

const known = listedMarkets({
  okx: [
    swap('WIF', { tick: 0.0001 }),
    swap('BTC', { tick: 0.5 }),
    swap('PEPE', { tick: 1e-10, scale: 1_000 }),
    swap('YFI', { tick: 25 }),
    swap('SHIB'),
    swap('ETH'),
  ],
  bybit: [
    instrument({ market: 'HYPEUSDT', kind: 'perpetual', symbol: 'HYPE' }),
    instrument({ market: 'ETHUSDT', kind: 'perpetual', symbol: 'ETH' }),
  ],
});
known.prices.accept(
  reading(
    [
      priceRow({ market: 'SHIB-USDT-SWAP', kind: 'perpetual', symbol: 'SHIB', price: 0.0000123 }),
      priceRow({ market: 'ETH-USDT-SWAP', kind: 'perpetual', symbol: 'ETH', price: 2_500 }),
    ],
    { source: 'okx' },
  ),
  now,
);
const context = {
  ...known,
  registry: [],
  exchanges: { candles: ['okx', 'bybit'] },
  candleIntervals: new Map([['okx', ['1h']]]),
  referenceRates: new Set<string>(),
  clock: new FakeClock(),
} as unknown as Context;
const read = rowReader([symbolRoute(context)]);

t.test(
  'steps are those of the exchange, six digits of the price where it states none',
  async (t) => {
    for (const [symbol, minmov, pricescale] of [
      ['WIF', 1, 10_000],
      ['BTC', 5, 10],
      ['PEPE', 1, 1e10],
      ['YFI', 25, 1],
      ['SHIB', 1, 1e10],
      ['ETH', 1, 100],
    ] as const) {
      const found = await read(`/udf/symbols?symbol=okx:${symbol}-USDT-SWAP`);
      t.match(found, { minmov, pricescale }, symbol);
    }
  },
);

t.test('a name without an exchange is that of the first one that has it', async (t) => {
  const tickerOf = async (symbol: string) =>
    Object(await read(`/udf/symbols?symbol=${symbol}`)).ticker;
  t.equal(await tickerOf('HYPE/USDT:USDT'), 'bybit:HYPEUSDT:perpetual');
  t.equal(await tickerOf('ETHUSDT'), 'okx:ETH-USDT-SWAP:perpetual');
  t.equal(await tickerOf('bybit:ETH-USDT'), 'bybit:ETHUSDT:perpetual');
});
