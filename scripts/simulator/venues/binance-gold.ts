/** Tokenised gold on Binance: of this market the candles alone are simulated, on the path of gold itself. */

import { goldPath } from '../market/traditional.ts';
import { Market } from '../market.ts';
import type { Model } from '../model.ts';
import { dollarsPer } from '../symbols.ts';

export const goldId = 'PAXGUSDT';

/** The market, which is in no list of the venue. */
export const goldMarket = ({ seed }: Model): Market =>
  new Market(
    {
      venue: 'binance',
      id: goldId,
      group: 'spot',
      kind: 'spot',
      asset: 'coin',
      symbol: 'PAXG',
      quote: 'USDT',
      scale: 1,
      contract: 1,
      inverse: false,
      decimals: 2,
      lot: 4,
      share: 0.3,
      listed: Date.UTC(2020, 7, 28),
      state: 'live',
    },
    goldPath(seed),
    seed,
    dollarsPer(seed, 'USDT'),
  );
