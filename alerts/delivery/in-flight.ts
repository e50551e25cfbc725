/** How many requests are under way. */

/** Most requests at once: to one receiver, of one account, and of all. */
const most = { receiver: 4, account: 32, all: 512 } as const;

/** Who sends to whom. */
export interface Way {
  receiver: string;
  account: string;
}

export class InFlight {
  readonly #counts = new Map<string, number>();
  #all = 0;

  /** Whether one more may begin; to a receiver that is dead only where there is no other. */
  mayBegin({ receiver, account }: Way, isDead: boolean): boolean {
    const of = (name: string) => this.#counts.get(name) ?? 0;
    return (
      this.#all < most.all &&
      of(`receiver ${receiver}`) < (isDead ? 1 : most.receiver) &&
      of(`account ${account}`) < most.account
    );
  }

  add({ receiver, account }: Way, by: 1 | -1): void {
    this.#all += by;
    for (const name of [`receiver ${receiver}`, `account ${account}`]) {
      const count = (this.#counts.get(name) ?? 0) + by;
      if (count === 0) this.#counts.delete(name);
      else this.#counts.set(name, count);
    }
  }
}
