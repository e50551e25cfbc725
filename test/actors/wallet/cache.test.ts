/** How long answers are kept, and how many. */
import t from 'tap';
import { ReplyCache } from '../../../actors/wallet/cache.ts';
import type { WalletReply } from '../../../actors/wallet/types.ts';
import { FakeClock } from '../../support/clock.ts';

const reply = (address: string, count: number): WalletReply => {
  const row = { token: 'X', chain: 'base', balance: 1, price_usd: 0, value_usd: 0 };
  const tokens = Array.from({ length: count }, () => row);
  const portfolio = { address, chain: 'base', total_value_usd: 0, tokens };
  return { portfolio, message: null, partial: null, received: 0 };
};

t.test('an answer lives its time', async (t) => {
  const clock = new FakeClock();
  const cache = new ReplyCache(clock);
  cache.set('a', reply('a', 1), 2_000);
  await clock.advance(1_999);
  t.equal(cache.get('a')?.portfolio.address, 'a');
  t.equal(cache.get('b'), null);
  await clock.advance(1);
  t.equal(cache.get('a'), null);
  t.equal(cache.size, 0);
});

t.test('a new answer replaces the old one', async (t) => {
  const cache = new ReplyCache(new FakeClock());
  for (let round = 0; round < 5_000; round++) cache.set('a', reply(`${round}`, 100), 2_000);
  t.equal(cache.size, 1);
  t.equal(cache.get('a')?.portfolio.address, '4999');
});

t.test('the oldest answers go when there are too many, or too large ones', async (t) => {
  const clock = new FakeClock();
  const small = new ReplyCache(clock);
  for (let at = 0; at < 5_000; at++) small.set(`${at}`, reply('', 0), 30_000);
  t.equal(small.size, 2_000);
  t.equal(small.get('2999'), null);
  t.ok(small.get('3000'));
  const large = new ReplyCache(clock);
  for (let at = 0; at < 200; at++) large.set(`${at}`, reply('', 1_000), 30_000);
  t.equal(large.size, 95);
  t.ok(large.get('199'));
});

t.test('answers whose time is over make room', async (t) => {
  const clock = new FakeClock();
  const cache = new ReplyCache(clock);
  for (let at = 0; at < 100; at++) cache.set(`${at}`, reply('', 0), 2_000);
  await clock.advance(2_000);
  cache.set('new', reply('', 0), 2_000);
  t.equal(cache.size, 1);
});
