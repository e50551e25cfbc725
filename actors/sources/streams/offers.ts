/** What the streams of a process keep of single markets, such as order books and trades, where its queries find it. */
export class Offers<Kept> {
  /** By `source/part/market`. */
  readonly #kept = new Map<string, Kept>();

  /** Offers what is kept of a market. */
  put(source: string, part: string, market: string, kept: Kept): void {
    this.#kept.set(`${source}/${part}/${market}`, kept);
  }

  /** Withdraws it, unless another one has replaced it. */
  remove(source: string, part: string, market: string, kept: Kept): void {
    if (this.find(source, part, market) === kept) this.#kept.delete(`${source}/${part}/${market}`);
  }

  find(source: string, part: string, market: string): Kept | undefined {
    return this.#kept.get(`${source}/${part}/${market}`);
  }

  /** The markets of a source of which something is kept, as `part/market`. */
  markets(source: string): string[] {
    const keys = [...this.#kept.keys()].filter((key) => key.startsWith(`${source}/`));
    return keys.map((key) => key.slice(source.length + 1));
  }
}
