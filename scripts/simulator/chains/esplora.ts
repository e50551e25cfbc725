/** Addresses on the simulated Bitcoin, in the form of Esplora. https://github.com/Blockstream/esplora/blob/master/API.md */
import { Network, validate } from 'bitcoin-address-validation';
import { mix, seedOf, unit } from '../noise.ts';
import { Refused } from '../venue.ts';
import { showcase } from '../wallet/accounts.ts';

/** The address of twenty zero bytes, which is unknown here. */
export const unseenBitcoin = '1111111111111111111114oLvT2';

const coin = 1e8;

const statsOf = (funded: readonly [count: number, sum: number], spent: typeof funded) => ({
  funded_txo_count: funded[0],
  funded_txo_sum: funded[1],
  spent_txo_count: spent[0],
  spent_txo_sum: spent[1],
  tx_count: Math.max(funded[0], spent[0]),
});

const none = [0, 0] as const;

/** What an address has received and spent on the chain: out of a hash, up to ten coins are left. */
function confirmed(address: string) {
  if (address === showcase.bitcoin) return statsOf([1, 94_641], none);
  if (address === unseenBitcoin) return statsOf(none, none);
  const seed = seedOf(0, address);
  const left = Math.floor(10 ** (unit(seed, 1) * 4 - 3) * coin);
  const spent = Math.floor(unit(seed, 2) * 50 * coin);
  const count = 1 + (mix(seed, 3) % 60);
  return statsOf([count, left + spent], [Math.floor(count / 2), count < 2 ? 0 : spent]);
}

/** The one of `showcase` is spending all it has, as in the recording; of others nothing waits. */
const waiting = (address: string) =>
  statsOf(none, address === showcase.bitcoin ? [1, 94_641] : none);

/**
 * `GET /address/{address}`, in satoshi. Throws a refusal for anything that is not an address; the real text is plain, here it is
 * text in JSON.
 */
export function addressStats(text: string): object {
  if (!validate(text, Network.mainnet)) throw new Refused(400, 'Invalid Bitcoin address');
  const address = /^BC1/.test(text) ? text.toLowerCase() : text;
  return { address, chain_stats: confirmed(address), mempool_stats: waiting(address) };
}
