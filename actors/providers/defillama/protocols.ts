/** DefiLlama's protocols: what lies in each of the lending protocols. https://api-docs.defillama.com */
import { bulk, text, type WireRow } from '../../read.ts';
import type { Poll, Reading } from '../../sources/define.ts';
import type { ProtocolTvl } from '../../topics/defi.ts';
import { isFollowed } from '../lending-protocols.ts';
import { amount, chainName, filled, labels, uniqueRows } from '../read.ts';
import type { Request } from './api.ts';

const keyOf = (row: WireRow) => text(row.slug);

/** The versions of a protocol are rows of their own, and their parent is none: nothing counts twice. */
function protocol(row: WireRow): Reading<ProtocolTvl> {
  if (!isFollowed(keyOf(row)) || row.tvl === null) return 'left_out';
  const chains = labels(row.chains);
  const tvl_usd = amount(row.tvl);
  if (!chains || !(tvl_usd >= 0)) return null;
  return { protocol: keyOf(row), tvl_usd, chains: [...new Set(chains.map(chainName))] };
}

export const lendingTvl: Poll<ProtocolTvl, Request> = {
  requests: () => [{ api: 'rest', path: '/protocols' }],
  parse: ([body]) =>
    filled(uniqueRows(bulk(body, 'protocols'), keyOf, protocol), 'lending protocols'),
};
