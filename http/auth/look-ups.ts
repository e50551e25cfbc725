/** The room for look-ups of what is not known, in all and of one client address. */
export class LookUpRoom {
  readonly #most: { open: number; perAddress: number };
  readonly #open = new Map<string, number>();
  #total = 0;

  constructor(most: { open: number; perAddress: number }) {
    this.#most = most;
  }

  /** Takes a place until `leave`; false where there is none. */
  enter(address: string): boolean {
    const own = this.#open.get(address) ?? 0;
    if (this.#total >= this.#most.open || own >= this.#most.perAddress) return false;
    this.#total += 1;
    this.#open.set(address, own + 1);
    return true;
  }

  leave(address: string): void {
    const own = this.#open.get(address) ?? 0;
    this.#total -= 1;
    if (own > 1) this.#open.set(address, own - 1);
    else this.#open.delete(address);
  }
}
