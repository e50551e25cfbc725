/** Decides whether a request is admitted: the gate checks credentials, quotas count by account or address. */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import type { BudgetName } from '../../config/plans.ts';
import type { Caller, Gate, KeyRecord } from '../auth/caller.ts';
import { badLink, linkIn, linkRefusal } from '../auth/link.ts';
import { badKey } from '../auth/refusals.ts';
import type { NoEnvelope, Route } from '../endpoints/route.ts';
import type { AddressOf, Peer } from '../quota/address.ts';
import type { Allowance } from '../quota/allowance.ts';
import type { Quota } from '../quota/quota.ts';
import { type ApiError, apiError, isApiError } from '../wire/errors.ts';
import { quotaLines } from '../wire/form.ts';
import { names } from '../wire/header-names.ts';
import { namesSession, sessionOf } from '../wire/session-cookie.ts';
import { Admission, usedUp } from './admission.ts';

/** The guards of the rows of one server. */
export interface Guard {
  /** Absent where all access is open. */
  gate?: Gate | undefined;
  /** Absent where requests are not counted. */
  quota?: Quota | undefined;
  addressOf: AddressOf;
  /** There are trusted proxies: a client has another address than its connection. */
  isProxied: boolean;
  /** Whether the client is on this machine, as rows with `local` require; null where they are open to all. */
  isLocal: ((peer: Peer) => boolean) | null;
}

/** The error of a request without the credential that its row requires. */
export const missing = {
  key: apiError('unauthorized', 'an API key is required in the header X-API-Key'),
  bearer: apiError('unauthorized', 'a bearer token is required in the header Authorization'),
};
const header = { key: names.key, bearer: names.authorization } as const;

const notLocal = apiError(
  'forbidden',
  'this page is for clients on the machine of the server; METRICS_PUBLIC=1 there opens it to all',
);
/** Other headers that proxies add to a request that they pass on. */
const relayed = ['forwarded', 'via', 'x-real-ip'];

/** The unit of each budget, for messages. */
const shares: Readonly<Record<BudgetName, string>> = { dex: 'DEX searches' };

/** The error of a used up budget of an account. */
export const shareUsedUp = (limit: number | null, name: BudgetName): ApiError =>
  apiError(
    'too_many_requests',
    `the ${limit} ${shares[name]} a minute that your account has are used up`,
  );

/** The address that a request counts for. */
export const clientOf = (guard: Guard, res: HttpResponse, req: HttpRequest): string =>
  guard.addressOf(peerOf(res, req));

const unread: Peer['forwarded'] = () => [];

/** The address of the other end of a connection. */
export const connectedOf = ({ addressOf }: Guard, res: HttpResponse): string =>
  addressOf({ peer: res.getRemoteAddress(), forwarded: unread });

const peerOf = (res: HttpResponse, req: HttpRequest): Peer => ({
  peer: res.getRemoteAddress(),
  forwarded: () => forwardedBy(req),
});

/** The key that a credential is, or the session that it names. */
const keyIn = (credential: string, req: HttpRequest): string =>
  credential === namesSession ? sessionOf(req) : credential;

/** The session that a request names in place of a key; another key is none. */
const namedSession = (req: HttpRequest): string =>
  req.getHeader(names.key) === namesSession ? sessionOf(req) : '';

/** Reads the session that a request names; the function that is returned finds its caller, null without one, and never rejects. */
export function sessionReader(
  { gate }: Pick<Guard, 'gate'>,
  req: HttpRequest,
  client: string,
): () => Promise<Caller | ApiError | null> {
  const key = namedSession(req);
  return async () => (gate === undefined || key === '' ? null : gate.byKey(key, client));
}

function forwardedBy(req: HttpRequest): string[] {
  const lines: string[] = [];
  req.forEach((name, value) => {
    if (name === 'x-forwarded-for') lines.push(value);
  });
  return lines;
}

/** Quota headers for a request whose account is not known. */
export const anonymousLines = (guard: Guard, res: HttpResponse, req: HttpRequest): string =>
  guard.quota === undefined ? '' : guard.quota.peek(clientOf(guard, res, req));

