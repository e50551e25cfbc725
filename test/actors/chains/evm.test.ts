import t, { type Test } from 'tap';
import { encodeFunctionResult, type Hex, multicall3Abi, numberToHex } from 'viem';
import { type EvmTargets, evmProtocol, targetsOf } from '../../../actors/chains/evm.ts';
import { failureIn } from '../../../actors/chains/transport.ts';
import { isRecord } from '../../../actors/read.ts';
import { evmChainIds } from '../../../config/chains.ts';
import { hotWallets, supplyContracts } from '../../../config/tokens.ts';
import { provider } from './provider.ts';

const tokenA = '0x00000000000000000000000000000000000000aa';
const tokenB = '0x00000000000000000000000000000000000000bb';
const tokenC = '0x00000000000000000000000000000000000000cc';
const holder = '0x0000000000000000000000000000000000000001';

/** Words of the inner calls in the order of the questions; null for one that fails. */
const words = (values: readonly (bigint | null)[]): Hex =>
  encodeFunctionResult({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    result: values.map((value) => ({
      success: value !== null,
      returnData: value === null ? '0x' : numberToHex(value, { size: 32 }),
    })),
  });

/** A chain that answers with these results. */
async function chain(t: Test, results: Readonly<Record<string, unknown>>) {
  const one = (call: unknown) =>
    isRecord(call) ? { jsonrpc: '2.0', id: call.id, result: results[String(call.method)] } : null;
  return provider(t, (body) => ({ body: Array.isArray(body) ? body.map(one) : one(body) }));
}
const head = { eth_blockNumber: '0x36', eth_gasPrice: '0x3e8' };
const none: EvmTargets = { supplies: {}, wallets: [] };

async function read(t: Test, targets: EvmTargets, results: Readonly<Record<string, unknown>>) {
  const { attempt } = await chain(t, { ...head, ...results });
  return evmProtocol(targets).read(attempt());
}

async function failureOf(t: Test, results: Readonly<Record<string, unknown>>) {
  const error: unknown = await read(t, none, { eth_call: words([]), ...results }).catch((e) => e);
  return failureIn(error);
}

t.test('block and gas, the fraction of a Gwei kept', async (t) => {
  const sample = await read(t, none, { eth_call: words([]) });
  t.same(sample, { block: 54, gasGwei: 0.000001, supplies: [], wallets: [], unread: [] });
  const dear = await read(t, none, { eth_call: words([]), eth_gasPrice: numberToHex(10n ** 27n) });
  t.equal(dear.gasGwei, 1e18);
});

t.test('a probe: which chain it is, and how high', async (t) => {
  const probe = async (results: Readonly<Record<string, unknown>>) => {
    const { attempt } = await chain(t, { ...head, eth_chainId: '0x2105', ...results });
    return evmProtocol(none).probe(attempt());
  };
  t.same(await probe({}), { identity: 8453, block: 54 });
  for (const results of [{ eth_chainId: '0x0' }, { eth_chainId: 1 }, { eth_blockNumber: null }]) {
    const failure = failureIn(await probe(results).catch((error: unknown) => error));
    t.equal(failure?.code, 'shape', JSON.stringify(results));
  }
});

t.test('answers that are not numbers, or not plausible ones', async (t) => {
  for (const results of [
    { eth_gasPrice: '0x0' },
    { eth_gasPrice: '0x' },
    { eth_gasPrice: 1000 },
    { eth_gasPrice: '1000' },
    { eth_gasPrice: null },
    { eth_blockNumber: '0x0' },
    { eth_blockNumber: '0xfffffffffffffff' },
    { eth_blockNumber: '-0x1' },
    { eth_call: '0x' },
    { eth_call: '0x1234' },
    { eth_call: 'words' },
    { eth_call: null },
    { eth_call: words([1n]) },
  ]) {
    t.equal((await failureOf(t, results))?.code, 'shape', JSON.stringify(results));
  }
});

t.test('decimals 0, 6, 18 and 77, and amounts beyond 2^53', async (t) => {
  for (const [raw, decimals, total] of [
    [12_345n, 0, 12_345],
    [123_456_789_012_345n, 6, 123_456_789.012345],
    [9_007_199_254_740_993_000_000_000_000_000_001n, 18, 9_007_199_254_740_994],
    [10n ** 76n, 77, 0.1],
  ] as const) {
    const supplies = { USDC: [{ address: tokenA, decimals }] } as const;
    const eth_call = words([BigInt(decimals), raw]);
    const sample = await read(t, { supplies, wallets: [] }, { eth_call });
    t.same(sample.supplies, [{ token: 'USDC', total }]);
    t.same(sample.unread, []);
  }
});

