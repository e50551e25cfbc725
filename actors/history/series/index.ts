import type { Series } from '../define.ts';
import { accountRatio } from './account-ratio.ts';
import { basis } from './basis.ts';
import { exchangeTurnover } from './exchange-turnover.ts';
import { funding, runningFunding } from './funding.ts';
import { liquidationFeeds, liquidations } from './liquidations.ts';
import { onChain } from './on-chain.ts';
import { openInterest } from './open-interest.ts';
import { optionsOpenInterest, optionsVolatility } from './options.ts';
import { liquidity, orderBook, orderBookLevels } from './order-book.ts';
import { price } from './price.ts';
import { scorecard } from './scorecard.ts';
import { bitcoinCloses, fixings, footprint, marketIndicators, referenceRates } from './sent.ts';
import { takerFlow } from './taker-flow.ts';

/** Every recorded series; keys of the first ones are back-filled before those of the others. */
export const allSeries: readonly Series[] = [
  price,
  takerFlow,
  accountRatio,
  openInterest,
  funding,
  runningFunding,
  exchangeTurnover,
  onChain,
  basis,
  optionsOpenInterest,
  optionsVolatility,
  liquidations,
  liquidationFeeds,
  orderBook,
  orderBookLevels,
  liquidity,
  footprint,
  scorecard,
  referenceRates,
  fixings,
  marketIndicators,
  bitcoinCloses,
];
