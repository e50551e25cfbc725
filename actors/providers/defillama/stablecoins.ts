/** DefiLlama's stablecoins, one row a coin. https://api-docs.defillama.com */
import { bulk, field, isRecord, type WireRow } from '../../read.ts';
import type { Poll, Reading } from '../../sources/define.ts';
import type { Stablecoin } from '../../topics/defi.ts';
import { amount, filled, id, label, labels, uniqueRows } from '../read.ts';
import type { Request } from './api.ts';

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
export const circulating: Poll<Stablecoin, Request> = {
  requests: () => [{ api: 'stablecoins', path: '/stablecoins', query: { includePrices: 'true' } }],
  parse: ([body]) =>
    filled(
      uniqueRows(bulk(field(body, 'peggedAssets'), 'peggedAssets'), keyOf, stablecoin),
      'stablecoins',
    ),
};
