/** Symbols by what a reader types: a ticker, the name of a coin, or nearly one of them. */

/** A symbol that can be opened. */
export interface Found {
  symbol: string;
  /** Of the coin, such as `Bitcoin`; empty where it is not known. */
  name: string;
  price: number | null;
  /** US dollars of 24 hours, spot and futures. */
  volume: number;
}

/** How well a symbol matches: 0 by its ticker, 1 its ticker or name begins so, 2 contains it; null where it does not match. */
function rankOf({ symbol, name }: Found, wanted: string): number | null {
  const [ticker, coin] = [symbol.toLowerCase(), name.toLowerCase()];
  if (wanted !== '' && (ticker === wanted || coin === wanted)) return 0;
  if (ticker.startsWith(wanted) || coin.startsWith(wanted)) return 1;
  return ticker.includes(wanted) || coin.includes(wanted) ? 2 : null;
}

/** The symbols that match what was typed, the best match and then the largest volume first. */
export function matching(all: readonly Found[], text: string): Found[] {
  const wanted = text.trim().toLowerCase();
  return all
    .map((one) => ({ one, rank: rankOf(one, wanted) }))
    .filter(({ rank }) => rank !== null)
    .toSorted((a, b) => Number(a.rank) - Number(b.rank) || b.one.volume - a.one.volume)
    .map(({ one }) => one);
}

/** Changes of one letter that make one word of the other, at most `worst + 1`. */
function distance(from: string, to: string, worst: number): number {
  let before = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [row, letter] of [...from].entries()) {
    const now = [row + 1];
    for (const [at, other] of [...to].entries()) {
      const replaced = (before[at] ?? 0) + (letter === other ? 0 : 1);
      now.push(Math.min(replaced, (before[at + 1] ?? 0) + 1, (now[at] ?? 0) + 1));
    }
    if (Math.min(...now) > worst) return worst + 1;
    before = now;
  }
  return before[to.length] ?? worst + 1;
}

/** Symbols whose ticker or name is nearly the word, the nearest first: for a word that matches nothing. */
export function nearest(all: readonly Found[], text: string, count = 5): Found[] {
  const wanted = text.trim().toLowerCase();
  const worst = wanted.length < 5 ? 1 : 2;
  const found = all.flatMap((one) => {
    const words = [one.symbol.toLowerCase(), one.name.toLowerCase()].filter((word) => word !== '');
    const away = Math.min(...words.map((word) => distance(wanted, word, worst)));
    return away > worst ? [] : [{ one, away }];
  });
  return found
    .toSorted((a, b) => a.away - b.away || b.one.volume - a.one.volume)
    .slice(0, count)
    .map(({ one }) => one);
}
