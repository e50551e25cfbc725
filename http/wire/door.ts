/** Who is let in: credentials by the gate, quotas by account or address. */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import type { BudgetName } from '../../config/plans.ts';
import type { Caller, Gate } from '../caller.ts';
import { type ApiError, apiError, isApiError } from '../errors.ts';
import type { AddressOf, Peer } from '../quota/address.ts';
import type { Bucket } from '../quota/bucket.ts';
import type { Quota } from '../quota/quota.ts';
import type { Route } from '../routes/route.ts';
import { names } from './names.ts';

/** What guards the rows of one server. */
export interface Guard {
  /** Absent where access is open for everyone. */
  gate?: Gate | undefined;
  /** Absent where nothing is counted. */
  quota?: Quota | undefined;
  addressOf: AddressOf;
  /** Whether a row for this machine's own clients is for this one. */
  isLocal(peer: Peer): boolean;
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
const header = { key: names.key, bearer: names.authorization } as const;

const notLocal = apiError(
  'forbidden',
  'this page is for clients on the machine of the server; METRICS_PUBLIC=1 there opens it to all',
);
/** Other headers by which proxies tell that they pass a request on. */
const relayed = ['forwarded', 'via', 'x-real-ip'];

const usedUp = (limit: number, whose: string): ApiError =>
  apiError('too_many_requests', `the ${limit} requests a minute of your ${whose} are used up`);

/** What the budgets are of, in words. */
const shares: Readonly<Record<BudgetName, string>> = { dex: 'DEX searches' };

const shareUsedUp = (limit: number, name: BudgetName): ApiError =>
  apiError(
    'too_many_requests',
    `the ${limit} ${shares[name]} a minute that your account has are used up`,
  );

/** The address that a request counts for. */
export const clientOf = (guard: Guard, res: HttpResponse, req: HttpRequest): string =>
  guard.addressOf(peerOf(res, req));

const peerOf = (res: HttpResponse, req: HttpRequest): Peer => ({
  peer: res.getRemoteAddress(),
  forwarded: () => forwardedBy(req),
});

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
  /** Where its credential is, and what is said when there is none. */
  readonly #header: ArrayBuffer;
  readonly #missing: ApiError;
  readonly #free: boolean;
  readonly #local: boolean;
  readonly #budget: BudgetName | null;
  /** By limit: there are as many as plans. */
  readonly #refusals = new Map<number, ApiError>();

  constructor(guard: Guard, row: Pick<Route, 'access' | 'free' | 'local' | 'budget'>) {
    const { access, free, local, budget = null } = row;
    this.#guard = guard;
    this.#access = guard.gate === undefined ? 'open' : access;
    const kind = access === 'bearer' ? 'bearer' : 'key';
    this.#header = header[kind];
    this.#missing = missing[kind];
    this.#free = free === true;
    this.#local = local === true;
    this.#budget = budget;
  }

  /** At once when memory knows; reads what it needs of `res` and `req` before it returns. Never rejects. */
  admit(res: HttpResponse, req: HttpRequest): Admission | Promise<Admission> {
    const { gate, quota } = this.#guard;
    const access = this.#access;
    if (this.#local && !this.#isLocal(res, req)) return this.#refuse(notLocal, res, req);
    if (access === 'open' || gate === undefined) {
      if (quota === undefined) return new Admission(null, null, '');
      const address = clientOf(this.#guard, res, req);
      if (this.#free) return new Admission(null, null, quota.peek(address));
      return this.#count(quota.address(address), null);
    }
    const credential = req.getHeader(this.#header);
    if (credential === '') return this.#refuse(this.#missing, res, req);
    const found = access === 'key' ? gate.byKey(credential) : gate.byBearer(credential);
    if (found instanceof Promise) {
      const lines = anonymousLines(this.#guard, res, req);
      return found.then((caller) =>
        isApiError(caller) ? new Admission(caller, null, lines) : this.#welcome(caller),
      );
    }
    return isApiError(found) ? this.#refuse(found, res, req) : this.#welcome(found);
  }

  #isLocal(res: HttpResponse, req: HttpRequest): boolean {
    return (
      this.#guard.isLocal(peerOf(res, req)) && relayed.every((name) => req.getHeader(name) === '')
    );
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

  #counted(ok: boolean, bucket: Bucket, caller: Caller | null): Admission | Promise<Admission> {
    const { quota } = this.#guard;
    if (ok && this.#budget !== null && caller !== null && quota !== undefined) {
      return this.#share(quota.budget(this.#budget, caller), this.#budget, {
        caller,
        admission: new Admission(null, caller, bucket),
      });
    }
    if (ok) return new Admission(null, caller, bucket);
    const { limit } = bucket;
    const known = this.#refusals.get(limit);
    const refusal = known ?? usedUp(limit, caller === null ? 'address' : 'plan');
    if (known === undefined) this.#refusals.set(limit, refusal);
    return new Admission(refusal, caller, bucket.lines());
  }

  /** A second count, of the row's own budget; where that is used up the first is taken back. */
  #share(
    bucket: Bucket,
    name: BudgetName,
    { caller, admission }: { caller: Caller; admission: Admission },
  ): Admission | Promise<Admission> {
    const judged = (ok: boolean): Admission => {
      if (ok) return admission;
      admission.refund();
      return new Admission(shareUsedUp(bucket.limit, name), caller, bucket.lines());
    };
    const taken = bucket.take(caller.key ?? '');
    return taken instanceof Promise ? taken.then(judged) : judged(taken);
  }
}
