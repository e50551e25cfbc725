/** What may be asked, and how text of strangers is read. */
import t from 'tap';
import { searchText, tokenAddress } from '../../../actors/defi/query.ts';
import {
  allReadable,
  amount,
  amountOr,
  chainName,
  filled,
  id,
  idLimit,
  label,
  labels,
  link,
  part,
  signedOr,
  uniqueRows,
} from '../../../actors/providers/read.ts';

t.test('searches', async (t) => {
  t.equal(searchText('  WBTC   USDC '), 'WBTC USDC');
  t.equal(searchText('x'.repeat(100)), 'x'.repeat(100));
  t.strictSame([searchText('x'.padEnd(400)), searchText('x'.padEnd(401))], ['x', null]);
  t.equal(searchText('🚀'.repeat(100)), '🚀'.repeat(100), 'characters are counted, not units');
  t.equal(searchText('So11111111111111111111111111111111111111112')?.at(0), 'S', 'case is kept');
  for (const q of ['', '   ', 'x'.repeat(101), 'a\u0000b', 'a\nb', '\ud800', ' '.repeat(1e6)]) {
    t.equal(searchText(q), null, JSON.stringify(q.slice(0, 20)));
  }
});

t.test('addresses of any chain', async (t) => {
  const evm = '0x6982508145454Ce325dDbE47a25d4ec3d2311933';
  t.equal(tokenAddress(evm), evm.toLowerCase(), 'one spelling for all');
  const kept = [
    'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs',
    'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    '0x2::sui::SUI',
    '0x03fe2b97c1fd336e750087d68b9b867997fd64a2661ff3ca5a7c771641e8e7ac',
    'wrap.near',
  ];
  for (const address of kept) t.equal(tokenAddress(address), address);
  const bad = ['', '..', 'ab', 'a/b', 'a,b', 'a b', '0xzz', '0x', `0x${'1'.repeat(65)}`];
  for (const address of [...bad, '../../x', 'a'.repeat(129), 'é'.repeat(10), 'a?b', 'a%2fb']) {
    t.equal(tokenAddress(address), null, address);
  }
});

t.test('labels', async (t) => {
  t.equal(
    label('<script>alert(1)</script>'),
    '<script>alert(1)</script>',
    'not escaped: it is JSON',
  );
  t.equal(label(' 👩‍🚀 '), '👩‍🚀', 'joined characters stay joined');
  t.equal(label('a\u0000\u001b[31m\u202eb\u2028c'), 'a[31mbc');
  t.equal(label('A'.repeat(10_000)).length, 64);
  const long = [255, 256].map((length) => label(`${'\u0000'.repeat(length)}a`));
  t.strictSame(long, ['a', ''], 'the rest of a long text is not looked at');
  t.equal(label('\ud83d'), '\ufffd', 'half a character');
  t.equal(label(`${'x'.repeat(63)}🚀🚀`), `${'x'.repeat(63)}🚀`);
  for (const value of [null, undefined, 5, {}, ['a']]) t.equal(label(value), '');
  t.strictSame(labels(['a', 'a', 5, '', 'b']), ['a', 'b']);
  t.equal(labels('a'), null);
  t.equal(labels(Array.from({ length: 5000 }, (_, at) => `c${at}`))?.length, 1000);
});

t.test('ids, links and rows', async (t) => {
  t.strictSame(['0xA!~', 'x'.repeat(idLimit), 'x'.repeat(idLimit + 1), 'a b', 'é', '', 7].map(id), [
    '0xA!~',
    'x'.repeat(320),
    '',
    '',
    '',
    '',
    '',
  ]);
  const links = ['https://a', 'http://a', 'https://a b', null];
  t.strictSame(links.map(link), ['https://a', '', '', '']);
  t.strictSame(
    [part({ a: { b: 1 } }, 'a'), part({ a: 1 }, 'a'), part({}, 'a')],
    [{ b: 1 }, {}, {}],
  );
  const values = [{ id: 'a', n: 1 }, { id: 'a', n: 2 }, { id: 'b' }, { id: 'c', n: 0 }];
  const parsed = uniqueRows(
    values,
    (row) => id(row.id),
    ({ n }) => (typeof n !== 'number' ? null : n === 0 ? 'left_out' : { n }),
  );
  t.match(parsed, { rows: [{ n: 1 }], dropped: [{ key: 'b' }] });
  t.equal(parsed.rows.length + parsed.dropped.length, 2);
  t.equal(filled(parsed, 'rows'), parsed);
  t.ok(filled({ rows: [], dropped: parsed.dropped }, 'rows'));
  t.throws(() => filled({ rows: [], dropped: [] }, 'rows'), /rows: none/);
  t.strictSame([allReadable(1, null), allReadable(1, Number.NaN)], [true, false]);
  t.strictSame([amount(1e30), signedOr(-1e30, null), signedOr(null, 0)], [1e30, -1e30, 0]);
});

t.test('numbers', async (t) => {
  t.equal(amount('35062760.9256379165977103510951581800'), 35_062_760.925637916);
  t.equal(amount('0.00000000000000012345678901234567'), 1.2345678901234568e-16);
  t.equal(Object.is(amount('-0'), 0), true, 'no negative zero');
  for (const value of [-1, '-1', 'x', '', null, Infinity, Number.NaN, 1e31, ' 1', [1], true]) {
    t.ok(Number.isNaN(amount(value)), String(value));
  }
  t.equal(amountOr(null, 0), 0);
  t.ok(Number.isNaN(amountOr('x', 0)), 'unreadable is not absent');
  t.equal(signedOr(-5.5, null), -5.5);
  t.equal(signedOr(undefined, null), null);
  t.ok(Number.isNaN(signedOr('-1e31', 0)));
});

t.test('chains have the words of the service', async (t) => {
  t.strictSame(
    ['Ethereum', 'OP Mainnet', 'Avax', 'Binance', 'BSC', 'polygon_pos', 'Sui', 'eth'].map(
      chainName,
    ),
    ['ethereum', 'optimism', 'avalanche', 'bsc', 'bsc', 'polygon', 'sui', 'ethereum'],
  );
  // Of GeckoTerminal, as DexScreener names them.
  const words = ['xdai', 'sei-evm', 'starknet-alpha', 'world-chain'].map(chainName);
  t.strictSame(words, ['gnosischain', 'seiv2', 'starknet', 'worldchain']);
});
