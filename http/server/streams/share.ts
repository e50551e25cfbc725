/** A client of streams, and what its subscriptions count for: its quota, and how many it may have at once. */
import { late, within } from '../../../actors/kernel/clock.ts';
import type { Caller } from '../../auth/caller.ts';
import type { Topics } from '../../live/topics.ts';
import { type ApiError, apiError } from '../../wire/errors.ts';
import { Admission } from '../admission.ts';
import type { Shared } from '../handling.ts';

/** Longest that a quota may take to be counted, ms. */
const countDeadline = 2_000;

/** Shared by the sessions of one server. */
export interface LiveContext {
  shared: Shared;
  topics: Topics;
  /** What one client address may have without a key. */
  perAddress: { connections: number; subscriptions: number };
}

/** Whose connection it is. */
export interface Client {
  address: string;
  caller: Caller | null;
  /** The credential, for checks while the connection lasts; empty without one. */
  key: string;
}

/** The name under which the connections of a client are counted. */
export const nameOf = ({ caller, address }: Client): string =>
  caller === null ? `stream:address:${address}` : `stream:account:${caller.account}`;

/** The name under which its subscriptions are counted, and how many it may have. */
export const shareOf = ({ shared: { guard }, perAddress }: LiveContext, client: Client) => ({
  name: `following:${nameOf(client)}`,
  most:
    client.caller === null || guard.quota === undefined
      ? perAddress.subscriptions
      : guard.quota.subscriptions(client.caller),
});

/** Counts a subscription like `weight` requests. */
export async function count(
  { shared }: LiveContext,
  { caller, address }: Client,
  weight: number,
): Promise<ApiError | null> {
  const { quota } = shared.guard;
  if (quota === undefined) return null;
  const allowance = caller === null ? quota.address(address) : quota.account(caller);
  const counted = new Admission(null, caller, allowance).more(weight);
  const refusal = await within(shared.clock, countDeadline, counted);
  return refusal === late ? apiError('store_unavailable') : refusal;
}

export const tooManySubscriptions = apiError(
  'too_many_requests',
  'your plan allows no more subscriptions',
);
