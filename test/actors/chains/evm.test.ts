import t, { type Test } from 'tap';
import {
  decodeFunctionData,
  encodeFunctionResult,
  erc20Abi,
  type Hex,
  multicall3Abi,
  numberToHex,
} from 'viem';
import { failureIn } from '../../../actors/chains/endpoint.ts';
import { type EvmTargets, evmHead, readEvm, targetsOf } from '../../../actors/chains/evm.ts';
import { isRecord } from '../../../actors/read.ts';
import { evmChainIds } from '../../../config/chains.ts';
import { hotWallets, supplyContracts } from '../../../config/tokens.ts';
import { provider } from './provider.ts';

const tokenA = '0x00000000000000000000000000000000000000aa';
const tokenB = '0x00000000000000000000000000000000000000bb';
const tokenC = '0x00000000000000000000000000000000000000cc';
const holder = '0x0000000000000000000000000000000000000001';

/** What contracts know: a word or the bytes by `contract function argument`; a call of anything else fails. */
type Known = Readonly<Record<string, bigint | Hex>>;

const abi = [...erc20Abi, ...multicall3Abi];
const shortOf = (address: string): string => address.slice(-2).toLowerCase();

/** Multicall3's answer to the calls in `params`. */
function aggregated(params: unknown, known: Known): Hex {
  const data = (params as { data: Hex }[])[0]?.data ?? '0x';
  const { args } = decodeFunctionData({ abi: multicall3Abi, data });
  const calls = args?.[0] as readonly { target: Hex; callData: Hex }[];
  const result = calls.map(({ target, callData }) => {
    const { functionName, args = [] } = decodeFunctionData({ abi, data: callData });
    const value =
      known[[shortOf(target), functionName, ...args.map(String).map(shortOf)].join(' ')];
    const returnData = typeof value === 'bigint' ? numberToHex(value, { size: 32 }) : value;
    return { success: value !== undefined, returnData: returnData ?? '0x' };
  });
  return encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result });
}

/** A chain that answers with these results, and knows what contracts know where nothing else is said of `eth_call`. */
async function chain(t: Test, results: Readonly<Record<string, unknown>>, known: Known = {}) {
  const resultOf = ({ method, params }: Readonly<Record<string, unknown>>) =>
    method === 'eth_call' && !('eth_call' in results)
      ? aggregated(params, known)
      : results[String(method)];
  return provider(t, (call) => ({
    body: isRecord(call) ? { jsonrpc: '2.0', id: call.id, result: resultOf(call) } : null,
  }));
}
const head = { eth_blockNumber: '0x36', eth_gasPrice: '0x3e8' };
const none: EvmTargets = { supplies: {}, wallets: [] };
const some: EvmTargets = { supplies: { USDC: [{ address: tokenA, decimals: 6 }] }, wallets: [] };

async function read(
  t: Test,
  targets: EvmTargets,
  results: Readonly<Record<string, unknown>>,
  known: Known = {},
) {
  const { attempt } = await chain(t, { ...head, ...results }, known);
  return readEvm(attempt(), targets);
}

async function failureOf(t: Test, results: Readonly<Record<string, unknown>>) {
  const error: unknown = await read(t, some, results, { 'aa decimals': 6n }).catch((e) => e);
  return failureIn(error);
}

t.test('gas, the fraction of a Gwei kept', async (t) => {
  t.same(await read(t, none, {}), { gas_gwei: 0.000001, supplies: [], wallets: [], dropped: [] });
  const dear = await read(t, none, { eth_gasPrice: numberToHex(10n ** 27n) });
  t.equal(dear.gas_gwei, 1e18);
});

