import type { Attack, Target } from './target.ts';

/** Keys of one account, one after the other, and streams with each of them. */
const revocations = { keys: 3, streams: 30 };
/** How long a stream may outlive its key, ms. */
const patience = 10_000;

/** The streams of a key: how many began, and how many of them have ended by themselves. */
interface Streams {
  begun: number;
  ended: number;
}

/** A key, streams with it, and its revocation, which ends them. */
async function revokedStreams(target: Target): Promise<Streams> {
  const { bearer: headers, url } = target;
  const made = { method: 'POST', headers, body: { name: 'attack' } } as const;
  const { data, message } = await target.call<{ id: string; key: string }>('/v1/auth/keys', made);
  if (!data) throw new Error(`no key: ${message}`);
  // What is followed counts against no quota: the account has as many requests a minute as it may have streams.
  const path = new URL('/v1/stream?path=/readyz', url);
  const given = new AbortController();
  const asked = { headers: { 'x-api-key': data.key }, signal: given.signal };
  const all = await Promise.all(
    Array.from({ length: revocations.streams }, () => fetch(path, asked)),
  );
  const begun = all.filter(({ ok }) => ok);
  const { status } = await target.call(`/v1/auth/keys/${data.id}`, { method: 'DELETE', headers });
  if (status !== 200) throw new Error(`the key is not revoked: HTTP ${status}`);
  const late = setTimeout(() => given.abort(), patience);
  const ends = await Promise.allSettled(begun.map((events) => events.text()));
  clearTimeout(late);
  const ended = ends.filter((end) => end.status === 'fulfilled').length;
  return { begun: begun.length, ended };
}

/** Streams that the service ends because their key was revoked, more of them than the 60 that the plan free has places for. */
export const revoked: Attack = {
  what: 'streams whose key is revoked',
  needs: ['token'],
  async run(target) {
    const all = revocations.keys * revocations.streams;
    const profile = await target.call<{ plan: string }>('/v1/auth/me', { headers: target.bearer });
    const plan = profile.data?.plan;
    if (plan !== 'free') throw new Error(`the account has the plan ${plan}`);
    let [begun, ended] = [0, 0];
    for (let i = 0; i < revocations.keys; i++) {
      const streams = await revokedStreams(target);
      begun += streams.begun;
      ended += streams.ended;
    }
    const measured = `${begun} of ${all} streams began, ${ended} ended`;
    return { measured, bound: `${all}`, ok: begun === all && ended === all };
  },
};
