/** The last accepted values of sums for which there is no second source. */
import { hour } from '../../config/time.ts';
import { plausible, type Rule } from '../../indicators/market/plausible.ts';

/** Age up to which values are compared, ms: exchanges gain and lose parts, and a lasting change is real. */
const memory = hour;

/** Values by key. Keys are those of exchanges, some with a number of markets: few, and always the same. */
export class LastAccepted {
  readonly #rule: Rule;
  readonly #values = new Map<string, { value: number; at: number }>();

  constructor(rule: Rule) {
    this.#rule = rule;
  }

  /** Whether a value can follow the last one of its key; it is then remembered. */
  accepts(key: string, value: number, now: number): boolean {
    const known = this.#values.get(key);
    const before = known && now - known.at <= memory ? known.value : null;
    if (plausible(value, before, this.#rule)) return false;
    this.#values.set(key, { value, at: now });
    return true;
  }
}
