/** Aave v3's contracts behind Multicall3, for whoever simulates a chain's JSON-RPC: ABI in, ABI out. */
import { type Hex, multicall3Abi } from 'viem';
import { decodeFunctionData, encodeFunctionResult, getAddress, isHex } from 'viem/utils';
import { type AaveChain, aaveAbi, aaveMarkets } from '../../../actors/defi/aave.ts';
import { multicall3 } from '../../../config/tokens.ts';
import { seedOf, unit } from '../noise.ts';
import { hex, moving, type Token, tokens } from './world.ts';

/** Reserves of each market. */
export const aaveReserves = 8;

const ray = 10n ** 27n;
const millionth = (fraction: number) => BigInt(Math.round(fraction * 1e6));

/** A chain at a time. */
export interface ChainState {
  seed: number;
  chain: AaveChain;
  /** Unix ms. */
  now: number;
}

const contract = ({ seed, chain }: ChainState, name: string) =>
  getAddress(hex(seedOf(seed, `aave ${chain} ${name}`)));

/** Half to nine tenths of a reserve is borrowed; a tenth of the interest stays with the protocol. */
function reserveData({ seed, chain, now }: ChainState, token: Token) {
  const own = seedOf(seed, `${chain} ${token.symbol}`);
  const dollars = moving(own, now, 1e8 * (0.1 + unit(own, 1)));
  const supplied = BigInt(Math.round(dollars / token.price)) * 10n ** 18n;
  const used = millionth(0.5 + 0.4 * unit(own, 2));
  const borrowRate = (ray * millionth(0.02 + 0.05 * unit(own, 3))) / 1_000_000n;
  const supplyRate = (borrowRate * used * 9n) / 10_000_000n;
  const debt = (supplied * used) / 1_000_000n;
  const seconds = Math.floor(now / 1000);
  return [0n, 0n, supplied, 0n, debt, supplyRate, borrowRate, 0n, 0n, ray, ray, seconds] as const;
}

const configuration = [18n, 8050n, 8300n, 10_500n, 1000n, true, true, false, true, false] as const;

/** What the market answers to one call; null where it reverts. */
function aaveCall(state: ChainState, data: Hex): Hex | null {
  const { functionName, args } = decodeFunctionData({ abi: aaveAbi, data });
  const list = tokens(state.seed, aaveReserves);
  if (functionName === 'getPoolDataProvider' || functionName === 'getPriceOracle') {
    return encodeFunctionResult({
      abi: aaveAbi,
      functionName,
      result: contract(state, functionName),
    });
  }
  if (functionName === 'getAllReservesTokens') {
    const result = list.map(({ symbol, address }) => ({
      symbol,
      tokenAddress: getAddress(address),
    }));
    return encodeFunctionResult({ abi: aaveAbi, functionName, result });
  }
  const token = list.find(({ address }) => address === args[0].toLowerCase());
  if (!token) return null;
  if (functionName === 'getReserveData') {
    return encodeFunctionResult({ abi: aaveAbi, functionName, result: reserveData(state, token) });
  }
  if (functionName === 'getReserveConfigurationData') {
    return encodeFunctionResult({ abi: aaveAbi, functionName, result: configuration });
  }
  const result = BigInt(Math.round(token.price * 1e8));
  return encodeFunctionResult({ abi: aaveAbi, functionName, result });
}

const named = (state: ChainState) =>
  new Set(
    [
      aaveMarkets[state.chain],
      contract(state, 'getPoolDataProvider'),
      contract(state, 'getPriceOracle'),
    ].map((address) => address.toLowerCase()),
  );

/** The result of one `eth_call` to a contract of the market; undefined for any other contract, null for a revert. */
export function aaveAnswer(state: ChainState, to: string, data: Hex): Hex | null | undefined {
  if (!named(state).has(to.toLowerCase())) return undefined;
  try {
    return aaveCall(state, data);
  } catch {
    return null;
  }
}

/** The result of an `aggregate3` whose calls `answer` answers, each by itself; null for another function. */
export function multicallAnswer(
  data: Hex,
  answer: (to: string, data: Hex) => Hex | null | undefined,
): Hex | null {
  const { functionName, args } = decodeFunctionData({ abi: multicall3Abi, data });
  if (functionName !== 'aggregate3') return null;
  const result = args[0].map((call) => {
    const found = answer(call.target, call.callData);
    return { success: isHex(found), returnData: found ?? ('0x' as const) };
  });
  return encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result });
}

/** The result of an `eth_call` to Multicall3 or to a contract of the market; undefined for any other. */
export const chainAnswer = (state: ChainState, to: string, data: Hex): Hex | null | undefined =>
  to.toLowerCase() === multicall3.toLowerCase()
    ? multicallAnswer(data, (target, inner) => aaveAnswer(state, target, inner))
    : aaveAnswer(state, to, data);
