/** Why we and ccxt read other leaves: kinds of differences that several exchanges have, each with its source. */
import type { Differences } from './pairs.ts';

/** Books that count contracts of so many coins, or of so many dollars: ccxt passes contracts on. */
export const contracts = (source: string, quantity = '[1]'): Differences => ({
  quantity: {
    ours: [quantity, 'contract'].toSorted().join('*'),
    theirs: quantity,
    why: `quantities are contracts: ${source}`,
  },
});

export const dollarContracts = (source: string, price = '[0]', quantity = '[1]'): Differences => ({
  quantity: [
    {
      ours: [`${price}^-1`, quantity, 'contract'].toSorted().join('*'),
      theirs: quantity,
      why: `quantities are contracts of so many dollars: ${source}`,
    },
    {
      ours: [`${price}^-1`, quantity].toSorted().join('*'),
      theirs: quantity,
      why: `quantities are dollars: ${source}`,
    },
  ],
});
