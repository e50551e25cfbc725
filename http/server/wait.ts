/** Requests that wait: their places by address and account, and the wait for the next version of an answer. */
import type { HttpResponse } from 'uWebSockets.js';
import { accountIdOf } from '../auth/caller.ts';
import type { Target } from '../live/paths.ts';
import { type ApiError, apiError, isApiError } from '../wire/errors.ts';
import type { Admission } from './admission.ts';
import { pending, type Shared } from './handling.ts';

const addressBusy = apiError(
  'too_many_requests',
  'too many requests of your address are waiting for their answers',
  { retryAfter: 1 },
);

const accountBusy = (most: number): ApiError =>
  apiError(
    'too_many_requests',
    `${most} requests of your account are waiting for their answers, as many as your plan allows`,
  );

/** Call it once when the request waits no more. */
type Release = () => void;
const noop = () => {};

/** Counts a waiting request for its address; the error when as many wait already. */
export function enterForAddress(
  { inFlight, inFlightPerAddress }: Shared,
  client: string,
): Release | ApiError {
  return inFlight.enter(client, inFlightPerAddress) ? () => inFlight.leave(client) : addressBusy;
}

/** Counts a waiting request for its account; the error when the plan allows no more. */
export function enterForAccount(
  { inFlight, guard }: Shared,
  { caller, refusal }: Admission,
): Release | ApiError {
  if (caller === null || refusal !== null || guard.quota === undefined) return noop;
  const name = `account:${caller.account}`;
  const most = guard.quota.connections(caller);
  return inFlight.enter(name, most) ? () => inFlight.leave(name) : accountBusy(most);
}

/** Counts a waiting request for its address and its account; the error where one of them has too many. */
export function enter(shared: Shared, client: string, admission: Admission): Release | ApiError {
  const leaveAddress = enterForAddress(shared, client);
  if (isApiError(leaveAddress)) return leaveAddress;
  const leaveAccount = enterForAccount(shared, admission);
  if (isApiError(leaveAccount)) leaveAddress();
  return isApiError(leaveAccount)
    ? leaveAccount
    : () => {
        leaveAddress();
        leaveAccount();
      };
}

/** A request that waits for the next version of an answer. */
export interface Waiting {
  res: HttpResponse;
  /** The address that it counts for. */
  client: string;
  admission: Admission;
  target: Target;
  /** Milliseconds. */
  wait: number;
}

/**
 * Calls `answer`, corked, when the answer has another version, after `wait` ms, or when the server stops, whichever comes
 * first; not when the client has left. The error of a request that may not wait.
 */
export function waitForNext(
  shared: Shared,
  { res, client, admission, target, wait }: Waiting,
  answer: () => void,
): ApiError | null {
  const { topics, clock, waiting } = shared;
  const account = accountIdOf(admission.caller, client);
  const topic = topics.of(target, account);
  if (isApiError(topic)) return topic;
  const leave = enter(shared, client, admission);
  if (isApiError(leave)) return leave;
  const request = pending(shared, res, target.endpoint.slot);
  const end = () => {
    cancel();
    topics.unfollow(topic, follower);
    waiting.delete(end);
    leave();
    request.answer(() => {
      // How long the client wished to wait says nothing about the service.
      shared.counters.begin();
      answer();
    });
  };
  const follower = { account, changed: end };
  const cancel = clock.after(wait, end);
  request.signal.addEventListener('abort', end);
  topics.follow(topic, follower, { target, account: '' });
  waiting.add(end);
  return null;
}
