import { setTimeout as rest } from 'node:timers/promises';
import type { Attack, Target } from './target.ts';

/** Keys of one account, one after the other, each in another minute of its quota, and streams with each of them. */
const revocations = { keys: 3, streams: 30, pause: 61_000 };

/** A key, streams with it, and its revocation, which ends them: how many have begun. */
async function revokedStreams(target: Target): Promise<number> {
  const { bearer: headers, url } = target;
  const made = { method: 'POST', headers, body: { name: 'attack' } } as const;
  const { data } = await target.call<{ id: string; key: string }>('/v1/auth/keys', made);
  if (!data) return 0;
  const path = new URL('/v1/stream?path=/v1/prices%3Fsymbol%3DBTC', url);
  const streams = await Promise.all(
    Array.from({ length: revocations.streams }, () =>
      fetch(path, { headers: { 'x-api-key': data.key } }),
    ),
  );
  await target.call(`/v1/auth/keys/${data.id}`, { method: 'DELETE', headers });
  await Promise.all(streams.map((events) => events.text()));
  return streams.filter(({ status }) => status === 200).length;
}

/** Streams that the service ends because their key was revoked, more of them than the 60 that the plan free has places for. */
export const revoked: Attack = {
  what: 'streams whose key is revoked, two minutes',
  needs: ['token'],
  async run(target) {
    const all = revocations.keys * revocations.streams;
    const profile = await target.call<{ plan: string }>('/v1/auth/me', { headers: target.bearer });
    const plan = profile.data?.plan;
    if (plan !== 'free') throw new Error(`the account has the plan ${plan}`);
    let begun = 0;
    for (let i = 0; i < revocations.keys; i++) {
      if (i > 0) await rest(revocations.pause);
      begun += await revokedStreams(target);
    }
    return { measured: `${begun} of ${all} streams began`, bound: `${all}`, ok: begun === all };
  },
};
