/** Where Uniswap v3 puts a pool. https://docs.uniswap.org/contracts/v3/reference/deployments */
import type { Hex } from 'viem';
import { encodeAbiParameters, getAddress, getCreate2Address, keccak256 } from 'viem/utils';
import type { FeeTier } from '../topics/defi.ts';

const factory = '0x1F98431c8aD98523631AE4a59f267346ea31F984';
/** keccak256 of the pool contract's creation code. */
const bytecodeHash = '0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54';

const salted = [{ type: 'address' }, { type: 'address' }, { type: 'uint24' }] as const;

/** US dollars above which a pool's value is an error in a source's data: one of an imitated token, for example. */
export const largestPool = 5e9;

/** The key of a pool: both tokens in any order, in lower case as `evmAddress` gives them, and the fee. */
export interface PoolKey {
  tokens: readonly [a: Hex, b: Hex];
  fee: FeeTier;
}

/** The contract of the pool on ethereum, in checksum form: a CREATE2 address of the factory. */
export function poolAddress({ tokens: [a, b], fee }: PoolKey): Hex {
  const [token0, token1] = a < b ? [a, b] : [b, a];
  const salt = keccak256(encodeAbiParameters(salted, [token0, token1, fee]));
  return checksummed(getCreate2Address({ from: factory, salt, bytecodeHash }));
}

/** The address in lower case, or null where the value is none of an EVM chain. */
export function evmAddress(value: unknown): Hex | null {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{40}$/i.test(value)) return null;
  return `0x${value.slice(2).toLowerCase()}`;
}

/** An address in the mixed case of EIP-55. */
export const checksummed = (address: Hex): Hex => getAddress(address);
