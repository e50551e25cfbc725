/**
 * `npm run load:events -- --rate 5000 --seconds 60`: liquidations at a rate, connections that end every ten seconds, `kill -9`
 * of the feed and of the history in between. Each event that was sent on an open connection, in a time of which the log says that
 * it was heard, must be stored once, and none twice. Exit status 1 where that is not so.
 */
import { setTimeout as rest } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createBus } from '../../actors/bus/bus.ts';
import { isUsage, whole } from './arguments.ts';
import { type Account, accountOf, Heard, storedIn } from './event-account.ts';
import { EventStage } from './event-stage.ts';
import type { EventUpstream } from './event-upstream.ts';

/** Ms: between two bursts, between two ends of the connection, between two looks at the store, and of them without news. */
const pauses = { burst: 10, reconnect: 10_000, look: 1_000, still: 10_000 };
/** Sends `rate` events a second for `seconds`; `at` is called with the seconds that have passed. */
async function sendAll(
  upstream: EventUpstream,
  { rate, seconds }: Options,
  at: (second: number) => void,
): Promise<void> {
  const begun = performance.now();
  let [sent, second] = [0, -1];
  while (sent < rate * seconds) {
    const passed = performance.now() - begun;
    for (const due = Math.min(rate * seconds, (passed / 1_000) * rate); sent < due; sent++)
      upstream.send();
    if (Math.floor(passed / 1_000) > second) at(++second);
    await rest(pauses.burst);
  }
}

/** What is stored once nothing more is added. */
async function settled(file: string): Promise<Map<number, number>> {
  let stored = storedIn(file);
  for (let still = 0; still < pauses.still; still += pauses.look) {
    await rest(pauses.look);
    const now = storedIn(file);
    if (now.size !== stored.size) still = 0;
    stored = now;
  }
  return stored;
}

interface Options {
  rate: number;
  seconds: number;
}

/** What came of it. */
interface Outcome extends Account {
  /** In the answer of a web worker. */
  counted: number;
  coverage: unknown;
}

/** Of the answer of a web worker what is shown. */
interface Sums {
  items: readonly { order_count: number }[];
  coverage: unknown;
}

async function run(options: Options): Promise<Outcome> {
  const stage = new EventStage();
  const heard = new Heard();
  try {
    await stage.begin();
    const bus = createBus({ url: stage.redisUrl, process: 'load' });
    bus.follow({ liquidations: (key, entry) => key === 'binance/linear' && heard.accept(entry) });
    const { upstream } = stage;
    const [feed, history] = [0.4, 0.7].map((share) => Math.floor(options.seconds * share));
    await sendAll(upstream, options, (second) => {
      if (second > 0 && (second * 1_000) % pauses.reconnect === 0) upstream.disconnect();
      if (second === feed) void stage.replace('feed');
      if (second === history) void stage.replace('history');
    });
    const stored = await settled(stage.file);
    const list = await fetch(`${stage.url}/v1/liquidations/exchange-list?range=1h`);
    const { data } = (await list.json()) as { data: Sums };
    await bus.close();
    return {
      ...accountOf(upstream, heard, stored),
      counted: data.items[0]?.order_count ?? 0,
      coverage: data.coverage,
    };
  } finally {
    await stage.end();
  }
}

try {
  const { values } = parseArgs({
    options: {
      rate: { type: 'string', default: '5000' },
      seconds: { type: 'string', default: '60' },
    },
  });
  const outcome = await run({
    rate: whole('rate', values.rate, [1, 50_000]),
    seconds: whole('seconds', values.seconds, [5, 3_600]),
  });
  console.log(JSON.stringify(outcome, null, 2));
  const isGood = outcome.twice === 0 && outcome.missing === 0 && outcome.counted === outcome.stored;
  process.exitCode = isGood ? 0 : 1;
} catch (error) {
  if (!isUsage(error)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
