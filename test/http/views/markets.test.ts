/** Markets by the names that clients give them. */
import t from 'tap';
import type { Instrument, PriceRow } from '../../../actors/topics/index.ts';
import { assetAmong } from '../../../http/views/markets.ts';
import { unifiedName } from '../../../indicators/market/market-names.ts';
import { instrument, priceRow, reading } from '../../support/makers.ts';
import { listedMarkets } from '../../support/market-names.ts';

const row = (
  market: string,
  kind: Instrument['kind'],
  [symbol, quote]: readonly [string, string],
  more: Partial<Instrument> = {},
): Instrument => instrument({ market, kind, symbol, quote, ...more });

const { markets, prices, instruments } = listedMarkets({
  binance: [
    row('BTCUSDT', 'perpetual', ['BTC', 'USDT']),
    row('BTCUSDT', 'spot', ['BTC', 'USDT']),
    row('BTCUSD_PERP', 'perpetual', ['BTC', 'USD'], { inverse: true, contract: 100 }),
    row('BTCUSDT_250926', 'other', ['BTC', 'USDT']),
    row('ARBUSD', 'spot', ['ARB', 'USD']),
    row('ARBUSD2', 'spot', ['AR', 'BUSD']),
    row('1000PEPEUSDT', 'perpetual', ['PEPE', 'USDT'], { scale: 1000 }),
  ],
  okx: [
    row('BTC-USDT', 'spot', ['BTC', 'USDT']),
    row('BTC-USDC', 'spot', ['BTC', 'USDC']),
    row('BTC-USDT-SWAP', 'perpetual', ['BTC', 'USDT'], { contract: 0.01 }),
    row('ETH-USDT-SWAP', 'perpetual', ['ETH', 'USDT']),
  ],
  lighter: [row('7', 'perpetual', ['SOL', 'USD'], { name: 'SOL' })],
  kraken: [row('PF_XBTUSD', 'perpetual', ['BTC', 'USD'])],
});

const traded = (market: string, quote: string, volume: number): PriceRow =>
  priceRow({ market, quote, volume });
const tickers = [
  traded('BTC-USDT', 'USDT', 1),
  traded('BTC-USDC', 'USDC', 2),
  traded('BTC-TRY', 'TRY', 3),
];
prices.accept(reading(tickers, { source: 'okx', part: 'spot', received: 1 }), 1);

const kinds = 'perpetual';
const found = [
  ['binance', 'BTCUSDT', undefined, 'BTCUSDT spot'],
  ['binance', 'BTCUSDT', kinds, 'BTCUSDT perpetual'],
  ['binance', 'btcusdt', undefined, 'BTCUSDT spot'],
  ['binance', 'BTC/USDT', undefined, 'BTCUSDT spot'],
  ['binance', 'BTC/USDT:USDT', undefined, 'BTCUSDT perpetual'],
  ['binance', 'BTC/USD:BTC', undefined, 'BTCUSD_PERP perpetual'],
  ['binance', 'btc-usdt-perp', undefined, 'BTCUSDT perpetual'],
  ['binance', 'BTCUSDT_250926', undefined, 'BTCUSDT_250926 other'],
  ['binance', 'AR/BUSD', undefined, 'ARBUSD2 spot'],
  ['binance', 'ARB_USD', undefined, 'ARBUSD spot'],
  ['binance', 'PEPE', undefined, '1000PEPEUSDT perpetual'],
  ['binance', '1000pepeusdt', undefined, '1000PEPEUSDT perpetual'],
  // The spelling of other exchanges.
  ['binance', 'XBT', undefined, 'BTCUSDT spot'],
  ['binance', 'xbt', kinds, 'BTCUSDT perpetual'],
  ['okx', 'BTCUSDT', undefined, 'BTC-USDT spot'],
  ['okx', 'BTC_USDT', kinds, 'BTC-USDT-SWAP perpetual'],
  ['okx', 'BTC', undefined, 'BTC-USDC spot'],
  ['okx', 'BTC-PERP', undefined, 'BTC-USDT-SWAP perpetual'],
  ['okx', 'ETH', undefined, 'ETH-USDT-SWAP perpetual'],
  ['lighter', 'sol', undefined, '7 perpetual'],
  ['lighter', 'SOL/USD:USD', undefined, '7 perpetual'],
  ['kraken', 'BTC-USDT', kinds, null],
  ['okx', 'BTC/EUR', undefined, null],
  ['okx', 'BTC-PERP', 'spot', null],
  ['binance', 'BTC/USDT:BTC', undefined, null],
  ['nosuch', 'BTC', undefined, null],
] as const;
for (const [exchange, name, wanted, expected] of found) {
  const market = markets.find(exchange, name, wanted);
  const which = market && `${market.market} ${market.kind}`;
  t.equal(which, expected, `${name} on ${exchange} ${JSON.stringify(wanted ?? 'any')}`);
}

