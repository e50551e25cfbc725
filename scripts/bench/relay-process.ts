/**
 * The processes of the bench of the relay: `node relay-process.ts relay URL PATH`, or `follow URL PATH|- COUNT`, which has as
 * many followers, each in a thread of its own. It says `ready`; when its parent sends anything, it answers with the delays
 * from the publication to the handler since the last time, ms.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { createBus } from '../../actors/bus/bus.ts';
import { startRelay } from '../../actors/bus/relay/relay.ts';
import { relayedTopics } from '../../cmd/process/relay.ts';
import { preciseNow } from './report.ts';

/** One in so many entries is timed. */
const timed = 16;

/** Follows as a web worker does, whose handlers do nothing. */
async function follow(url: string, relay: string | null, process: string) {
  let delays: number[] = [];
  let count = 0;
  const bus = createBus({ url, process, relay });
  const take = (_key: string, { received }: { received: number }) => {
    if (++count % timed === 0) delays.push(preciseNow() - received);
  };
  await bus.follow({ prices: take, priceChanges: take, status: () => {} }).ready;
  return () => {
    const found = delays;
    delays = [];
    return found;
  };
}

/** Starts a thread with a follower; asks it for its delays. */
async function thread(number: number) {
  const worker = new Worker(new URL(import.meta.url), {
    workerData: number,
    argv: process.argv.slice(2),
  });
  const next = () =>
    new Promise<number[]>((resolve) =>
      worker.once('message', (delays: number[]) => resolve(delays)),
    );
  await next();
  return () => {
    const answer = next();
    worker.postMessage('delays');
    return answer;
  };
}

async function main([kind, url = '', path = '', count = '1']: string[]): Promise<void> {
  process.on('disconnect', () => process.exit(0));
  if (kind === 'relay') {
    await startRelay({ url, path, process: 'relay', topics: relayedTopics });
    process.send?.('ready');
    return;
  }
  const threads = await Promise.all(Array.from({ length: Number(count) }, (_, at) => thread(at)));
  process.on('message', async () => {
    process.send?.((await Promise.all(threads.map((ask) => ask()))).flat());
  });
  process.send?.('ready');
}

if (isMainThread) await main(process.argv.slice(2));
else {
  const [, url = '', path = ''] = process.argv.slice(2);
  const read = await follow(url, path === '-' ? null : path, `follower-${workerData}`);
  parentPort?.on('message', () => parentPort?.postMessage(read()));
  parentPort?.postMessage([]);
}
