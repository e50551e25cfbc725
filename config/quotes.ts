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
  'USDE',
  'USDH',
]);

/** An amount in a quote as US dollars: as it is where the quote is a dollar or a dollar stablecoin; null where it is not, or unknown. */
export const asDollars = (
  amount: number | null,
  quote: string | null | undefined,
): number | null => (dollarQuotes.has(quote ?? '') ? amount : null);