/** The properties of a row that decide who may ask it. */
type CheckedRow = Pick<Route, 'method' | 'access' | 'free' | 'local' | 'budget'> & {
  noEnvelope?: Pick<NoEnvelope, 'keyHeader'> | undefined;
};

/** Decides about the requests of one row. */
export class AdmissionCheck {
  readonly #guard: Guard;
  readonly #access: Route['access'];
  readonly #row: Pick<Route, 'method'>;
  /** The header with the credential, and the error when it is missing. */
  readonly #header: ArrayBuffer;
  readonly #missing: ApiError;
  readonly #free: boolean;
  readonly #local: boolean;
  readonly #budget: BudgetName | null;
  /** Another header of the key; null without one. */
  readonly #otherHeader: ArrayBuffer | null;
  /** By owner and limit: one per plan, and one more for addresses. */
  readonly #refusals = new Map<string, ApiError>();

  constructor(guard: Guard, row: CheckedRow) {
    const { access, free, local, budget = null } = row;
    this.#guard = guard;
    this.#row = row;
    this.#access = guard.gate === undefined ? 'open' : access;
    const kind = access === 'bearer' ? 'bearer' : 'key';
    this.#header = header[kind];
    this.#missing = missing[kind];
    this.#otherHeader = row.noEnvelope?.keyHeader ?? null;
    this.#free = free === true;
    this.#local = local === true;
    this.#budget = budget;
  }

