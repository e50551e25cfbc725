/** Why we and ccxt read other leaves: a difference that many exchanges have. */
import type { Difference, Differences } from './pairs.ts';

/** Differences as text, one a line: the column, what we read, what ccxt reads, and why, which `source` documents. */
export const differences =
  (source: string) =>
  ({ raw: [text = ''] }: TemplateStringsArray): Differences => {
    const found: Record<string, Difference[]> = {};
    for (const line of text.trim().split('\n')) {
      const [column = '', ours = '', theirs = '', ...words] = line.trim().split(/\s+/);
      found[column] = [
        ...(found[column] ?? []),
        { ours, theirs, why: `${words.join(' ')}: ${source}` },
      ];
    }
    return found;
  };

const product = (...leaves: readonly string[]): string => leaves.toSorted().join('*');

/** Books that count contracts of so many coins, or of so many dollars, or dollars: ccxt passes them on as they are. */
export const contracts = (source: string, price = '[0]', quantity = '[1]'): Differences => ({
  quantity: [
    {
      ours: product(quantity, 'contract'),
      theirs: quantity,
      why: `quantities are contracts of so many coins: ${source}`,
    },
    {
      ours: product(`${price}^-1`, quantity, 'contract'),
      theirs: quantity,
      why: `quantities are contracts of so many dollars: ${source}`,
    },
    {
      ours: product(`${price}^-1`, quantity),
      theirs: quantity,
      why: `quantities are dollars: ${source}`,
    },
  ],
});
