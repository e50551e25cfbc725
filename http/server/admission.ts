/** The decision about a request, with what it was counted against. */
import type { Caller } from '../auth/caller.ts';
import type { Allowance } from '../quota/allowance.ts';
import { type ApiError, apiError } from '../wire/errors.ts';
import { type QuotaState, quotaLines } from '../wire/form.ts';

/** The error of a used up quota. */
export const usedUp = (limit: number | null, whose: string): ApiError =>
  apiError('too_many_requests', `the ${limit} requests a minute of your ${whose} are used up`);

/** The decision about one request: admitted, or refused with an error. */
export class Admission {
  readonly refusal: ApiError | null;
  readonly caller: Caller | null;
  readonly #bucket: Allowance | null;
  readonly #lines: string;
  readonly #epoch: number;
  /** What the request was counted against besides, and its window. */
  #share: { bucket: Allowance; epoch: number } | null = null;

  constructor(refusal: ApiError | null, caller: Caller | null, counted: Allowance | string) {
    this.refusal = refusal;
    this.caller = caller;
    this.#bucket = typeof counted === 'string' ? null : counted;
    this.#lines = typeof counted === 'string' ? counted : '';
    this.#epoch = this.#bucket?.epoch ?? 0;
  }

  /** The quota headers as they are now, empty without quotas. */
  lines(): string {
    return this.#bucket === null ? this.#lines : quotaLines(this.#bucket.state(false));
  }

  /**
   * What they state, null without quotas; undefined where they are text only. Valid until the next call. `sameTurn`: nothing has
   * been waited for since the request was counted.
   */
  quota(sameTurn: boolean): QuotaState | null | undefined {
    if (this.#bucket !== null) return this.#bucket.state(sameTurn);
    return this.#lines === '' ? null : undefined;
  }

  /** Counts `times` further requests; the error when the quota does not have them all, of which none is counted then. */
  async more(times: number): Promise<ApiError | null> {
    const bucket = this.#bucket;
    if (bucket === null) return null;
    const key = this.caller?.key ?? '';
    /** The window that each request was counted in: a new one may begin while Redis is asked. */
    const epochs: number[] = [];
    while (epochs.length < times) {
      if (await bucket.take(key)) epochs.push(bucket.epoch);
      else {
        for (const epoch of epochs) bucket.refund(key, epoch);
        return usedUp(bucket.limit, this.caller === null ? 'address' : 'plan');
      }
    }
    return null;
  }

  /** The same request, refused after its admission: takes its count back. */
  refused(error: ApiError): Admission {
    this.refund();
    return new Admission(error, this.caller, this.lines());
  }

  /** The same request, counted against a budget of its account as well. */
  withShare(bucket: Allowance): this {
    this.#share = { bucket, epoch: bucket.epoch };
    return this;
  }

  /** Takes the counts of this request back, each if its window still lasts. */
  refund(): void {
    const key = this.caller?.key ?? '';
    this.#bucket?.refund(key, this.#epoch);
    this.#share?.bucket.refund(key, this.#share.epoch);
  }
}
