/** The columns of a price row that many tickers lack, all of them null. */
export const noQuotes = { bid: null, ask: null, high: null, low: null, base: null };
