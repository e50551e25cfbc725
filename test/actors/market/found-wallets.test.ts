/** Which wallets are looked at. */
import t from 'tap';
import { FoundWallets } from '../../../actors/market/found-wallets.ts';

const named = (address: string, worth: number) => ({ address, worth });
const ranks = (wallets: FoundWallets) =>
  wallets.largest(10).map(({ address, worth }) => `${address} ${worth}`);

t.test('the ranks follow the present', (t) => {
  const wallets = new FoundWallets(10);
  wallets.leads([named('a', 100), named('b', 90)]);
  wallets.traded([named('c', 95), named('b', 10)], 'xyz');
  t.strictSame(ranks(wallets), ['a 100', 'c 95', 'b 90']);
  t.strictSame(wallets.largest(3)[2]?.dexes, ['', 'xyz']);
  wallets.holds('c', 20);
  t.strictSame(
    ranks(wallets),
    ['a 100', 'b 90', 'c 20'],
    'its positions are less than its trade was',
  );
  wallets.holds('c', 150);
  wallets.leads([named('b', 80)]);
  t.strictSame(ranks(wallets), ['c 150', 'b 80', 'a 0'], 'who has left the leaderboard');
  wallets.fade();
  t.strictSame(ranks(wallets), ['b 80', 'c 75', 'a 0'], 'what is not seen again fades');
  t.end();
});

t.test('no more wallets than that, the largest', (t) => {
  const wallets = new FoundWallets(2);
  wallets.traded([named('a', 1), named('b', 3), named('c', 2)], '');
  t.strictSame(ranks(wallets), ['b 3', 'c 2']);
  wallets.adopt([{ ...named('d', 5), dexes: ['xyz'] }]);
  t.strictSame(ranks(wallets), ['d 5', 'b 3']);
  t.equal(wallets.size, 2);
  t.end();
});
