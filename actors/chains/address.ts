/** Validation of addresses by form and checksum, without a request. */
import { base58 } from '@scure/base';
import { Network, validate } from 'bitcoin-address-validation';
import { isAddress } from 'viem';
import { type ChainId, type ChainKind, chains } from '../../config/chains.ts';

/** Longer than any address of any chain (a taproot address has 62 characters). */
const longest = 100;

/** In one case throughout it has no checksum; in both it must be the one of EIP-55. */
const isEvmAddress = (text: string): boolean =>
  isAddress(text, { strict: !/^0x([0-9a-f]{40}|[0-9A-F]{40})$/.test(text) });

/** Base58 of 32 bytes; on or off the curve, as the accounts of programs are off it. */
function isSolanaAddress(text: string): boolean {
  try {
    return base58.decode(text).length === 32;
  } catch {
    return false;
  }
}

const checks: Readonly<Record<ChainKind, (text: string) => boolean>> = {
  evm: isEvmAddress,
  solana: isSolanaAddress,
  esplora: (text) => validate(text, Network.mainnet),
};

/** The form of an address of each kind of chain, for messages. */
const forms: Readonly<Record<ChainKind, string>> = {
  evm: '0x and 40 hexadecimal digits, with the checksum of EIP-55 where upper and lower case are mixed',
  solana: 'base58 of 32 bytes',
  esplora: 'a Bitcoin mainnet address with its checksum (1..., 3..., bc1...)',
};

/** True for an address of the chain's main network. Surrounding blanks are no part of an address. */
export const isAddressOf = (chain: ChainId, text: string): boolean =>
  text.length <= longest && checks[chains[chain].kind](text);

/** The form of an address of the chain, for messages. */
export const addressForm = (chain: ChainId): string => forms[chains[chain].kind];
