/** Every data provider that needs no key: one line each. Jobs and queries ask their clients by these ids. */
import type { Apis } from '../sources/define.ts';

export const providers: readonly { id: string; name: string; apis: Apis }[] = [
  (await import('./alternative-me.ts')).alternativeMe,
  (await import('./blockchain-info.ts')).blockchainInfo,
  (await import('./coingecko.ts')).coingecko,
  (await import('./coinlore.ts')).coinlore,
  (await import('./coinmetrics.ts')).coinmetrics,
  (await import('./coinpaprika.ts')).coinpaprika,
  (await import('./defillama/index.ts')).defillama,
  (await import('./dexscreener.ts')).dexscreener,
  (await import('./frankfurter.ts')).frankfurter,
  (await import('./fred.ts')).fred,
  (await import('./geckoterminal.ts')).geckoterminal,
  (await import('./mempool.ts')).mempool,
  (await import('./orca.ts')).orca,
  (await import('./raydium.ts')).raydium,
  (await import('./yahoo.ts')).yahoo,
];
