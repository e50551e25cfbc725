/** The methods of a simulated node of an EVM chain, with the contracts of the tokens and Multicall3. */
import {
  decodeFunctionData,
  encodeFunctionResult,
  erc20Abi,
  type Hex,
  isAddress,
  isHex,
  multicall3Abi,
  numberToHex,
} from 'viem';
import { isRecord } from '../../../actors/read.ts';
import { chains, type EvmChainId } from '../../../config/chains.ts';
import { multicall3 } from '../../../config/tokens.ts';
import { balanceAt, contractAt, gasPriceAt, supplyAt } from './ledger.ts';
import { CallError, heightWith, type Method, type Node } from './rpc.ts';

/** One number as a word of 32 bytes. */
const word = (value: bigint | number): Hex => numberToHex(value, { size: 32 });
const reverted = () => new CallError(3, 'execution reverted');

function erc20(chain: EvmChainId, { seed, now }: Node, to: string, data: Hex): Hex {
  const token = contractAt(chain, to);
  if (!token) return '0x';
  const call = decodeFunctionData({ abi: erc20Abi, data });
  if (call.functionName === 'decimals') return word(token.decimals);
  if (call.functionName === 'totalSupply') return word(supplyAt(token, seed, now));
  if (call.functionName !== 'balanceOf') throw reverted();
  return word(balanceAt({ chain, holder: call.args[0], token }, seed, now));
}

function multicall(chain: EvmChainId, node: Node, data: Hex): Hex {
  const call = decodeFunctionData({ abi: multicall3Abi, data });
  if (call.functionName === 'getEthBalance') {
    return word(balanceAt({ chain, holder: call.args[0], token: null }, node.seed, node.now));
  }
  if (call.functionName !== 'aggregate3') throw reverted();
  const result = call.args[0].map(({ target, allowFailure, callData }) => {
    try {
      return { success: true, returnData: called(chain, node, target, callData) };
    } catch (error) {
      if (!allowFailure) throw error;
      return { success: false, returnData: '0x' as const };
    }
  });
  return encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result });
}

/** What `eth_call` gives; empty bytes where there is no contract. A function that a contract lacks reverts. */
function called(chain: EvmChainId, node: Node, to: string, data: Hex): Hex {
  const isMulticall = to.toLowerCase() === multicall3.toLowerCase();
  try {
    return isMulticall ? multicall(chain, node, data) : erc20(chain, node, to, data);
  } catch {
    throw reverted();
  }
}

export const evmMethods = (chain: EvmChainId): Readonly<Record<string, Method>> => ({
  eth_chainId: ({ quirks }) => numberToHex(Number(quirks.identity ?? chains[chain].identity)),
  eth_blockNumber: (node) => numberToHex(heightWith(chain, node)),
  eth_gasPrice: ({ seed, now }) => numberToHex(gasPriceAt(chain, seed, now)),
  eth_call(node, [call]) {
    const { to, data = '0x' } = isRecord(call) ? call : {};
    if (typeof to !== 'string' || !isHex(data)) throw new CallError(-32602, 'invalid argument 0');
    return called(chain, node, to, data);
  },
  eth_getBalance({ seed, now }, [holder]) {
    if (typeof holder !== 'string' || !isAddress(holder, { strict: false })) {
      throw new CallError(-32602, 'invalid argument 0: address');
    }
    return numberToHex(balanceAt({ chain, holder, token: null }, seed, now));
  },
});
