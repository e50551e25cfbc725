/** Words by which people search, and parts of the paths and summaries of what they mean. */

const synonyms: Readonly<Record<string, readonly string[]>> = {
  apy: ['lending'],
  basis: ['arbitrage', 'premium', 'mark-prices'],
  candle: ['/v1/bars'],
  candlestick: ['/v1/bars'],
  depth: ['orderbook'],
  fng: ['fear-greed'],
  kline: ['/v1/bars'],
  ls: ['long-short'],
  ohlc: ['/v1/bars'],
  ohlcv: ['/v1/bars'],
  oi: ['open-interest', 'open interest'],
  ticker: ['/v1/prices', 'pairs-markets'],
  vwap: ['/v1/indicators', 'vol-weighted'],
  whale: ['large-orders', 'large orders', 'clearinghouse'],
  yield: ['lending'],
};

/** What a text may have in the place of a word: the word itself, also without a plural s, and its synonyms. */
function alternatives(word: string): string[] {
  const one = word.length > 3 ? word.replace(/s$/, '') : word;
  return [word, ...(synonyms[word] ?? synonyms[one] ?? [])];
}

/** Whether words in lower case have each word of a text, or one of its synonyms. */
export const hasAll = (words: string, text: string): boolean =>
  text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => alternatives(word).some((one) => words.includes(one)));
