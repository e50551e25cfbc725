import { setTimeout as rest } from 'node:timers/promises';
import type { Target, Verdict } from './target.ts';

/** Keys of one account, one after the other, each in another minute of its quota, and streams with each of them. */
const revocations = { keys: 3, streams: 30, pause: 61_000 };

/** A key, streams with it, and its revocation, which ends them: how many have begun. */
async function revokedStreams({ url }: Target, bearer: Record<string, string>): Promise<number> {
  const made = await fetch(new URL('/v1/auth/keys', url), {
    method: 'POST',
    headers: { ...bearer, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'attack' }),
  });
  const { data } = (await made.json()) as { data?: { id: string; key: string } };
  if (!data) return 0;
  const path = new URL('/v1/stream?path=/v1/prices%3Fsymbol%3DBTC', url);
  const streams = await Promise.all(
    Array.from({ length: revocations.streams }, () =>
      fetch(path, { headers: { 'x-api-key': data.key } }),
    ),
  );
  await fetch(new URL(`/v1/auth/keys/${data.id}`, url), { method: 'DELETE', headers: bearer });
  await Promise.all(streams.map((events) => events.text()));
  return streams.filter(({ status }) => status === 200).length;
}

/** Streams that the service ends because their key was revoked, more of them than the 60 that the plan free has places for. */
export async function revoked(target: Target): Promise<Verdict> {
  const { url, token } = target;
  const all = revocations.keys * revocations.streams;
  const bound = `${all}`;
  if (token === undefined) return { measured: 'no --token', bound, ok: null };
  const bearer = { authorization: `Bearer ${token}` };
  const profile = await fetch(new URL('/v1/auth/me', url), { headers: bearer });
  const { data } = (await profile.json()) as { data?: { plan: string } };
  if (data?.plan !== 'free')
    return { measured: `the account has the plan ${data?.plan}`, bound, ok: false };
  let begun = 0;
  for (let i = 0; i < revocations.keys; i++) {
    if (i > 0) await rest(revocations.pause);
    begun += await revokedStreams(target, bearer);
  }
  return { measured: `${begun} of ${all} streams began`, bound, ok: begun === all };
}
