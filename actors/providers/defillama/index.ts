/** DefiLlama: stablecoins, exchange reserves, lending, Uniswap's pools, prices of tokens. https://api-docs.defillama.com */
import { defineSource } from '../../sources/define.ts';
import { apis } from './api.ts';
import { circulating, exchanges, lendingTvl, stablecoinDays, stablecoins } from './market.ts';
import { lending, uniswapPools } from './yields.ts';

export const defillama = defineSource({
  id: 'defillama',
  name: 'DefiLlama',
  apis,
  polls: {
    ...{ stablecoins, stablecoinDays, exchanges, circulating, lendingTvl },
    lending: lending('yields', ''),
    uniswapPools: uniswapPools('yields', ''),
    originLending: lending('yields-origin', '/yield-api'),
    originUniswapPools: uniswapPools('yields-origin', '/yield-api'),
  },
});
