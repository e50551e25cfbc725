/** The caller whom the owner of a key is. */
import type { Plans } from '../../config/plans.ts';
import type { KeyKind } from './api-key.ts';
import type { Caller } from './caller.ts';
import type { KeyOwner } from './stored-key.ts';

/** The caller with a key of a kind, `live` when absent; a link key without paths reads nothing. */
export function callerOf(
  { id, account, plan, paths, until }: KeyOwner,
  { plans, kind }: { plans: Plans; kind?: KeyKind },
): Caller {
  const caller: Caller = { account, plan: plans.of(plan).name, key: id };
  if (until !== undefined) caller.until = until;
  return Object.freeze(kind === 'link' ? { ...caller, link: paths ?? [] } : caller);
}
