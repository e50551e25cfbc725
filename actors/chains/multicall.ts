/** Many reads of contracts in one `eth_call`: Multicall3's aggregate3, and what can be asked through it. */
import {
  BaseError,
  decodeFunctionResult,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  hexToBigInt,
  multicall3Abi,
  size,
  slice,
} from 'viem';
import { multicall3 } from '../../config/tokens.ts';
import { ShapeError } from '../failure.ts';

/** Each is answered by one uint256, or what fits in one. `of`: the contract; of `ether` the account. */
export type Question =
  | { ask: 'decimals' | 'totalSupply' | 'ether'; of: Hex }
  | { ask: 'balance'; of: Hex; holder: Hex };

/** The answer to a question that was asked; null when the call failed or gave no number. Throws for any other. */
export type Amounts = (question: Question) => bigint | null;

const nameOf = (question: Question): string =>
  `${question.ask} ${question.of} ${question.ask === 'balance' ? question.holder : ''}`;

function callOf(question: Question): { target: Hex; callData: Hex } {
  const { ask, of } = question;
  if (ask === 'balance') {
    const args = [question.holder] as const;
    return {
      target: of,
      callData: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args }),
    };
  }
  if (ask !== 'ether') {
    return { target: of, callData: encodeFunctionData({ abi: erc20Abi, functionName: ask }) };
  }
  const encoded = { abi: multicall3Abi, functionName: 'getEthBalance', args: [of] } as const;
  return { target: multicall3, callData: encodeFunctionData(encoded) };
}

/** The transaction object of the `eth_call` that asks everything; one call may fail without the others. */
export function amountsOf(questions: readonly Question[]): { to: Hex; data: Hex } {
  const calls = questions.map((question) => ({ ...callOf(question), allowFailure: true }));
  return {
    to: multicall3,
    data: encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [calls] }),
  };
}

/** One word: what is shorter comes from an address without a contract. */
const wordIn = (data: Hex): bigint | null =>
  size(data) >= 32 ? hexToBigInt(slice(data, 0, 32)) : null;

function resultsIn(data: Hex): readonly { success: boolean; returnData: Hex }[] {
  try {
    return decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data });
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
    throw new ShapeError('multicall: not the encoding of its results');
  }
}

/** Reads the answer to `amountsOf(questions)`. Throws ShapeError when it is not as many results as questions. */
export function amountsIn(questions: readonly Question[], data: Hex): Amounts {
  const results = resultsIn(data);
  if (results.length !== questions.length) throw new ShapeError('multicall: results are missing');
  const amounts = new Map(
    questions.map((question, at) => {
      const result = results[at];
      return [nameOf(question), result?.success ? wordIn(result.returnData) : null];
    }),
  );
  return (question) => {
    const amount = amounts.get(nameOf(question));
    if (amount === undefined) throw new Error(`not asked: ${nameOf(question)}`);
    return amount;
  };
}
