/**
 * Quote currencies whose prices are taken as dollar prices. Each is multiplied by its own live USD rate,
 * the median of the venues that trade it against USD, and by 1 where no venue does.
 */
export const dollarQuotes: ReadonlySet<string> = new Set([
  'USD',
  'USDT',
  'USDC',
  'FDUSD',
  'BUSD',
  'USD1',
]);
