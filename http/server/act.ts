/** Rows that act: they make, change or end something, or compute out of a body. */
import { accountIdOf } from '../auth/caller.ts';
import { batchText } from '../endpoints/batch.ts';
import type { Values } from '../endpoints/endpoint.ts';
import type { Call } from '../endpoints/route.ts';
import { answersAt, followFault } from '../live/followed.ts';
import { isApiError } from '../wire/errors.ts';
import { sessionReader } from './admission-check.ts';
import { bodyOf } from './handling.ts';
import type { Handling, Service, Start } from './service.ts';
import { enter } from './wait.ts';

/** An act, which may have a body. */
export const startAct =
  ({ shared, endpoint }: Service, run: Handling<'act'>): Start =>
  (asked, checked) => {
    const { req, client, signal } = asked;
    const type = req.getHeader('content-type');
    const idempotencyKey = req.getHeader('idempotency-key');
    const isHttps = req.getHeader('origin').startsWith('https://');
    const session = sessionReader(shared.guard, req, client);
    const { clock, topics } = shared;
    const bytes = bodyOf(shared, asked, endpoint.bodyCap);
    return async (admitted) => {
      const { refusal, caller } = admitted;
      const read = await bytes;
      if (refusal !== null) return refusal;
      if (isApiError(checked)) return checked;
      if (isApiError(read)) return read;
      const body = endpoint.checkBody(type, read);
      if (isApiError(body)) return body;
      const account = accountIdOf(caller, client);
      const count = (times: number) => admitted.more(times);
      const request = { values: checked.values, body: body.value, caller, account };
      const around = {
        ...{ find: topics.find, account, now: () => clock.now() },
        enter: () => enter(shared, client, admitted),
      };
      const batch = (paths: readonly string[]) => batchText(paths, around);
      const follow: Call<Values>['follow'] = (...asked) => followFault(topics, ...asked);
      const look: Call<Values>['look'] = (...asked) => answersAt(topics, asked, account);
      const call = { ...request, idempotencyKey, isHttps, session, count, batch, follow, look };
      return run.act(call, signal);
    };
  };
