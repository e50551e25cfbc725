import t from 'tap';
import { canonical, pairOf } from '../../../actors/venues/symbols.ts';

t.test('an id of a base and a quote has two pieces, neither of them empty', async (t) => {
  const ids = [
    'BTC-USDT',
    '1000PEPE-USDC',
    'BTC',
    'BTC_USDT',
    '-USDT',
    'BTC-',
    '',
    'A-B-',
    'A-B-C',
  ];
  t.strictSame(
    ids.map((id) => pairOf(id, '-')),
    [
      { base: 'BTC', quote: 'USDT' },
      { base: '1000PEPE', quote: 'USDC' },
      ...Array.from({ length: 7 }, () => null),
    ],
  );
  t.strictSame(pairOf('BTC_USDT', '_'), { base: 'BTC', quote: 'USDT' });
});

const table: [base: string, symbol: string, scale: number][] = [
  ['BTC', 'BTC', 1],
  ['pepe', 'PEPE', 1],
  ['1000PEPE', 'PEPE', 1000],
  ['1000SHIB', 'SHIB', 1000],
  ['10000SATS', 'SATS', 10_000],
  ['100000AIDOGE', 'AIDOGE', 100_000],
  ['1000000MOG', 'MOG', 1_000_000],
  ['1MBABYDOGE', 'BABYDOGE', 1_000_000],
  ['kPEPE', 'PEPE', 1000],
  ['kBONK', 'BONK', 1000],
  ['SHIB1000', 'SHIB', 1000],
  ['1000AZ', 'AZ', 1000],
  ['1000az', 'AZ', 1000],
  ['kAz', 'AZ', 1000],
  ['kZa', 'ZA', 1000],
  ['zA1000', 'ZA', 1000],
  ['XBT', 'BTC', 1],
];

t.test('scaled bases and the usual ticker', async (t) => {
  for (const [base, symbol, scale] of table) t.same(canonical(base), { symbol, scale }, base);
});

t.test('names that only look scaled stay as they are', async (t) => {
  // A remainder of fewer than two letters, a capital K, a lower-case letter after k.
  const names =
    '1INCH 1CAT 4 0G 1000X 1000 1MX 1M KAVA KPEPE X1000 1000000 10002 1000@A 1000A[ 1000`A 1000A{ A1000A A@1000'.split(
      ' ',
    );
  for (const name of [...names, '']) {
    t.same(canonical(name), { symbol: name, scale: 1 }, name);
  }
  t.same(canonical('kava'), { symbol: 'KAVA', scale: 1 });
  t.same(canonical('kX'), { symbol: 'KX', scale: 1 });
  t.same(canonical('币安人生'), { symbol: '币安人生', scale: 1 });
});
