/** A reply to every failure of a source or a node; it says which step failed. */
import t from 'tap';
import { type Failure, failed, success } from '../../../actors/failure.ts';
import { discover, type Indexes } from '../../../actors/wallet/discovery.ts';
import { isClosed } from '../../../actors/wallet/source.ts';
import type { ChainId } from '../../../config/chains.ts';
import { FakeClock } from '../../support/clock.ts';
import { json, text } from '../../support/faulty-server.ts';
import {
  asked,
  bitcoinAddress,
  evmAddress,
  hang,
  isEmpty,
  meanwhile,
  mint,
  reply,
  solanaAddress,
  token,
  world,
} from './world.ts';

for (const [name, handler, code] of [
  ['down', text('<h1>busy</h1>', 503), 'unavailable'],
  ['a page of HTML', text('<h1>hello</h1>', 200), 'shape'],
  ['another shape', json({ rows: [] }), 'shape'],
  ['endless pages', json({ items: [], next_page_params: {} }), 'shape'],
  ['no such path', text('no', 404), 'refused'],
] as const) {
  t.test(`discovery fails: ${name}`, async (t) => {
    const w = await world(t, { tokens: [token(1)] });
    w.on('eth.blockscout.com', handler);
    const found = await meanwhile(w, reply(w, w.wallets()));
    t.equal(found.message, `token discovery failed (${code})`);
    t.ok(isEmpty(found));
    t.match(w.logged.join(), '"step":"token discovery"');
    t.notMatch(w.logged.join(), evmAddress.slice(2).toLowerCase(), 'logs hold no address');
  });
}

for (const status of [401, 402, 403, 429, 410]) {
  for (const [chain, host] of [
    ['ethereum', 'eth.blockscout.com'],
    ['bsc', 'deep-index.moralis.io'],
  ] as const) {
    t.test(`${host} answers ${status}: the native coin alone, and a note`, async (t) => {
      const w = await world(t, { tokens: [token(1)] });
      w.on(host, json({ message: 'no' }, status));
      const found = await meanwhile(w, reply(w, w.wallets({ moralisKey: 'key' }), chain));
      t.equal(found.message, null);
      t.match(found.partial, /token discovery at \w+ is not available .*only the native coin/);
      t.equal(found.portfolio.tokens.length, 1);
      t.ok(found.portfolio.total_value_usd > 0);
    });
  }
}

t.test('a page of a firewall is about one wallet, not about the next', async (t) => {
  const w = await world(t);
  w.on('eth.blockscout.com', text('<h1>forbidden</h1>', 403));
  const wallets = w.wallets();
  for (let at = 0; at < 8; at++) {
    const address = `0x${`${at}`.padStart(40, '0')}`;
    const found = await meanwhile(w, reply(w, wallets, 'ethereum', address));
    t.equal(found.message, null);
    t.match(found.partial, /not available \(blocked\)/);
  }
  t.equal(asked(w, 'eth.blockscout'), 8);
});

t.test('failures of the questions of one account stop no other', async (t) => {
  const w = await world(t);
  w.on('eth.blockscout.com', text('', 502));
  const wallets = w.wallets();
  const look = (at: number, account: string) => {
    const request = { chain: 'ethereum', address: `0x${`${at}`.padStart(40, '0')}` };
    return meanwhile(w, wallets.answer(request, { deadline: w.clock.now() + 22_000, account }));
  };
  const message = 'token discovery failed (unavailable)';
  for (let at = 0; at < 6; at++) t.match(await look(at, 'a'), { value: { value: { message } } });
  w.on('eth.blockscout.com', undefined);
  t.match(await look(6, 'b'), { value: { value: { message: null } } });
});

t.test('with a key the instance stands in for the host of all chains', async (t) => {
  for (const status of [401, 429, 500]) {
    const w = await world(t, { tokens: [token(1)] });
    w.on('api.blockscout.com', json({ error: 'no', source: 'internal' }, status));
    const found = await meanwhile(w, reply(w, w.wallets({ blockscoutKey: 'key' })));
    t.equal(found.partial, null);
    t.equal(found.portfolio.tokens.length, 2, `${status}`);
    w.on('eth.blockscout.com', text('gone', 503));
    const both = await meanwhile(w, reply(w, w.wallets({ blockscoutKey: 'key' })));
    t.equal(both.message, status === 500 ? 'token discovery failed (unavailable)' : null);
  }
});

t.test('a host of all chains that hangs leaves time for the instance', async (t) => {
  const w = await world(t, { tokens: [token(1)] });
  w.on('api.blockscout.com', hang);
  const found = await meanwhile(w, reply(w, w.wallets({ blockscoutKey: 'key' })));
  t.equal(found.message, null);
  t.equal(found.portfolio.tokens.length, 2);
});

t.test('where there is no index, or no key of it', async (t) => {
  const ask = (chain: string) =>
    discover({ moralis: null } as Indexes, {
      chain: chain as ChainId,
      address: evmAddress,
      account: 'a',
      until: 1,
    });
  const note = 'token discovery on bsc needs a key of Moralis: only the native coin is listed';
  t.strictSame(await ask('bsc'), success({ holdings: [], notes: [note] }));
  t.strictSame(await ask('bitcoin'), success({ holdings: [], notes: [] }));
  t.strictSame(await ask('other'), failed('refused', 'no discovery on other'));
  const times: number[] = [];
  const reader: Indexes['reader'] = {
    ask: async ({ deadline }) => {
      times.push(deadline);
      return failed('stopped', 'x');
    },
  };
  const wallet = { chain: 'solana', address: solanaAddress, account: 'a', until: 90 } as const;
  const indexes: Partial<Indexes> = { reader, clock: new FakeClock(60) };
  await discover(indexes as Indexes, wallet);
  t.strictSame(times, [30], 'the node has the rest of the time');
});

