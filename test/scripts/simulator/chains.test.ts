import t, { type Test } from 'tap';
import { createPublicClient, erc20Abi, getAddress, http, multicall3Abi, parseAbi } from 'viem';
import { mainnet } from 'viem/chains';
import { chainIds, chains } from '../../../config/chains.ts';
import { hotWallets, multicall3, supplyContracts } from '../../../config/tokens.ts';
import {
  balanceAt,
  contractAt,
  gasPriceAt,
  heightAt,
  supplyAt,
} from '../../../scripts/simulator/chains/ledger.ts';
import { chainVenues } from '../../../scripts/simulator/chains/registry.ts';
import { FakeClock } from '../../support/clock.ts';
import { simulated } from '../../support/simulated.ts';

const now = Date.UTC(2026, 7, 14, 13, 37, 21);
const seed = 9;

async function started(t: Test) {
  const clock = new FakeClock(now);
  const { url: base } = await simulated(t, chainVenues(), { clock, seed });
  /** Where the simulator has an endpoint. */
  const at = (url: string) => url.replace('https:/', base);
  const post = async (url: string, body: unknown) => {
    const response = await fetch(at(url), { method: 'POST', body: JSON.stringify(body) });
    const answer: unknown = await response.json();
    return { status: response.status, answer };
  };
  return { at, post };
}

const [url] = chains.ethereum.urls;
const call = (method: string, params: unknown[] = [], id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});

t.test('viem over its own HTTP transport sees no difference to a node', async (t) => {
  const { at } = await started(t);
  const transport = http(at(url), { retryCount: 0 });
  const client = createPublicClient({ chain: mainnet, transport });
  const { address } = supplyContracts.ethereum.USDC[0];
  const token = contractAt('ethereum', address);
  if (!token) throw new Error('no token');
  const [holder = '0x'] = hotWallets[0]?.addresses ?? [];
  const usdc = { address: getAddress(address), abi: erc20Abi } as const;
  const nowhere = { ...usdc, address: holder } as const;
  const [block, gas, id, balance, results] = await Promise.all([
    client.getBlockNumber({ cacheTime: 0 }),
    client.getGasPrice(),
    client.getChainId(),
    client.getBalance({ address: holder }),
    client.multicall({
      contracts: [
        { ...usdc, functionName: 'totalSupply' },
        { ...usdc, functionName: 'decimals' },
        { ...usdc, functionName: 'balanceOf', args: [holder] },
        { address: multicall3, abi: multicall3Abi, functionName: 'getEthBalance', args: [holder] },
        { ...nowhere, functionName: 'totalSupply' },
        {
          ...usdc,
          abi: parseAbi(['function nothing() view returns (uint256)']),
          functionName: 'nothing',
        },
      ],
    }),
  ]);
  t.equal(block, BigInt(heightAt('ethereum', now)));
  t.equal(gas, gasPriceAt('ethereum', seed, now));
  t.equal(id, 1);
  const native = balanceAt({ chain: 'ethereum', holder, token: null }, seed, now);
  t.equal(balance, native);
  t.same(
    results.slice(0, 4).map(({ result }) => result),
    [
      supplyAt(token, seed, now),
      6,
      balanceAt({ chain: 'ethereum', holder, token }, seed, now),
      native,
    ],
  );
  t.same(
    results.slice(4).map(({ status }) => status),
    ['failure', 'failure'],
    'no contract, and no such function',
  );
});

t.test('a call that must not fail reverts the whole', async (t) => {
  const { at } = await started(t);
  const client = createPublicClient({ transport: http(at(url), { retryCount: 0 }) });
  const { address } = supplyContracts.ethereum.USDC[0];
  const calls = [{ target: address, allowFailure: false, callData: '0x12345678' }] as const;
  const reading = client.readContract({
    address: multicall3,
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [calls],
  });
  await t.rejects(reading, { name: 'ContractFunctionExecutionError' });
});

t.test('JSON-RPC: what a node does not know, and what is no call', async (t) => {
  const { post } = await started(t);
  const single = await post(url, call('eth_chainId', [], 'x'));
  t.same(single, { status: 200, answer: { jsonrpc: '2.0', id: 'x', result: '0x1' } });
  t.match(await post(url, call('eth_call', ['no call'])), { answer: { error: { code: -32602 } } });
  t.match(await post(url, call('toString')), { answer: { error: { code: -32601 } } });
  t.match(await post(url, [call('eth_chainId')]), { status: 400 });
});

t.test('every configured endpoint of bitcoin gives the height as plain digits', async (t) => {
  const { at } = await started(t);
  for (const endpoint of chains.bitcoin.urls) {
    const response = await fetch(`${at(endpoint)}/blocks/tip/height`);
    t.equal(await response.text(), String(heightAt('bitcoin', now)), endpoint);
  }
});

t.test('every other endpoint answers for its chain', async (t) => {
  const { post } = await started(t);
  const ids = chainIds.filter((chain) => chain !== 'bitcoin');
  const method = (chain: string) => (chain === 'solana' ? 'getGenesisHash' : 'eth_chainId');
  const endpoints = ids.flatMap((chain) => chains[chain].urls.map((one) => ({ chain, one })));
  for (const { chain, one } of endpoints) {
    const { identity } = chains[chain];
    const result = typeof identity === 'number' ? `0x${identity.toString(16)}` : identity;
    t.match(await post(one, call(method(chain))), { status: 200, answer: { result } }, one);
  }
});
