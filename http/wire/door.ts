/** Who is let in: credentials by the gate, quotas by account or address. */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import type { Caller, Gate } from '../caller.ts';
import { type ApiError, apiError, isApiError } from '../errors.ts';
import type { AddressOf } from '../quota/address.ts';
import type { Bucket } from '../quota/bucket.ts';
import type { Quota } from '../quota/quota.ts';
import type { Route } from '../routes/route.ts';

/** What guards the rows of one server. */
export interface Guard {
  /** Absent where access is open for everyone. */
  gate?: Gate | undefined;
  /** Absent where nothing is counted. */
  quota?: Quota | undefined;
  addressOf: AddressOf;
}

/** How a request was let in, or why not. */
export class Admission {
  readonly refusal: ApiError | null;
  readonly caller: Caller | null;
  readonly #bucket: Bucket | null;
  readonly #lines: string;
  readonly #epoch: number;

  constructor(refusal: ApiError | null, caller: Caller | null, counted: Bucket | string) {
    this.refusal = refusal;
    this.caller = caller;
    this.#bucket = typeof counted === 'string' ? null : counted;
    this.#lines = typeof counted === 'string' ? counted : '';
    this.#epoch = this.#bucket?.epoch ?? 0;
  }

  /** The quota headers as they are now, empty without quotas; see `quotaLines`. */
  lines(): string {
    return this.#bucket?.lines() ?? this.#lines;
  }

  /** Takes the count of this request back, in so far as its window lasts. */
  refund(): void {
    this.#bucket?.refund(this.caller?.key ?? '', this.#epoch);
  }
}

const missing = {
  key: apiError('unauthorized', 'an API key is required in the header X-API-Key'),
  bearer: apiError('unauthorized', 'a bearer token is required in the header Authorization'),
};
const header = { key: 'x-api-key', bearer: 'authorization' } as const;

const usedUp = (limit: number, whose: string): ApiError =>
  apiError('too_many_requests', `the ${limit} requests a minute of your ${whose} are used up`);

/** The address that a request counts for. */
export const clientOf = (guard: Guard, res: HttpResponse, req: HttpRequest): string =>
  guard.addressOf({ peer: res.getRemoteAddress(), forwarded: () => forwardedBy(req) });

function forwardedBy(req: HttpRequest): string[] {
  const lines: string[] = [];
  req.forEach((name, value) => {
    if (name === 'x-forwarded-for') lines.push(value);
  });
  return lines;
}

/** Headers for a request that no account is known of. */
export const anonymousLines = (guard: Guard, res: HttpResponse, req: HttpRequest): string =>
  guard.quota === undefined ? '' : guard.quota.peek(clientOf(guard, res, req));

/** The way into one row. */
export class Door {
  readonly #guard: Guard;
  readonly #access: Route['access'];
  readonly #free: boolean;
  /** By limit: there are as many as plans. */
  readonly #refusals = new Map<number, ApiError>();

  constructor(guard: Guard, { access, free }: Pick<Route, 'access' | 'free'>) {
    this.#guard = guard;
    this.#access = guard.gate === undefined ? 'open' : access;
    this.#free = free === true;
  }

  /** At once when memory knows; reads what it needs of `res` and `req` before it returns. Never rejects. */
  admit(res: HttpResponse, req: HttpRequest): Admission | Promise<Admission> {
    const { gate, quota } = this.#guard;
    const access = this.#access;
    if (access === 'open' || gate === undefined) {
      if (quota === undefined) return new Admission(null, null, '');
      const address = clientOf(this.#guard, res, req);
      if (this.#free) return new Admission(null, null, quota.peek(address));
      return this.#count(quota.address(address), null);
    }
    const credential = req.getHeader(header[access]);
    if (credential === '') return this.#refuse(missing[access], res, req);
    const found = access === 'key' ? gate.byKey(credential) : gate.byBearer(credential);
    if (found instanceof Promise) {
      const lines = anonymousLines(this.#guard, res, req);
      return found.then((caller) =>
        isApiError(caller) ? new Admission(caller, null, lines) : this.#welcome(caller),
      );
    }
    return isApiError(found) ? this.#refuse(found, res, req) : this.#welcome(found);
  }

  #refuse(error: ApiError, res: HttpResponse, req: HttpRequest): Admission {
    return new Admission(error, null, anonymousLines(this.#guard, res, req));
  }

  #welcome(caller: Caller): Admission | Promise<Admission> {
    const { quota } = this.#guard;
    if (quota === undefined) return new Admission(null, caller, '');
    const bucket = quota.account(caller);
    // Its headers tell how the account stands.
    if (this.#free) return new Admission(null, caller, bucket.lines());
    return this.#count(bucket, caller);
  }

  #count(bucket: Bucket, caller: Caller | null): Admission | Promise<Admission> {
    const taken = bucket.take(caller?.key ?? '');
    if (taken instanceof Promise) return taken.then((ok) => this.#counted(ok, bucket, caller));
    return this.#counted(taken, bucket, caller);
  }

  #counted(ok: boolean, bucket: Bucket, caller: Caller | null): Admission {
    if (ok) return new Admission(null, caller, bucket);
    const { limit } = bucket;
    const known = this.#refusals.get(limit);
    const refusal = known ?? usedUp(limit, caller === null ? 'address' : 'plan');
    if (known === undefined) this.#refusals.set(limit, refusal);
    return new Admission(refusal, caller, bucket.lines());
  }
}
