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

/** When each was last seen to go on, and the longest time in which it was not, ms. */
class Gaps {
  readonly #last = new Map<string, number>();
  readonly longest = new Map<string, number>();

  seen(name: string, isNew: boolean): void {
    const now = performance.now();
    const gap = now - (this.#last.get(name) ?? now);
    this.longest.set(name, Math.max(gap, this.longest.get(name) ?? 0));
    if (isNew || !this.#last.has(name)) this.#last.set(name, now);
  }
}

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

async function look(probes: Probes, gaps: Gaps): Promise<void> {
  round += 1;
  const found = Object.entries(probes).map(async ([name, probe]) => {
    const signal = AbortSignal.timeout(5_000);
    const late = new Promise<false>((resolve) => {
      signal.onabort = () => resolve(false);
    });
    gaps.seen(name, await Promise.race([probe(round).catch(() => false), late]));
  });
  await Promise.all(found);
}

/** Looks for so long; the longest time in which something has stopped, and what, where that is too long. */
async function watch(probes: Probes, lasts: number): Promise<string[]> {
  const gaps = new Gaps();
  for (const end = performance.now() + lasts; performance.now() < end; await rest(500))
    await look(probes, gaps);
  return [...gaps.longest]
    .filter(([, gap]) => gap > times.most)
    .map(([name, gap]) => `${name} ${Math.round(gap / 1_000)} s`);
}

/** Each role in turn an hour ahead and an hour behind, in a demo whose clocks the folder sets. */
async function stepAll(target: Target, folder: string): Promise<Verdict> {
  const { probes, shown, close } = await probesOf(target);
  const bound = `nothing for more than ${times.most / 1_000} s, 0 times ahead, named ${2 * roles.length} times`;
  const stopped: string[] = [];
  let named = 0;
  let calm = await watch(probes, times.wrong);
  for (const end = performance.now() + times.begin; calm.length > 0 && performance.now() < end; )
    calm = await watch(probes, times.wrong);
  if (calm.length > 0) {
    throw new Error(`without a step stopped already: ${calm.join(', ')}; is the machine busy?`);
  }
  for (const role of roles) {
    for (const ahead of [hour, -hour]) {
      writeFileSync(join(folder, role), `${ahead}`);
      const during = watch(probes, times.wrong + times.after);
      await rest(times.wrong);
      named += (await target.read<{ clocks: unknown[] }>('/healthz'))?.clocks.length ?? 0;
      rmSync(join(folder, role));
      for (const what of await during) stopped.push(`${role} ${ahead / hour} h: ${what}`);
    }
  }
  close();
  return {
    measured: `${stopped.length} stopped${stopped.map((one) => ` (${one})`).join('')}, ${shown.ahead} times ahead; a wrong clock was named ${named} times`,
    bound,
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