const both: EvmTargets = {
  supplies: {
    USDC: [{ address: tokenA, decimals: 6 }],
    USDT: [
      { address: tokenB, decimals: 6 },
      { address: tokenC, decimals: 18 },
    ],
  },
  wallets: [{ label: 'some_hot', addresses: [holder] }],
};
/** Decimals and supply of the three tokens, then what the wallet holds: ether and the three tokens. */
const good = [6n, 5_000_001n, 6n, 2_000_000n, 18n, 3n * 10n ** 18n, 10n ** 18n, 7n, 8n, 10n ** 12n];
const changed = (at: number, value: bigint | null) => good.map((v, i) => (i === at ? value : v));

t.test('contracts of one token are added, with decimals of their own each', async (t) => {
  const sample = await read(t, both, { eth_call: words(good) });
  t.same(sample.supplies, [
    { token: 'USDC', total: 5.000001 },
    { token: 'USDT', total: 5 },
  ]);
  t.same(sample.wallets, [{ label: 'some_hot', eth: 1, usdc: 0.000007, usdt: 0.000009 }]);
  t.same(sample.unread, []);
});

t.test('a sum that lacks a part is not published: its row is named instead', async (t) => {
  for (const [what, values, unread] of [
    ['a supply fails', changed(1, null), ['USDC']],
    ['one of two supplies fails', changed(5, null), ['USDT']],
    ['a supply of nothing', changed(1, 0n), ['USDC']],
    ['ether fails', changed(6, null), ['some_hot']],
    ['a balance fails', changed(9, null), ['some_hot']],
    ['other decimals than configured', changed(0, 18n), ['USDC', 'some_hot']],
    ['no decimals', changed(4, null), ['USDT', 'some_hot']],
  ] as const) {
    const sample = await read(t, both, { eth_call: words(values) });
    t.same(sample.unread, unread, what);
    t.equal(sample.supplies.length + sample.wallets.length, 3 - unread.length);
  }
});

t.test('a result is its first word; a shorter one is refused', async (t) => {
  const supplies = { USDC: [{ address: tokenA, decimals: 6 }] } as const;
  const word = numberToHex(5_000_001n, { size: 32 });
  const readOf = async (returnData: Hex) => {
    const decimals = { success: true, returnData: numberToHex(6n, { size: 32 }) };
    const result = [decimals, { success: true, returnData }];
    const form = { abi: multicall3Abi, functionName: 'aggregate3', result } as const;
    const { attempt } = await chain(t, { ...head, eth_call: encodeFunctionResult(form) });
    return (await evmProtocol({ supplies, wallets: [] }).read(attempt())).supplies[0]?.total;
  };
  const found = [word, `${word}${'ff'.repeat(32)}`, word.slice(0, -2), '0x'] as const;
  t.same(await Promise.all(found.map((data) => readOf(data as Hex))), [
    5.000001,
    5.000001,
    undefined,
    undefined,
  ]);
});

t.test('the contracts and wallets of each chain', async (t) => {
  const found = evmChainIds.flatMap((id) =>
    targetsOf(id).wallets.map(({ label }) => `${id} ${label}`),
  );
  t.same(found.sort(), hotWallets.map((group) => `${group.chain} ${group.label}`).sort());
  for (const id of evmChainIds) t.equal(targetsOf(id).supplies, supplyContracts[id]);
});

t.test('an account that holds nothing holds 0', async (t) => {
  const zeros = good.map((value, at) => (at > 5 ? 0n : value));
  const sample = await read(t, both, { eth_call: words(zeros) });
  t.same(sample.wallets, [{ label: 'some_hot', eth: 0, usdc: 0, usdt: 0 }]);
});

t.test('a revert of the whole call is the failure of the endpoint', async (t) => {
  const { attempt } = await provider(t, (body) => {
    const calls = Array.isArray(body) ? body : [];
    const error = { code: -32000, message: 'out of gas: secret' };
    return {
      body: calls.map(({ id, method }) =>
        method === 'eth_call' ? { id, error } : { id, result: '0x1' },
      ),
    };
  });
  const error: unknown = await evmProtocol(both)
    .read(attempt())
    .catch((e) => e);
  t.same(failureIn(error), { code: 'refused', message: 'RPC error -32000' });
});
