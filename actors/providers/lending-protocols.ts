/**
 * The lending protocols that are followed, by DefiLlama's slug. Slugs are renamed from time to time: one without rows
 * is shown by `missingProtocols`.
 */
export const lendingProtocols = [
  'aave-v3',
  'aave-v2',
  'aave-v4',
  'compound-v3',
  'compound-v2',
  'sparklend',
  'morpho-blue',
  'euler-v2',
  'fluid-lending',
  'venus-core-pool',
  'venus-flux',
  'benqi-lending',
  'kamino-lend',
  'jupiter-lend',
  'save',
  'moonwell-lending',
  'justlend-v1',
  'radiant-v2',
  'silo-v2',
  'dolomite',
  'fraxlend',
  'gearbox',
  'sky-lending',
  'navi-lending',
  'scallop-lend',
  'lista-lending',
  'maple',
] as const;

const followed: ReadonlySet<string> = new Set(lendingProtocols);

export const isFollowed = (protocol: string): boolean => followed.has(protocol);

/** Protocols of the list that no row is of. */
export function missingProtocols(rows: readonly { protocol: string }[]): string[] {
  const found = new Set(rows.map((row) => row.protocol));
  return lendingProtocols.filter((protocol) => !found.has(protocol));
}