t.test('a look: which chain it is, and how high', async (t) => {
  const look = async (results: Readonly<Record<string, unknown>>) => {
    const { attempt } = await chain(t, { ...head, eth_chainId: '0x2105', ...results });
    return evmHead(attempt());
  };
  t.same(await look({}), { identity: 8453, block: 54 });
  for (const results of [
    { eth_chainId: '0x0' },
    { eth_chainId: 1 },
    { eth_blockNumber: null },
    { eth_blockNumber: '0x0' },
    { eth_blockNumber: '0xfffffffffffffff' },
    { eth_blockNumber: '-0x1' },
  ]) {
    const failure = failureIn(await look(results).catch((error: unknown) => error));
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
    { eth_call: '0x' },
    { eth_call: '0x1234' },
    { eth_call: 'words' },
    { eth_call: null },
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
    const known = { 'aa decimals': BigInt(decimals), 'aa totalSupply': raw };
    const sample = await read(t, { supplies, wallets: [] }, {}, known);
    t.same(sample.supplies, [{ token: 'USDC', total_supply: total }]);
    t.same(sample.dropped, []);
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
const good: Known = {
  'aa decimals': 6n,
  'aa totalSupply': 5_000_001n,
  'bb decimals': 6n,
  'bb totalSupply': 2_000_000n,
  'cc decimals': 18n,
  'cc totalSupply': 3n * 10n ** 18n,
  '11 getEthBalance 01': 10n ** 18n,
  'aa balanceOf 01': 7n,
  'bb balanceOf 01': 8n,
  'cc balanceOf 01': 10n ** 12n,
};
const without = (name: string): Known =>
  Object.fromEntries(Object.entries(good).filter(([known]) => known !== name));

t.test('contracts of one token are added, with decimals of their own each', async (t) => {
  const sample = await read(t, both, {}, good);
  t.same(sample.supplies, [
    { token: 'USDC', total_supply: 5.000001 },
    { token: 'USDT', total_supply: 5 },
  ]);
  t.same(sample.wallets, [
    { label: 'some_hot', eth_balance: 1, usdc_balance: 0.000007, usdt_balance: 0.000009 },
  ]);
  t.same(sample.dropped, []);
});

t.test('a sum that lacks a part is not published: its row is named instead', async (t) => {
  for (const [what, known, unread] of [
    ['a supply fails', without('aa totalSupply'), ['USDC']],
    ['one of two supplies fails', without('cc totalSupply'), ['USDT']],
    ['a supply of nothing', { ...good, 'aa totalSupply': 0n }, ['USDC']],
    ['ether fails', without('11 getEthBalance 01'), ['some_hot']],
    ['a balance fails', without('cc balanceOf 01'), ['some_hot']],
    ['other decimals than configured', { ...good, 'aa decimals': 18n }, ['USDC', 'some_hot']],
    ['no decimals', without('cc decimals'), ['USDT', 'some_hot']],
    [
      'a result shorter than a word',
      { ...good, 'aa totalSupply': `0x${'1'.repeat(62)}` },
      ['USDC'],
    ],
    ['no contract at the address', { ...good, 'aa totalSupply': '0x' }, ['USDC']],
  ] as const) {
    const sample = await read(t, both, {}, known);
    t.same(
      sample.dropped.map(({ key }) => key),
      unread,
      what,
    );
    t.equal(sample.supplies.length + sample.wallets.length, 3 - unread.length);
  }
});

t.test('a result is its first word', async (t) => {
  const long = `${numberToHex(5_000_001n, { size: 32 })}${'ff'.repeat(32)}` as const;
  const { supplies } = await read(t, some, {}, { 'aa decimals': 6n, 'aa totalSupply': long });
  t.same(supplies, [{ token: 'USDC', total_supply: 5.000001 }]);
});

t.test('everything of contracts is one call', async (t) => {
  const { attempt, methods } = await chain(t, head, good);
  await readEvm(attempt(), both);
  t.same(methods.sort(), ['eth_call', 'eth_gasPrice']);
});

t.test('the contracts and wallets of each chain', async (t) => {
  const found = evmChainIds.flatMap((id) =>
    targetsOf(id).wallets.map(({ label }) => `${id} ${label}`),
  );
  t.same(found.sort(), hotWallets.map((group) => `${group.chain} ${group.label}`).sort());
  for (const id of evmChainIds) t.equal(targetsOf(id).supplies, supplyContracts[id]);
});

t.test('an account that holds nothing holds 0', async (t) => {
  const nothing = Object.keys(good).filter((name) => name.endsWith('01'));
  const known = { ...good, ...Object.fromEntries(nothing.map((name) => [name, 0n])) };
  const sample = await read(t, both, {}, known);
  t.same(sample.wallets, [{ label: 'some_hot', eth_balance: 0, usdc_balance: 0, usdt_balance: 0 }]);
});

t.test('a revert of the whole call is the failure of the endpoint', async (t) => {
  const { attempt } = await provider(t, (body) => {
    const error = { code: -32000, message: 'out of gas: secret' };
    const method = isRecord(body) ? body.method : null;
    return { body: method === 'eth_call' ? { id: 1, error } : { id: 1, result: '0x1' } };
  });
  const error: unknown = await readEvm(attempt(), both).catch((e) => e);
  t.same(failureIn(error), { code: 'refused', message: 'RPC error -32000' });
});
