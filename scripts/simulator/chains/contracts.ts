/** The contracts of the simulated chains: ERC-20 tokens and Multicall3, with the encoding of the real ones. */
import {
  decodeFunctionData,
  encodeFunctionResult,
  erc20Abi,
  type Hex,
  multicall3Abi,
  numberToHex,
} from 'viem';
import type { EvmChainId } from '../../../config/chains.ts';
import { multicall3 } from '../../../config/tokens.ts';
import { balanceAt, contractAt, supplyAt } from './ledger.ts';

/** The state that a call sees. */
export interface World {
  chain: EvmChainId;
  seed: number;
  /** Unix ms. */
  now: number;
}

/** A call that a contract throws out; `data` is what it gives as its reason. */
export class Revert extends Error {
  override name = 'Revert';
  readonly data: Hex;
  constructor(reason: string, data: Hex = '0x') {
    super(reason);
    this.data = data;
  }
}

/** One number as a word of 32 bytes. */
const word = (value: bigint | number): Hex => numberToHex(value, { size: 32 });

function erc20(world: World, to: string, data: Hex): Hex {
  const { chain, seed, now } = world;
  const token = contractAt(chain, to);
  if (!token) return '0x';
  const call = decodeFunctionData({ abi: erc20Abi, data });
  if (call.functionName === 'decimals') return word(token.decimals);
  if (call.functionName === 'totalSupply') return word(supplyAt(token, seed, now));
  if (call.functionName !== 'balanceOf') throw new Revert('execution reverted');
  return word(balanceAt({ chain, holder: call.args[0], token }, seed, now));
}

function aggregated(
  world: World,
  calls: readonly { target: Hex; allowFailure: boolean; callData: Hex }[],
): Hex {
  const result = calls.map(({ target, allowFailure, callData }) => {
    try {
      return { success: true, returnData: called(world, target, callData) };
    } catch (error) {
      if (!(error instanceof Revert) || !allowFailure) throw error;
      return { success: false, returnData: error.data };
    }
  });
  return encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result });
}

function multicall(world: World, data: Hex): Hex {
  const call = decodeFunctionData({ abi: multicall3Abi, data });
  const { chain, seed, now } = world;
  if (call.functionName === 'aggregate3') return aggregated(world, call.args[0]);
  if (call.functionName === 'getEthBalance') {
    return word(balanceAt({ chain, holder: call.args[0], token: null }, seed, now));
  }
  return word(Math.floor(now / 1000));
}

/**
 * What `eth_call` gives for `to` and `data`: empty bytes where there is no contract. Throws Revert; a selector that a
 * contract lacks is one.
 */
export function called(world: World, to: string, data: Hex): Hex {
  const code = to.toLowerCase() === multicall3.toLowerCase() ? multicall : null;
  try {
    return code ? code(world, data) : erc20(world, to, data);
  } catch (error) {
    if (error instanceof Revert) throw error;
    throw new Revert('execution reverted');
  }
}
