/** How a caller's word is matched with words of ours. */

/** Minutes in lower case, or months of a year in upper case: neither stands for the other. */
const minutesOrMonths = /^(\d|1[0-2])?m$/i;

/** The word of a list that a text names: the same one first, else the first that differs in case only. */
export function listedWord<W extends string>(words: readonly W[], text: string): W | undefined {
  const same = words.find((word) => word === text);
  if (same !== undefined || minutesOrMonths.test(text)) return same;
  const lower = text.toLowerCase();
  return words.find((word) => word.toLowerCase() === lower);
}

/** Letters to insert, remove or replace to get from one word to the other (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const replaced = (row[j] ?? 0) + (letter === b[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** Letters of a caller's word that are compared: longer than every name of ours. */
const longest = 32;

/** The candidate, in lower case, that is nearest to a word in any case; undefined without candidates. */
export function nearestOf(name: string, candidates: Iterable<string>): string | undefined {
  const word = name.toLowerCase().slice(0, longest);
  let best: { candidate?: string; far: number } = { far: Number.POSITIVE_INFINITY };
  for (const candidate of candidates) {
    const far = distance(word, candidate);
    if (far < best.far) best = { candidate, far };
  }
  return best.candidate;
}
