/** Every recorded series. */
import type { Series } from '../define.ts';
import { funding } from './funding.ts';
import { openInterest } from './open-interest.ts';
import { price } from './price.ts';
import { takerFlow } from './taker-flow.ts';

export const allSeries: readonly Series[] = [openInterest, funding, price, takerFlow];
