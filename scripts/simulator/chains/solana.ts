/** Accounts on the simulated Solana: native coins, and tokens of both programs. https://solana.com/docs/rpc/http */
import { formatUnits } from 'viem';
import { hex } from '../defi/world.ts';
import { seedOf } from '../noise.ts';
import { base58, solanaDigits } from '../wallet/accounts.ts';
import { type Holding, holdingsOf, nativeOf } from '../wallet/holdings.ts';
import { natives } from '../wallet/tokens.ts';

/** The programs of tokens, by what the parser of accounts calls them. */
const programs: ReadonlyMap<string, 'spl-token' | 'spl-token-2022'> = new Map([
  ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 'spl-token'],
  ['TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb', 'spl-token-2022'],
]);

/** 2^64 - 1: no rent is due. A reader that wants an exact integer is wrong. */
const never = 18446744073709551615n;
/** Lamports that an account holds for its rent. */
const rent = 2_039_280;

const amountOf = (raw: bigint, decimals: number) => {
  const text = formatUnits(raw, decimals);
  return { amount: String(raw), decimals, uiAmount: Number(text), uiAmountString: text };
};

function infoOf({ token, raw }: Holding, owner: string) {
  const isNative = token.address === natives.solana.wrapper;
  return {
    isNative,
    mint: token.address,
    owner,
    state: 'initialized',
    tokenAmount: amountOf(raw, token.decimals ?? 0),
    ...(isNative && { rentExemptReserve: amountOf(BigInt(rent), 9) }),
    ...(token.extended && { extensions: [{ extension: 'immutableOwner' }] }),
  };
}

function accountOf(holding: Holding, owner: string, [index, programId]: readonly [number, string]) {
  const { extended, address } = holding.token;
  const space = extended ? 170 : 165;
  return {
    pubkey: base58(hex(seedOf(0, `account ${owner} ${address} ${index}`), 64).slice(2)),
    account: {
      data: {
        program: programs.get(programId),
        parsed: { info: infoOf(holding, owner), type: 'account' },
        space,
      },
      executable: false,
      lamports: rent,
      owner: programId,
      rentEpoch: Number(never),
      space,
    },
  };
}

/** Lamports of an address; null for what is none. */
export const lamportsOf = (address: string): number | null =>
  solanaDigits(address) === null ? null : Number(nativeOf('solana', address));

/** What `getTokenAccountsByOwner` takes as its second parameter. */
export interface TokenFilter {
  programId?: unknown;
  mint?: unknown;
}

/** Accounts of an owner in the parsed form; a text says what is wrong with the parameters. */
export function tokenAccountsOf(owner: unknown, filter: TokenFilter): object[] | string {
  if (typeof owner !== 'string' || solanaDigits(owner) === null) return 'Invalid param: Invalid';
  const { programId, mint } = filter;
  if (typeof programId !== 'string' || !programs.has(programId)) {
    return mint === undefined
      ? 'Invalid param: unrecognized Token program id'
      : 'Invalid param: only programId is simulated';
  }
  const extended = programs.get(programId) === 'spl-token-2022';
  return holdingsOf('solana', owner)
    .filter(({ token }) => token.extended === extended)
    .map((holding, index) => accountOf(holding, owner, [index, programId]));
}
