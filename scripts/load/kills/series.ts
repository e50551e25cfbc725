/** The series of the run. */
import { liquidationFeeds, liquidations } from '../../../actors/history/series/liquidations.ts';
import { openInterest } from '../../../actors/history/series/open-interest.ts';
import { price } from '../../../actors/history/series/price.ts';

export const series = [price, openInterest, liquidations, liquidationFeeds];
