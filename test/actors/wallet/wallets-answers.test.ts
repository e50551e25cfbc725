/** Answers in time, shared and kept; questions that are refused; the close. */
import { once } from 'node:events';
import t from 'tap';
import type { ChainReader } from '../../../actors/chains/reader.ts';
import { failed } from '../../../actors/failure.ts';
import type { WalletReply } from '../../../actors/topics/wallet.ts';
import type { WalletsOptions } from '../../../actors/wallet/wallets.ts';
import { json, text } from '../../support/faulty-server.ts';
import {
  asked,
  evmAddress,
  hang,
  isEmpty,
  meanwhile,
  refusal,
  reply,
  solanaAddress,
  token,
  world,
} from './world.ts';

const pools = 'api.dexscreener.com';
const coins = 'coins.llama.fi';
const prices = ({ portfolio }: WalletReply) =>
  Object.fromEntries(portfolio.tokens.map((row) => [row.token, row.price_usd]));
const readers = (ask: ChainReader['ask']): Partial<WalletsOptions> => ({
  readers: new Map([['ethereum', { ask }]]),
});

t.test('an unknown chain or an address of another form is refused', async (t) => {
  const w = await world(t);
  const wallets = w.wallets();
  const bad: [string, string, RegExp][] = [
    ['ethereum', '', /^address must be, on ethereum, 0x/],
    ['ethereum', solanaAddress, /^address must be/],
    ['ethereum', evmAddress.replace('d8dA', 'D8dA'), /EIP-55/],
    ['bsc', `${evmAddress}/../x`, /^address must be/],
    ['solana', evmAddress, /base58/],
    ['bitcoin', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdz', /Bitcoin/],
    ['dogecoin', evmAddress, /^chain must be one of ethereum, base/],
    ['', evmAddress, /^chain must be one of/],
    ['constructor', evmAddress, /^chain must be one of/],
    ['Ethereum', evmAddress, /^chain must be one of/],
    ['ethereum', 'x'.repeat(100_000), /^address must be/],
  ];
  for (const [chain, address, message] of bad) {
    const found = await reply(w, wallets, chain, address);
    t.match(found.message, message);
    t.ok(isEmpty(found));
    t.match(found.portfolio, { chain, address });
  }
  t.same(w.seen, [], 'no source is asked');
});

t.test('late prices: the wallet is answered without them, in time', async (t) => {
  const w = await world(t, { tokens: [token(1)] });
  for (const host of [pools, coins]) w.on(host, hang);
  const start = w.clock.now();
  const found = await meanwhile(w, reply(w, w.wallets({ nativePrice: () => 2_000 })));
  t.equal(found.message, null);
  t.same(prices(found), { ETH: 2_000, T1: 0 });
  t.match(found.partial, /DexScreener .*\(timeout\)/);
  t.equal(found.received - start, 19_500);
});

t.test('the price sources are asked at the same time, in the time of the asker', async (t) => {
  const w = await world(t, { tokens: [token(1)] });
  for (const host of [pools, coins]) w.on(host, hang);
  const start = w.clock.now();
  const request = { address: evmAddress, chain: 'ethereum' };
  const running = w.wallets().answer(request, { deadline: start + 4_000, account: 'a' });
  while (asked(w, pools) + asked(w, coins) < 3) await new Promise(setImmediate);
  t.equal(asked(w, pools), 1);
  t.equal(asked(w, coins), 2, 'a token and the native coins, before anybody has answered');
  const found = await meanwhile(w, running);
  t.match(found, { ok: true, value: { value: { message: null, received: start + 3_900 } } });
});

t.test('a question whose time is over is answered and not looked into', async (t) => {
  const w = await world(t);
  const limits = { deadline: w.clock.now(), account: 'a' };
  const wallets = w.wallets(readers(() => Promise.reject(t.fail('a node is asked'))));
  const late = await wallets.answer({ address: evmAddress, chain: 'ethereum' }, limits);
  t.match(late, { value: { value: { message: 'no answer before the deadline' } } });
});

t.test('equal questions share one look, in any spelling, kept for 30 s', async (t) => {
  const w = await world(t, { tokens: [token(1)] });
  const wallets = w.wallets({ atOnce: 1 });
  const lower = evmAddress.toLowerCase();
  const [first, second] = await Promise.all([
    reply(w, wallets),
    reply(w, wallets, 'ethereum', lower),
  ]);
  t.equal(first.portfolio.address, evmAddress, 'as asked');
  t.equal(second.portfolio.address, lower, 'as asked');
  t.same(first.portfolio.tokens, second.portfolio.tokens);
  t.equal(asked(w, 'eth.blockscout'), 1);
  await w.clock.advance(29_999);
  t.same(await reply(w, wallets), first);
  t.equal(asked(w, 'eth.blockscout'), 1);
  await w.clock.advance(1);
  t.equal((await reply(w, wallets)).received, w.clock.now());
  t.equal(asked(w, 'eth.blockscout'), 2);
  await reply(w, wallets, 'base');
  t.equal(asked(w, 'base.blockscout'), 1, 'another chain is another wallet');
});

t.test('an incomplete answer is kept for its account alone', async (t) => {
  for (const [host, looks] of [
    ['nowhere', 1],
    [coins, 2],
    ['node.ethereum.test', 2],
  ] as const) {
    const w = await world(t, { tokens: [token(1)] });
    w.on(host, text('no', 503));
    const wallets = w.wallets();
    for (const account of ['a', 'a', 'b', 'b']) {
      const asking = { deadline: w.clock.now() + 22_000, account };
      await meanwhile(w, wallets.answer({ address: evmAddress, chain: 'ethereum' }, asking));
    }
    t.equal(asked(w, 'eth.blockscout'), looks, host);
  }
});

t.test('an error is kept for 2 s', async (t) => {
  const w = await world(t);
  w.on('eth.blockscout.com', json([]));
  const wallets = w.wallets();
  t.ok((await reply(w, wallets)).message);
  w.on('eth.blockscout.com', undefined);
  await w.clock.advance(1_999);
  t.ok((await reply(w, wallets)).message);
  await w.clock.advance(1);
  t.equal((await reply(w, wallets)).message, null);
});

t.test('more wallets than may be under way at once', async (t) => {
  const w = await world(t);
  w.on('eth.blockscout.com', hang);
  const wallets = w.wallets({ atOnce: 2 });
  const of = (at: number) => `0x${`${at}`.padStart(40, '0')}`;
  const limits = { deadline: w.clock.now() + 20_000, account: 'a' };
  const under = [reply(w, wallets, 'ethereum', of(1))];
  const second = await wallets.answer({ address: of(2), chain: 'ethereum' }, limits);
  t.match(refusal(second), { code: 'over_budget' }, 'an account leaves as many as it has');
  const other = wallets.answer({ address: of(2), chain: 'ethereum' }, { ...limits, account: 'b' });
  const third = await wallets.answer({ address: of(3), chain: 'ethereum' }, limits);
  t.match(refusal(third), { code: 'over_budget', retryAfter: 1_000 });
  const joined = reply(w, wallets, 'ethereum', of(1));
  const bad = await reply(w, wallets, 'ethereum', 'nonsense');
  t.match(bad.message, /address/, 'an answer that needs no source is given');
  await meanwhile(w, Promise.all([...under, other, joined]));
  w.on('eth.blockscout.com', undefined);
  // What was given up may still count at its upstream for some seconds.
  const last = await meanwhile(w, reply(w, wallets, 'ethereum', of(3)));
  t.equal(last.message, null, 'there is room again');
});

t.test('close ends what is under way', async (t) => {
  const w = await world(t);
  w.on('eth.blockscout.com', hang);
  const wallets = w.wallets();
  const running = reply(w, wallets);
  while (asked(w, 'eth.blockscout') === 0) await new Promise(setImmediate);
  await wallets.close();
  t.match((await running).message, /failed \(stopped\)$/);
  let ended = false;
  const ask: ChainReader['ask'] = async ({ signal, deadline }) => {
    t.equal(deadline, 12_000);
    if (signal) await once(signal, 'abort');
    for (let turn = 0; turn < 9; turn++) await new Promise(setImmediate);
    ended = true;
    return failed('stopped', 'x');
  };
  const slow = w.wallets(readers(ask));
  void reply(w, slow);
  await slow.close();
  t.ok(ended, 'it waits for what it ends');
});

t.test('no source answers discovery: the reply comes when its time is over', async (t) => {
  const w = await world(t);
  w.on('eth.blockscout.com', hang);
  const start = w.clock.now();
  const found = await meanwhile(w, reply(w, w.wallets()));
  t.equal(found.message, 'token discovery failed (timeout)');
  t.equal(found.received - start, 12_000);
});

t.test('a chain without a reader', async (t) => {
  const w = await world(t);
  const found = await reply(w, w.wallets({ readers: new Map() }));
  t.equal(found.message, 'native balance failed (unavailable)');
});

t.test('a bug is a reply as well', async (t) => {
  const w = await world(t);
  const found = await reply(w, w.wallets(readers(() => Promise.reject(new TypeError('a bug')))));
  t.equal(found.message, 'internal error');
  t.match(w.logged.join(), 'a wallet could not be read');
});
