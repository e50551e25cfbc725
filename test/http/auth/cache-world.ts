import { defaultPlans } from '../../../config/plans.ts';
import { digestOf, generateKey } from '../../../http/auth/api-key.ts';
import { KeyCache, type KeyCacheOptions } from '../../../http/auth/key-cache.ts';
import type { KeyOwner } from '../../../http/auth/stored-key.ts';
import { FakeClock } from '../../support/clock.ts';

/** A cache over a store that a test writes by hand. */
export function world(most?: KeyCacheOptions['most']) {
  const clock = new FakeClock();
  const stored = new Map<string, KeyOwner>();
  const state = { asked: 0, away: false, gate: Promise.resolve() };
  const uses: [string, number][] = [];
  const failures: unknown[] = [];
  const cache = new KeyCache({
    clock,
    async find(digest) {
      state.asked += 1;
      const { away } = state;
      const found = stored.get(digest) ?? null;
      await state.gate;
      if (away) throw new Error('Redis is away');
      return found;
    },
    plans: defaultPlans,
    used: ({ digest }, now) => void uses.push([digest, now]),
    failed: (error) => void failures.push(error),
    ...(most === undefined ? {} : { most }),
  });
  const add = (account = 'alice', plan: KeyOwner['plan'] = 'free') => {
    const key = generateKey();
    stored.set(digestOf(key), { id: `id-${stored.size}`, account, plan });
    return key;
  };
  return { clock, stored, state, uses, failures, cache, add };
}
