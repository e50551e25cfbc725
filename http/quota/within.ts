/** An allowance within that of its account: what it admits is counted against both. */
import type { QuotaState } from '../wire/form.ts';
import type { Allowance } from './allowance.ts';

export class Within implements Allowance {
  readonly #own: Allowance;
  readonly #account: Allowance;

  constructor(own: Allowance, account: Allowance) {
    this.#own = own;
    this.#account = account;
  }

  /** The one that has less left. */
  get #tighter(): Allowance {
    if (this.#account.limit === null) return this.#own;
    const { remaining } = this.#own.state(false);
    return this.#account.state(false).remaining < remaining ? this.#account : this.#own;
  }

  get limit(): number | null {
    return this.#tighter.limit;
  }

  get epoch(): number {
    return this.#own.epoch + this.#account.epoch;
  }

  get gone(): boolean {
    return this.#own.gone || this.#account.gone;
  }

  take(key: string): boolean | Promise<boolean> {
    const own = this.#own.take(key);
    return own instanceof Promise
      ? own.then((isTaken) => this.#takeSecond(key, isTaken))
      : this.#takeSecond(key, own);
  }

  refund(key: string, epoch: number): void {
    if (epoch !== this.epoch) return;
    this.#own.refund(key, this.#own.epoch);
    this.#account.refund(key, this.#account.epoch);
  }

  state(sameTurn: boolean): QuotaState {
    return this.#tighter.state(sameTurn);
  }

  #takeSecond(key: string, isTaken: boolean): boolean | Promise<boolean> {
    if (!isTaken) return false;
    const { epoch } = this.#own;
    const decided = (ok: boolean): boolean => {
      if (!ok) this.#own.refund(key, epoch);
      return ok;
    };
    const taken = this.#account.take(key);
    return taken instanceof Promise ? taken.then(decided) : decided(taken);
  }
}
