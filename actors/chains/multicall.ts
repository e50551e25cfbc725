/** Many reads of contracts in one `eth_call`: Multicall3's aggregate3, and the amounts that are asked through it. */
import {
  decodeFunctionResult,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  hexToBigInt,
  isHex,
  multicall3Abi,
  size,
  slice,
} from 'viem';
import { multicall3 } from '../../config/tokens.ts';
import { ShapeError } from '../failure.ts';

/** The transaction object of an `eth_call`: the contract and the call data. */
export interface Call {
  to: Hex;
  data: Hex;
}

/** Many calls as one; each may fail without the others. */
export function multicallOf(calls: readonly Call[]): Call {
  const args = calls.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }));
  const encoded = { abi: multicall3Abi, functionName: 'aggregate3', args: [args] } as const;
  return { to: multicall3, data: encodeFunctionData(encoded) };
}

function decoded(data: Hex): readonly { success: boolean; returnData: Hex }[] {
  try {
    return decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data });
  } catch {
    throw new ShapeError('multicall: not the encoding of its results');
  }
}

/**
 * The answers to `count` calls of `multicallOf`, in their order; null for one that failed. Throws ShapeError where `data`
 * is not the encoding of as many.
 */
export function resultsIn(data: unknown, count: number): (Hex | null)[] {
  if (!isHex(data)) throw new ShapeError('multicall: not hexadecimal');
  const results = decoded(data);
  if (results.length !== count) throw new ShapeError('multicall: results are missing');
  return results.map(({ success, returnData }) => (success ? returnData : null));
}

/** Each is answered by one uint256, or what fits in one. `of`: the contract; of `ether` the account. */
export type Question =
  | { ask: 'decimals' | 'totalSupply' | 'ether'; of: Hex }
  | { ask: 'balance'; of: Hex; holder: Hex };

/** The answer to a question that was asked; null when the call failed or gave no number. Throws for any other. */
export type Amounts = (question: Question) => bigint | null;

const nameOf = (question: Question): string =>
  `${question.ask} ${question.of} ${question.ask === 'balance' ? question.holder : ''}`;

function callOf(question: Question): Call {
  const { ask, of } = question;
  if (ask === 'balance') {
    const args = [question.holder] as const;
    return { to: of, data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args }) };
  }
  if (ask !== 'ether') {
    return { to: of, data: encodeFunctionData({ abi: erc20Abi, functionName: ask }) };
  }
  const encoded = { abi: multicall3Abi, functionName: 'getEthBalance', args: [of] } as const;
  return { to: multicall3, data: encodeFunctionData(encoded) };
}

/** The `eth_call` that asks everything. */
export const amountsOf = (questions: readonly Question[]): Call =>
  multicallOf(questions.map(callOf));

/** One word (32 bytes): a shorter result comes from an address without a contract. */
const wordIn = (data: Hex): bigint | null =>
  size(data) >= 32 ? hexToBigInt(slice(data, 0, 32)) : null;

/** Reads the answer to `amountsOf(questions)`. Throws ShapeError when it is not as many results as questions. */
export function amountsIn(questions: readonly Question[], data: unknown): Amounts {
  const results = resultsIn(data, questions.length);
  const amounts = new Map(
    questions.map((question, at) => {
      const result = results[at];
      return [nameOf(question), result ? wordIn(result) : null];
    }),
  );
  return (question) => {
    const amount = amounts.get(nameOf(question));
    if (amount === undefined) throw new Error(`not asked: ${nameOf(question)}`);
    return amount;
  };
}