t.test('the market that stands for a name, on the first exchange that has one', async (t) => {
  const kind = 'perpetual';
  t.match(markets.resolve('BTC-USDT', { kind, exchanges: ['kraken'] }), { market: 'PF_XBTUSD' });
  const both = { kind, exchanges: ['lighter', 'binance'] } as const;
  t.match(markets.resolve('XBTUSDT', { kind, exchanges: ['kraken'] }), { market: 'PF_XBTUSD' });
  t.match(markets.resolve('sol', both), { market: '7' });
  t.match(markets.resolve('BTC/USDT', both), { market: 'BTCUSDT', kind });
  // Nothing is known of the first, and the second is.
  t.match(markets.resolve('BTC', { kind, exchanges: ['gate'] }), {
    error: 'warming_up',
    message: 'the markets of gate are not known yet',
  });
  t.match(markets.resolve('BTC', { kind, exchanges: ['gate', 'kraken'] }), { market: 'PF_XBTUSD' });
  t.same(markets.resolve('NONE', both), {
    error: 'unknown_symbol',
    message: "unknown symbol 'NONE'",
  });
  const one = { kind, exchanges: ['lighter'] } as const;
  t.same(markets.resolve('SOLL', one), markets.unknown('lighter', 'SOLL'));
});

t.test('an unknown name', async (t) => {
  t.same(markets.unknown('okx', 'ETH-USTD-SWAP'), {
    error: 'unknown_symbol',
    message: "unknown symbol 'ETH-USTD-SWAP' for okx: the nearest is ETH-USDT-SWAP",
  });
  t.match(markets.unknown('lighter', 'SOLL'), { message: /the nearest is SOL$/ });
  t.match(markets.unknown('nosuch', 'BTC'), { message: "unknown symbol 'BTC' for nosuch" });
  t.same(markets.asked('okx', 'NEW-USDT'), { market: 'NEW-USDT', kind: undefined });
});

t.test('unified names', async (t) => {
  t.equal(unifiedName(row('x', 'spot', ['BTC', 'USDT'])), 'BTC/USDT');
  t.equal(unifiedName(row('x', 'perpetual', ['BTC', 'USDT'])), 'BTC/USDT:USDT');
  t.equal(unifiedName(row('x', 'perpetual', ['BTC', 'USD'], { inverse: true })), 'BTC/USD:BTC');
  t.equal(unifiedName(row('x', 'perpetual', ['BTC', 'USD'], { settle: 'BTC' })), 'BTC/USD:BTC');
  t.equal(unifiedName(row('x', 'other', ['BTC', 'USD'])), null);
});

t.test('a newer list replaces the names of its part', async (t) => {
  instruments.accept({
    source: 'kraken',
    part: 'all',
    asked: 2,
    received: 2,
    rows: [row('PF_ETHUSD', 'perpetual', ['ETH', 'USD'])],
  });
  t.equal(markets.find('kraken', 'BTC'), null);
  t.equal(markets.find('kraken', 'ETH')?.market, 'PF_ETHUSD');
});

t.test(
  'an asset by another spelling or by its old name, where the answer has no asset of that name',
  async (t) => {
    const has = (symbol: string) => ['BTC', 'POL', 'G', 'LUNA', 'PEPE'].includes(symbol);
    const names = {
      BTC: 'BTC',
      xbt: 'BTC',
      'XBT-USD': 'BTC',
      MATIC: 'POL',
      'MATIC/USDT': 'POL',
      LUNA2: 'LUNA',
      // A GAL is 60 G, and 1000PEPE is a thousand: their prices are others.
      GAL: 'GAL',
      '1000PEPE': '1000PEPE',
      EOS: 'EOS',
    };
    for (const [name, asset] of Object.entries(names)) t.equal(assetAmong(has, name), asset, name);
    t.equal(
      assetAmong((symbol) => symbol === 'MATIC' || symbol === 'POL', 'MATIC'),
      'MATIC',
    );
  },
);
