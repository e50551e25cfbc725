/** Every data provider that needs no key: one line each. Jobs and queries ask their clients by these ids. */
import type { Apis } from '../sources/define.ts';
import { alternativeMe } from './alternative-me.ts';
import { blockchainInfo } from './blockchain-info.ts';
import { coingecko } from './coingecko.ts';
import { coinlore } from './coinlore.ts';
import { coinpaprika } from './coinpaprika.ts';
import { defillama } from './defillama/index.ts';
import { dexscreener } from './dexscreener.ts';
import { frankfurter } from './frankfurter.ts';
import { fred } from './fred.ts';
import { geckoterminal } from './geckoterminal.ts';
import { mempool } from './mempool.ts';
import { orca } from './orca.ts';
import { raydium } from './raydium.ts';
import { yahoo } from './yahoo.ts';

export const providers: readonly { id: string; name: string; apis: Apis }[] = [
  alternativeMe,
  blockchainInfo,
  coingecko,
  coinlore,
  coinpaprika,
  defillama,
  dexscreener,
  frankfurter,
  fred,
  geckoterminal,
  mempool,
  orca,
  raydium,
  yahoo,
];
