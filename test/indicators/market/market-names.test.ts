/** Names of the markets of one exchange, as it and as clients write them. */
import t from 'tap';
import {
  baseOf,
  MarketNames,
  type NamedMarket,
  readName,
  unifiedName,
} from '../../../indicators/market/market-names.ts';

type Kind = NamedMarket['kind'];
const row = (market: string, kind: Kind, pair: string, more: Partial<NamedMarket> = {}) => {
  const [symbol = '', quote = ''] = pair.split('/');
  return { market, kind, symbol, quote, inverse: false, ...more };
};
const names = new MarketNames<NamedMarket>([
  row('BTCUSDT', 'perpetual', 'BTC/USDT'),
  row('BTCUSDT', 'spot', 'BTC/USDT'),
  row('BTCUSD_PERP', 'perpetual', 'BTC/USD', { inverse: true }),
  row('BTCUSDT_250926', 'other', 'BTC/USDT'),
  row('ARBUSD', 'spot', 'ARB/USD'),
  row('ARBUSD2', 'spot', 'AR/BUSD'),
  row('7', 'perpetual', 'SOL/USD', { name: 'SOL-DEX' }),
  row('xrp', 'spot', 'XRP/USD'),
  row('XRP', 'spot', 'XRP/EUR'),
  row('xyz:TSLA', 'perpetual', 'XYZ:TSLA/USDC'),
  row('XYZUSDC', 'perpetual', 'XYZ/USDC'),
]);
const shown = (market: NamedMarket | null) => market && `${market.market} ${market.kind}`;

const named: [string, string | null, Kind?][] = [
  ['BTCUSDT', 'BTCUSDT spot'],
  ['BTCUSDT', 'BTCUSDT perpetual', 'perpetual'],
  ['BTCUSDT', 'BTCUSDT spot', 'spot'],
  ['BTCUSDT', null, 'other'],
  ['btc/usdt', 'BTCUSDT spot'],
  ['BTC/USDT:USDT', 'BTCUSDT perpetual'],
  ['BTC/USDT:BTC', null],
  ['BTC/USD:BTC', 'BTCUSD_PERP perpetual'],
  ['BTC/USD', 'BTCUSD_PERP perpetual'],
  ['BTC/USD', null, 'spot'],
  ['btc-usdt-swap', 'BTCUSDT perpetual'],
  ['BTCUSDT_PERP', 'BTCUSDT perpetual'],
  ['BTC-USDT-PERPETUAL', 'BTCUSDT perpetual'],
  ['PERP_BTC_USDT', 'BTCUSDT perpetual'],
  ['SPOT_BTC_USDT', 'BTCUSDT spot'],
  ['PI_BTCUSD', 'BTCUSD_PERP perpetual'],
  ['BTCUSDT_250926', 'BTCUSDT_250926 other'],
  ['btcusdt-250926', null],
  ['ARBUSD', 'ARBUSD spot'],
  ['AR/BUSD', 'ARBUSD2 spot'],
  ['ARB-PERP', null],
  ['ARB/USD:USD', null],
  ['sol-dex', '7 perpetual'],
  ['SOL-DEX', '7 perpetual'],
  ['xrp', 'xrp spot'],
  ['XRP', 'XRP spot'],
  ['Xrp', 'xrp spot'],
  ['xyz:TSLA', 'xyz:TSLA perpetual'],
  ['XYZ:TSLA', 'xyz:TSLA perpetual'],
  ['XYZ-TSLA/USDC:USDC', 'xyz:TSLA perpetual'],
  ['xyz:tsla/usdc', 'xyz:TSLA perpetual'],
  ['xyz:NVDA', null],
  ['BTC', null],
  ['', null],
];

t.test('the market that a name means, and the same when it is asked for again', async (t) => {
  for (const again of [named, named])
    for (const [text, market, kind] of again)
      t.equal(shown(names.named(text, kind)), market, `${text} ${kind}`);
});

t.test('markets of a base asset, and all that a name may mean', async (t) => {
  const ofAsset = [
    ['BTC'],
    ['BTC', 'perpetual'],
    ['BTC', 'other'],
    ['SOL', 'spot'],
    ['sol'],
  ] as const;
  t.same(
    ofAsset.map(([symbol, kind]) => shown(names.ofAsset(symbol, kind))),
    ['BTCUSDT spot', 'BTCUSDT perpetual', null, null, null],
  );
  const matching = (text: string) => names.matching(text).map(shown).join(', ');
  t.equal(matching('btc'), 'BTCUSDT perpetual, BTCUSDT spot, BTCUSD_PERP perpetual');
  t.equal(matching('btcusdt'), 'BTCUSDT perpetual, BTCUSDT spot');
  t.equal(matching('ARBUSD'), 'ARBUSD spot, ARBUSD2 spot');
  t.equal(matching('sol-dex'), '7 perpetual');
  t.equal(matching('BTC/EUR'), '');
});

t.test('the nearest name among its neighbours in the alphabet', async (t) => {
  t.same(
    ['BTCUSTD', 'sol-dx', 'arbus'].map((text) => shown(names.nearest(text))),
    [...['BTCUSD_PERP perpetual', '7 perpetual', 'ARBUSD spot']],
  );
  t.equal(new MarketNames([]).nearest('BTC'), null);
  const listed = Array.from({ length: 30 }, (_, i) => row(`A${10 + i}`, 'other', 'A/B'));
  const many = new MarketNames<NamedMarket>(listed);
  t.same(
    ['zA10', 'A10x', '0A39'].map((text) => many.nearest(text)?.market),
    ['A32', 'A10', 'A10'],
  );
});

t.test('names in parts, and in the unified form', async (t) => {
  const texts = [
    'btc/usdt:usdc',
    'BTC-PERP',
    '-A_B',
    'ETHFDUSD',
    'USD',
    'xyz:nvda',
    'btcusdt:usdt',
    'PI_USDT',
    'pf_xbtusd',
  ];
  const parts = texts.map((text) => {
    const name = readName(text);
    return [name.word, name.quote, name.settle, name.contract, baseOf(name)];
  });
  t.same(parts, [
    ['BTC', 'USDT', 'USDC', true, 'BTC'],
    ['BTC', undefined, undefined, true, 'BTC'],
    ['-A', 'B', undefined, false, '-A'],
    ['ETHFDUSD', undefined, undefined, false, 'ETH'],
    ['USD', undefined, undefined, false, 'USD'],
    ['XYZ:NVDA', undefined, undefined, false, 'XYZ:NVDA'],
    ['BTCUSDT', undefined, 'USDT', true, 'BTC'],
    ['PI', 'USDT', undefined, false, 'PI'],
    ['XBTUSD', undefined, undefined, true, 'XBT'],
  ]);
  t.equal(unifiedName(row('', 'perpetual', 'XYZ:TSLA/USDC')), 'XYZ-TSLA/USDC:USDC');
  const kinds = [row('', 'spot', 'A/B'), row('', 'perpetual', 'A/B'), row('', 'other', 'A/B')];
  const settled = [{ inverse: true }, { settle: 'C' }].map((more) =>
    row('', 'perpetual', 'A/B', more),
  );
  t.same([...kinds, ...settled].map(unifiedName), ['A/B', 'A/B:B', null, 'A/B:A', 'A/B:C']);
});
