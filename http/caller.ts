import type { PlanName } from '../config/plans.ts';
import type { ApiError } from './errors.ts';

/** Who makes a request. */
export interface Caller {
  /** The account: the subject that the identity provider states. */
  account: string;
  plan: PlanName;
  /** Id of the API key that was used; null when it was a bearer token. */
  key: string | null;
  email?: string;
}

/** Tells who makes a request from the credential it carries. */
export interface Gate {
  /** By the text of `X-API-Key`. At once when memory knows; a promise, with a deadline, when Redis must be asked. */
  byKey(key: string): Caller | ApiError | Promise<Caller | ApiError>;
  /** By the text of `Authorization`. Never rejects. */
  byBearer(authorization: string): Promise<Caller | ApiError>;
}
