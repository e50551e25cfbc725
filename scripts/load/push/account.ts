/** What the clients of the chaos run hold, against the log and the answers of the service. */
import { createBus } from '../../../actors/bus/bus.ts';
import { numberOf } from '../event-upstream.ts';
import type { Follower } from './followers.ts';
import type { Service } from './service.ts';

/** The numbers of all events that the log has. */
async function inLog(url: string): Promise<Set<number>> {
  const bus = createBus({ url, process: 'chaos' });
  const numbers = new Set<number>();
  const following = bus.follow({
    liquidations: (_key, { events }) => {
      for (const { quantity_base } of events) numbers.add(numberOf(quantity_base));
    },
  });
  await following.ready;
  await bus.close();
  return numbers;
}

/** The same with members in the order of their names: a patch does not keep their order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, one]) => [name, sorted(one)]));
}

/** Each event of the log must have come once, and no client may have got a message that something is missing. */
function faultsOfLog({ events, unrecovered }: Follower, truth: ReadonlySet<number>): string[] {
  const missing = [...truth].filter((number) => !events.has(number)).length;
  const twice = [...events.values()].filter((count) => count > 1).length;
  const strange = [...events.keys()].filter((number) => !truth.has(number)).length;
  if (missing + twice + strange + unrecovered === 0) return [];
  const counts = `${missing} missing, ${twice} twice, ${strange} not in the log`;
  return [`a client of the log: ${counts}, ${unrecovered} times not recovered`];
}

/** Each process states the hours that its answer is about by its own clock: a client is compared with its own process. */
async function faultsOfAnswer({ plan, port, version, data, faults }: Follower): Promise<string[]> {
  const name = `${plan.mode} ${plan.path}`;
  const response = await fetch(`http://127.0.0.1:${port}${plan.path}`);
  const etag = response.headers.get('etag') ?? '';
  const body = (await response.json()) as { data: unknown };
  const isSame = JSON.stringify(sorted(body.data)) === JSON.stringify(sorted(data));
  return [
    ...(etag.includes(version) && version !== '' ? [] : [`${name}: not the newest version`]),
    ...(isSame ? [] : [`${name}: other data than the answer has`]),
    ...faults,
  ];
}

/** What is wrong with the clients while nothing happens, and how many events the log has. */
export async function accountOf(service: Service, followers: readonly Follower[]) {
  const truth = await inLog(service.redisUrl);
  const faults = await Promise.all(
    followers.map((one) =>
      one.plan.mode === 'log' ? faultsOfLog(one, truth) : faultsOfAnswer(one),
    ),
  );
  return { faults: faults.flat(), logged: truth.size };
}
