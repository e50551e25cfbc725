/** DefiLlama's stablecoins, one row a coin. https://api-docs.defillama.com */

import {
  defineUpstream,
  type Figure,
  noFaults,
  perMinute,
  type Reading,
} from '../../market/upstream.ts';
import { isRecord } from '../../read.ts';
import { bulk, field, type WireRow } from '../../venues/rows.ts';
import { amount, filled, id, label, labels, uniqueRows } from '../read.ts';
import type { Stablecoin } from '../types.ts';

const keyOf = (row: WireRow) => id(row.id);

/** Coins that are gone, or of which nothing circulates, are left out. */
function stablecoin(row: WireRow): Reading<Stablecoin> {
  const peg = id(row.pegType);
  if (keyOf(row) === '' || peg === '' || !isRecord(row.circulating)) return null;
  const gone = row.delisted === true || (row.deadFrom ?? false) !== false;
  const circulates = row.circulating[peg] ?? 0;
  if (gone || circulates === 0) return 'left_out';
  const chains = labels(row.chains);
  const found = {
    name: label(row.name),
    symbol: label(row.symbol),
    peg_type: peg,
    circulating: amount(circulates),
  };
  if (found.name === '' || found.symbol === '' || !chains) return null;
  return found.circulating >= 0 ? { ...found, chains } : null;
}

/** In the source's order, the largest first. Reads a body that the market's figure reads as well. */
const stablecoins: Figure<Stablecoin> = {
  requests: () => [{ api: 'stablecoins', path: '/stablecoins', query: { includePrices: 'true' } }],
  parse: ([body]) =>
    filled(
      uniqueRows(bulk(field(body, 'peggedAssets'), 'peggedAssets'), keyOf, stablecoin),
      'stablecoins',
    ),
};

export const llamaStablecoins = defineUpstream({
  id: 'llama-stablecoins',
  name: 'DefiLlama stablecoins',
  apis: {
    stablecoins: {
      hosts: ['https://stablecoins.llama.fi'],
      budgets: perMinute(10),
      fault: noFaults,
      maxBody: 16_000_000,
    },
  },
  figures: { stablecoins },
});
