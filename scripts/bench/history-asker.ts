/**
 * Asks the history over the bus: `node history-asker.ts RATE MIX`, with the URL of the Redis on standard input. It asks at
 * a steady rate for a while, as a process that is up for hours has been compiled, then sends `ready`, asks on from the next
 * message on, and sends its `Asked`.
 */
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { createBus } from '../../actors/bus/bus.ts';
import { type RecordedParams, recordedKey } from '../../actors/topics/index.ts';
import { assetOf, exchanges } from './history-file.ts';
import { type Asked, rates } from './history-rates.ts';
import { waitedBy } from './usage.ts';

const hour = 3_600_000;

/** 500 hours of nine exchanges: the newest ones of some assets, and each `fresh` one another range of the past. */
export function question(i: number, fresh = Number.POSITIVE_INFINITY): RecordedParams {
  const isFresh = i % fresh === fresh - 1;
  const asset = assetOf(8, i % (isFresh ? 180 : rates.questions));
  const keys = exchanges.slice(0, 9).map((one) => recordedKey(one, 'stable', asset));
  const to = isFresh ? { to: Date.now() - hour * (2 + ((i * 37) % 8_000)) } : {};
  return { series: 'open-interest', keys, step: '1h', limit: 500, ...to };
}

/** Questions at a steady rate, whatever the answers take. */
async function ask(url: string, perSecond: number, fresh: number): Promise<Asked> {
  const bus = createBus({ url, process: `asker-${process.pid}` });
  const one = async (asked: Asked, params: RecordedParams) => {
    const begun = performance.now();
    const reply = await bus.query({ source: 'history', name: 'series', params });
    asked.took.push(performance.now() - begun);
    if (!reply.ok) asked.failed++;
  };
  const askFor = async (seconds: number): Promise<Asked> => {
    const asked: Asked = { took: [], failed: 0, cpu: 0, waited: 0 };
    const [cpu, waited] = [process.cpuUsage(), waitedBy(process.pid)];
    const begun = performance.now();
    const all: Promise<void>[] = [];
    for (let i = 0; i < perSecond * seconds; ) {
      const due = Math.floor(((performance.now() - begun) / 1_000) * perSecond);
      for (; i < due; i++) all.push(one(asked, question(i, fresh)));
      await new Promise((next) => setTimeout(next, 1));
    }
    await Promise.all(all);
    const { user, system } = process.cpuUsage(cpu);
    return { ...asked, cpu: (user + system) / 1_000, waited: waitedBy(process.pid) - waited };
  };
  await askFor(rates.warmUp);
  process.send?.('ready');
  await once(process, 'message');
  const asked = await askFor(rates.seconds);
  await bus.close();
  return asked;
}

const [, script, perSecond, fresh] = process.argv;
if (script === import.meta.filename) {
  const url = await text(process.stdin);
  const asked = await ask(url, Number(perSecond), Number(fresh));
  process.send?.(asked, () => process.exit(0));
}
