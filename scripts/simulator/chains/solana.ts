/** The methods of a simulated node of Solana: native coins, and tokens of both programs. https://solana.com/docs/rpc/http */
import { formatUnits } from 'viem';
import { isRecord } from '../../../actors/read.ts';
import { chains } from '../../../config/chains.ts';
import { solana } from '../defi/world.ts';
import { seedOf } from '../noise.ts';
import { type Holding, holdingsOf, nativeOf } from '../wallet/holdings.ts';
import { CallError, heightWith, type Method, type Node } from './rpc.ts';

/** The programs of tokens, by what the parser of accounts calls them. */
const programs: Readonly<Record<string, string>> = {
  TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA: 'spl-token',
  TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb: 'spl-token-2022',
};

const inContext = (node: Node, value: unknown) => ({
  context: { apiVersion: '2.0.15', slot: heightWith('solana', node) },
  value,
});

function addressIn([owner]: readonly unknown[]): string {
  if (typeof owner === 'string' && /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(owner)) return owner;
  throw new CallError(-32602, 'Invalid param: Invalid');
}

/** An account in the parsed form, whatever encoding is asked for. */
function accountOf({ token, raw }: Holding, owner: string, programId: string) {
  const text = formatUnits(raw, token.decimals);
  const info = {
    isNative: token.symbol === 'WSOL',
    mint: token.address,
    owner,
    state: 'initialized',
    tokenAmount: {
      amount: String(raw),
      decimals: token.decimals,
      uiAmount: Number(text),
      uiAmountString: text,
    },
  };
  const space = token.extended ? 170 : 165;
  return {
    pubkey: solana(seedOf(0, `account ${owner} ${token.address}`)),
    account: {
      data: { program: programs[programId], parsed: { info, type: 'account' }, space },
      executable: false,
      lamports: 2_039_280,
      owner: programId,
      // 2^64 - 1: no rent is due. A reader that wants an exact integer is wrong.
      rentEpoch: 2 ** 64,
      space,
    },
  };
}

function tokenAccounts(node: Node, params: readonly unknown[]): unknown {
  const owner = addressIn(params);
  const { programId = '' } = isRecord(params[1]) ? params[1] : {};
  const program = programs[String(programId)];
  if (!program) throw new CallError(-32602, 'Invalid param: unrecognized Token program id');
  const held = holdingsOf('solana', owner).filter(
    ({ token }) => token.extended === (program === 'spl-token-2022'),
  );
  return inContext(
    node,
    held.map((holding) => accountOf(holding, owner, String(programId))),
  );
}

export const solanaMethods: Readonly<Record<string, Method>> = {
  getGenesisHash: ({ quirks }) => String(quirks.identity ?? chains.solana.identity),
  getSlot: (node) => heightWith('solana', node),
  getBalance: (node, params) => inContext(node, Number(nativeOf('solana', addressIn(params)))),
  getTokenAccountsByOwner: tokenAccounts,
};
