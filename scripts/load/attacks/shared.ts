import { setTimeout as rest } from 'node:timers/promises';
import { RawClient } from '../push/raw-client.ts';
import { subscribe } from './subscribe.ts';
import type { Target, Verdict } from './target.ts';

/** Two clients that follow one pattern at the same moment: the one that leaves takes nothing from the other. */
export async function shared({ url, key }: Target): Promise<Verdict> {
  const headers = [`x-api-key: ${key}`];
  const two = await Promise.all([0, 1].map(() => RawClient.open(Number(url.port), { headers })));
  const [first, second] = two;
  for (const client of two) client.say(subscribe(1, '/v1/prices?symbol=*'));
  await rest(3_000);
  const counts = two.map(({ count }) => count);
  first?.close();
  await rest(10_000);
  const later = (second?.count ?? 0) - (counts[1] ?? 0);
  second?.close();
  return {
    measured: `${counts.join(' and ')} messages together, ${later} more after one has left`,
    bound: 'some each',
    ok: counts.every((count) => count > 1) && later > 0,
  };
}
