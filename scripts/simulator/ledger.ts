/** How often each host and path was asked; at most 1000 different ones are counted by name. */
export class Requests {
  readonly #counts = new Map<string, number>();

  add(host: string, path: string): void {
    const key = `${host}${path}`;
    const known = this.#counts.get(key);
    if (known === undefined && this.#counts.size >= 1000) return;
    this.#counts.set(key, (known ?? 0) + 1);
  }

  list(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }
}
