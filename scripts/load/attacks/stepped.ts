/** Clocks of hosts that step: a demo of its own, of which each role in turn is an hour ahead or behind for a while. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { startDemo } from '../../examples/service.ts';
import { type Attack, Target, type Verdict } from './target.ts';

const roles = ['web', 'feed', 'compute', 'history', 'alerts'] as const;
const hour = 3_600_000;
/** How long a clock is wrong, and how long it is looked at after it is right again; what may stop, ms. */
const times = { wrong: 20_000, after: 12_000, most: 10_000, begin: 120_000 } as const;
const path = '/v1/prices?symbol=BTC';
const markets = ['BTC', 'ETH', 'SOL', 'XRP', 'DOGE', 'BNB'];
const intervals = ['1m', '5m', '15m', '30m', '1h', '4h'];

/** What must go on: true where there is news of it, or it has answered. */
type Probes = Readonly<Record<string, (round: number) => Promise<boolean>>>;

interface Prices {
  exchanges: Readonly<Record<string, { updated_at: number }>>;
}

/** The probes of a service, and the times ahead of ours that it has shown. */
async function probesOf(target: Target) {
  const client = await target.follow([path]);
  const rule = {
    pointer: '/exchanges/*/price',
    condition: { type: 'change', percent: 0.001, within: 60 },
  };
  await target.call('/v1/alerts', {
    method: 'POST',
    body: { name: 'clocks', path, ...rule, deliver: [] },
  });
  const shown = { ahead: 0 };
  let [messages, newest, event] = [0, 0, ''];
  const answers = async (at: string) => (await target.call(at)).status === 200;
  const of = (round: number, list: readonly string[]) => list[round % list.length] ?? '';
  const probes: Probes = {
    async stream() {
      const before = messages;
      messages = client.count;
      return messages > before;
    },
    async prices() {
      const { exchanges = {} } = (await target.read<Prices>(path)) ?? {};
      const found = Object.values(exchanges).map(({ updated_at }) => updated_at);
      if (found.some((time) => time > Date.now() + 2_000)) shown.ahead += 1;
      const before = newest;
      newest = Math.max(0, ...found);
      return newest > before;
    },
    async alerts() {
      const found = await target.read<{ events: { id: string }[] }>('/v1/alerts/events?limit=1');
      const before = event;
      event = found?.events.at(-1)?.id ?? '';
      return event !== before;
    },
    compute: (round) =>
      answers(
        `/v1/indicators?symbol=${of(round, markets)}&interval=${of(Math.floor(round / markets.length), intervals)}`,
      ),
    history: (round) =>
      answers(
        `/v1/open-interest/ohlc?symbol=${of(round, markets)}&interval=1h&limit=${1 + (round % 200)}`,
      ),
  };
  return { probes, shown, close: () => client.close() };
}

let round = 0;

/** Whether each probe has news, within five seconds. */
async function look(probes: Probes): Promise<[name: string, isNew: boolean][]> {
  round += 1;
  const now = round;
  const found = Object.entries(probes).map(async ([name, probe]): Promise<[string, boolean]> => {
    const late = rest(5_000, false, { ref: false });
    return [name, await Promise.race([probe(now).catch(() => false), late])];
  });
  return Promise.all(found);
}

/** Looks for so long; by name, for how long what had stopped too long was without news, ms. */
async function watch(probes: Probes, lasts: number): Promise<ReadonlyMap<string, number>> {
  const last = new Map<string, number>();
  const stopped = new Map<string, number>();
  for (const end = performance.now() + lasts; performance.now() < end; await rest(500)) {
    for (const [name, isNew] of await look(probes)) {
      const now = performance.now();
      const gap = now - (last.get(name) ?? now);
      if (gap > times.most) stopped.set(name, Math.max(gap, stopped.get(name) ?? 0));
      if (isNew || !last.has(name)) last.set(name, now);
    }
  }
  return stopped;
}

/** What stops during a step and not also without one right after it: else the machine is busy. */
async function stoppedBy(probes: Probes, during: Promise<ReadonlyMap<string, number>>) {
  const found = await during;
  const without = found.size === 0 ? found : await watch(probes, times.wrong + times.after);
  return [...found].filter(([name]) => !without.has(name));
}

/** Each role in turn an hour ahead and an hour behind, in a demo whose clocks the folder sets. */
async function stepAll(target: Target, folder: string): Promise<Verdict> {
  const { probes, shown, close } = await probesOf(target);
  const end = performance.now() + times.begin;
  while ((await watch(probes, times.wrong)).size > 0) {
    if (performance.now() > end)
      throw new Error('something stops without a step; is the machine busy?');
  }
  const stopped: string[] = [];
  let named = 0;
  for (const role of roles) {
    for (const ahead of [hour, -hour]) {
      writeFileSync(join(folder, role), `${ahead}`);
      const during = watch(probes, times.wrong + times.after);
      await rest(times.wrong);
      named += (await target.read<{ clocks: unknown[] }>('/healthz'))?.clocks.length ?? 0;
      rmSync(join(folder, role));
      for (const [name, gap] of await stoppedBy(probes, during))
        stopped.push(`${role} ${ahead / hour} h: ${name} ${Math.round(gap / 1_000)} s`);
    }
  }
  close();
  const list = stopped.length === 0 ? '' : ` (${stopped.join(', ')})`;
  return {
    measured: `${stopped.length} stopped${list}, ${shown.ahead} times ahead; a wrong clock was named ${named} times`,
    bound: `nothing for more than ${times.most / 1_000} s, 0 times ahead, named ${2 * roles.length} times`,
    ok: stopped.length === 0 && shown.ahead === 0 && named === 2 * roles.length,
  };
}

/** Nothing stops for more than ten seconds, and no time ahead is shown. */
export const stepped: Attack = {
  what: 'a demo of its own, of which each role is an hour ahead or behind for 20 s; six minutes',
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'stepped-'));
    const demo = await startDemo({ CLOCKS: folder });
    try {
      const key = demo.credentials.ApiKey?.['x-api-key'] ?? '';
      return await stepAll(new Target(new URL(demo.url), { key }), folder);
    } finally {
      await demo.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