  /**
   * A promise only when Redis must be asked. Reads everything that it needs from `res` and `req` before it returns.
   * Never rejects. `now` is when the request arrived, Unix ms.
   */
  admit(res: HttpResponse, req: HttpRequest, now: number): Admission | Promise<Admission> {
    const { gate } = this.#guard;
    const access = this.#access;
    if (this.#local && !this.#isLocal(res, req)) return this.#refuse(notLocal, res, req);
    if (access === 'open' || gate === undefined) return this.#admitOpen(res, req, now);
    const credential = this.#credential(req);
    const link = access === 'key' && credential === '' ? linkIn(req.getQuery() ?? '') : null;
    if (link !== null) return this.#admitLink(gate, link, { res, req });
    const record = access === 'key' ? gate.known(credential, now) : null;
    if (record !== null) return this.#admitRecord(record);
    const found = this.#find(gate, credential, { res, req });
    if (found instanceof Promise) {
      const lines = anonymousLines(this.#guard, res, req);
      return found.then((caller) =>
        isApiError(caller) ? new Admission(caller, null, lines) : this.#admitCaller(caller),
      );
    }
    return isApiError(found) ? this.#refuse(found, res, req) : this.#admitCaller(found);
  }

  /** Decides about a request with a link key in its URL. */
  #admitLink(
    gate: Gate,
    link: string,
    { res, req }: { res: HttpResponse; req: HttpRequest },
  ): Admission | Promise<Admission> {
    const lines = anonymousLines(this.#guard, res, req);
    const { method } = this.#row;
    const line = { method, path: req.getUrl(), query: req.getQuery() ?? '' };
    const decide = (found: Caller | ApiError): Admission | Promise<Admission> => {
      if (isApiError(found)) return new Admission(found === badKey ? badLink : found, null, lines);
      const refusal = linkRefusal(found.link ?? [], line);
      return refusal ? new Admission(refusal, found, lines) : this.#admitCaller(found);
    };
    const found = gate.byLink(link, clientOf(this.#guard, res, req));
    return found instanceof Promise ? found.then(decide) : decide(found);
  }

  /** The caller by a key that is not in memory, a session or a bearer token; the error without any. */
  #find(gate: Gate, credential: string, { res, req }: { res: HttpResponse; req: HttpRequest }) {
    const isKey = this.#access === 'key';
    if (!isKey && credential !== '') return gate.byBearer(credential);
    const key = isKey ? keyIn(credential, req) : namedSession(req);
    return key === '' ? this.#missing : gate.byKey(key, clientOf(this.#guard, res, req));
  }

  /**
   * A request with a key to an open row counts against the plan of the key. A key that is not valid, or cannot be
   * checked, is ignored: open rows need no key (specification 5.5).
   */
  #admitOpen(res: HttpResponse, req: HttpRequest, now: number): Admission | Promise<Admission> {
    const { gate, quota } = this.#guard;
    if (quota === undefined) return new Admission(null, null, '');
    const key = gate === undefined || this.#free ? '' : keyIn(this.#credential(req), req);
    const record = key === '' ? null : (gate?.known(key, now) ?? null);
    if (record !== null) return this.#admitRecord(record);
    const address = clientOf(this.#guard, res, req);
    if (this.#free) return new Admission(null, null, quota.peek(address));
    const counted = (found: Caller | ApiError | null): Admission | Promise<Admission> =>
      found === null || isApiError(found)
        ? this.#count(quota.address(address), null)
        : this.#admitCaller(found);
    if (gate === undefined || key === '') return counted(null);
    const found = gate.byKey(key, address);
    return found instanceof Promise ? found.then(counted) : counted(found);
  }

  #credential(req: HttpRequest): string {
    const given = req.getHeader(this.#header);
    if (given !== '' || this.#otherHeader === null) return given;
    return req.getHeader(this.#otherHeader).replace(/^bearer +/i, '');
  }

  #isLocal(res: HttpResponse, req: HttpRequest): boolean {
    const { isLocal } = this.#guard;
    if (isLocal === null) return true;
    return isLocal(peerOf(res, req)) && relayed.every((name) => req.getHeader(name) === '');
  }

  #refuse(error: ApiError, res: HttpResponse, req: HttpRequest): Admission {
    return new Admission(error, null, anonymousLines(this.#guard, res, req));
  }

  #admitRecord(record: KeyRecord): Admission | Promise<Admission> {
    const { caller, allowance } = record;
    const { quota } = this.#guard;
    if (quota === undefined || this.#free) return this.#admitCaller(caller);
    if (allowance !== null && !allowance.gone) return this.#count(allowance, caller);
    const found = quota.account(caller);
    record.allowance = found;
    return this.#count(found, caller);
  }

  #admitCaller(caller: Caller): Admission | Promise<Admission> {
    const { quota } = this.#guard;
    if (quota === undefined) return new Admission(null, caller, '');
    const bucket = quota.account(caller);
    // The request is not counted, but its headers show the quota of the account.
    if (this.#free) return new Admission(null, caller, quotaLines(bucket.state(false)));
    return this.#count(bucket, caller);
  }

  #count(bucket: Allowance, caller: Caller | null): Admission | Promise<Admission> {
    const taken = bucket.take(caller?.key ?? '');
    if (taken instanceof Promise) return taken.then((ok) => this.#counted(ok, bucket, caller));
    return this.#counted(taken, bucket, caller);
  }

  #counted(ok: boolean, bucket: Allowance, caller: Caller | null): Admission | Promise<Admission> {
    const { quota } = this.#guard;
    if (ok && this.#budget !== null && caller !== null && quota !== undefined) {
      return this.#share(quota.budget(this.#budget, caller), this.#budget, {
        caller,
        admission: new Admission(null, caller, bucket),
      });
    }
    if (ok) return new Admission(null, caller, bucket);
    const whose = caller === null ? 'address' : 'plan';
    const name = `${whose} ${bucket.limit}`;
    const known = this.#refusals.get(name);
    const refusal = known ?? usedUp(bucket.limit, whose);
    if (known === undefined) this.#refusals.set(name, refusal);
    return new Admission(refusal, caller, quotaLines(bucket.state(false)));
  }

  /** Counts against the row's own budget as well. When that budget is used up, takes the first count back. */
  #share(
    bucket: Allowance,
    name: BudgetName,
    { caller, admission }: { caller: Caller; admission: Admission },
  ): Admission | Promise<Admission> {
    const decided = (ok: boolean): Admission => {
      if (ok) return admission.withShare(bucket);
      admission.refund();
      return new Admission(
        shareUsedUp(bucket.limit, name),
        caller,
        quotaLines(bucket.state(false)),
      );
    };
    const taken = bucket.take(caller.key ?? '');
    return taken instanceof Promise ? taken.then(decided) : decided(taken);
  }
}