t.test('which failures mean that a service is closed to us', async (t) => {
  const codes: Failure['code'][] = [
    ...(['rate_limited', 'banned', 'blocked', 'over_budget', 'refused', 'unavailable'] as const),
    ...(['timeout', 'network', 'shape', 'breaker_open', 'stopped', 'too_large'] as const),
  ];
  const message = 'x';
  t.strictSame(
    codes.filter((code) => isClosed({ code, message })),
    ['rate_limited', 'banned', 'blocked', 'over_budget'],
  );
  const statuses = [400, 401, 402, 403, 404, 405, 409, 410, 411, 500];
  const closed = (code: Failure['code']) =>
    statuses.filter((status) => isClosed({ code, message, status }));
  t.strictSame([closed('refused'), closed('unavailable')], [[401, 402, 403, 410], []]);
});

t.test('unreadable rows are counted in a note; a token is listed once', async (t) => {
  const twice = token(1, { raw: '2000000000000000000' });
  const w = await world(t, { tokens: [token(1), twice, token(2, { raw: 'x' })] });
  const found = await reply(w, w.wallets());
  t.equal(found.partial, 'unreadable rows in the token list: 1');
  t.strictSame(
    found.portfolio.tokens.map(({ token, balance }) => [token, balance]),
    [
      ['ETH', 1.5],
      ['T1', 2],
    ],
  );
});

t.test('an address never seen is an empty wallet', async (t) => {
  const w = await world(t, { native: 0n });
  w.on('eth.blockscout.com', json({ message: 'Not found' }, 404));
  const found = await reply(w, w.wallets());
  t.equal(found.message, null);
  t.equal(found.partial, null);
  t.equal(found.portfolio.total_value_usd, 0);
});

t.test('a list that is refused half way is shown as far as it goes', async (t) => {
  const w = await world(t, { tokens: Array.from({ length: 60 }, (_, at) => token(at)) });
  const items = json({ message: 'slow down' }, 429);
  let page = 0;
  const pass = w.facts.tokens.slice(0, 1).map(({ contract }) => ({
    token: { address: contract, symbol: 'OLD', decimals: '18', type: 'ERC-20' },
    value: '5000000000000000000',
  }));
  w.on('eth.blockscout.com', (request, response) => {
    const first = page++ === 0;
    const next_page_params = { items_count: 50, fiat_value: null };
    (first ? json({ items: pass, next_page_params }) : items)(request, response);
  });
  const found = await reply(w, w.wallets());
  t.equal(found.message, null);
  t.match(found.partial, /the token list ends early/);
  t.equal(found.portfolio.tokens.length, 2);
  t.ok(w.seen.some((url) => url.includes('fiat_value=&') || url.includes('&fiat_value=')));
});

t.test('a list without end is followed for 20 pages', async (t) => {
  const w = await world(t);
  w.on('eth.blockscout.com', json({ items: [], next_page_params: { id: 1 } }));
  const found = await meanwhile(w, reply(w, w.wallets()));
  t.equal(asked(w, 'eth.blockscout'), 20);
  t.match(found.partial, /longer than what is followed/);
});

for (const [chain, address] of [
  ['ethereum', evmAddress],
  ['solana', solanaAddress],
  ['bitcoin', bitcoinAddress],
] as const) {
  t.test(`the node of ${chain} is down, or says nonsense`, async (t) => {
    const w = await world(t);
    w.on(`node.${chain}.test`, text('no', 503));
    const found = await meanwhile(w, reply(w, w.wallets(), chain, address));
    t.equal(found.message, 'native balance failed (unavailable)');
    t.ok(isEmpty(found));
    t.equal(asked(w, 'coins.llama.fi'), 0, 'prices of nothing are not asked');
    w.on(`node.${chain}.test`, json({ jsonrpc: '2.0', id: 1, result: { value: 'x' } }));
    const strange = await meanwhile(w, reply(w, w.wallets(), chain, address));
    t.match(strange.message, /^native balance failed \((shape|refused)\)$/);
  });
}

t.test('a node of solana that refuses token accounts', async (t) => {
  const w = await world(t, { native: 10n ** 9n, tokens: [token(1, { contract: mint(1) })] });
  const bodies: Record<string, unknown> = {
    getGenesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
    getSlot: 100,
    getBalance: { context: { slot: 1 }, value: 10 ** 9 },
  };
  w.on('node.solana.test', async (request, response) => {
    const { method = 'none', id = 0 } = JSON.parse(w.body(request));
    const result = bodies[method];
    const answer = result === undefined ? json({}, 403) : json({ jsonrpc: '2.0', id, result });
    answer(request, response);
  });
  const found = await meanwhile(w, reply(w, w.wallets(), 'solana', solanaAddress));
  t.equal(found.message, null);
  t.match(found.partial, /token discovery on solana is not available \(blocked\)/);
  t.equal(found.portfolio.total_value_usd, 150);
});
