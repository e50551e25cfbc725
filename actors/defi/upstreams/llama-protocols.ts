/** DefiLlama's protocols: what lies in each of the lending protocols. https://api-docs.defillama.com */

import {
  defineUpstream,
  type Figure,
  noFaults,
  perMinute,
  type Reading,
} from '../../market/upstream.ts';
import { text } from '../../read.ts';
import { bulk, type WireRow } from '../../venues/rows.ts';
import { isFollowed } from '../protocols.ts';
import { amount, chainName, filled, labels, uniqueRows } from '../read.ts';
import type { ProtocolTvl } from '../types.ts';

const keyOf = (row: WireRow) => text(row.slug);

/** The versions of a protocol are rows of their own, and their parent is none: nothing counts twice. */
function protocol(row: WireRow): Reading<ProtocolTvl> {
  if (!isFollowed(keyOf(row)) || row.tvl === null) return 'left_out';
  const chains = labels(row.chains);
  const tvl_usd = amount(row.tvl);
  if (!chains || !(tvl_usd >= 0)) return null;
  return { protocol: keyOf(row), tvl_usd, chains: [...new Set(chains.map(chainName))] };
}

const lending: Figure<ProtocolTvl> = {
  requests: () => [{ api: 'rest', path: '/protocols' }],
  parse: ([body]) =>
    filled(uniqueRows(bulk(body, 'protocols'), keyOf, protocol), 'lending protocols'),
};

export const llamaProtocols = defineUpstream({
  id: 'llama-protocols',
  name: 'DefiLlama protocols',
  apis: {
    rest: {
      hosts: ['https://api.llama.fi'],
      budgets: perMinute(10),
      fault: noFaults,
      maxBody: 64_000_000,
    },
  },
  figures: { lending },
});
