/** The web processes: a primary that keeps its workers alive, and workers that share the port. */
import cluster, { type Worker } from 'node:cluster';
import { relayMetrics } from './collect.ts';
import { type Kept, keep } from './keep.ts';
import { freePort } from './port.ts';
import { type ProcessContext, runProcess } from './process.ts';
import { work } from './worker.ts';

async function primary({ config, log }: ProcessContext): Promise<() => Promise<void>> {
  const port = await freePort(config.host, config.port);
  const relay = relayMetrics(() =>
    Object.values(cluster.workers ?? {}).filter((w) => w !== undefined),
  );
  const spawn = () => {
    const worker: Worker = cluster.fork({ PORT: String(port) });
    worker.on('message', (message: unknown) => relay(worker, message));
    return worker.process;
  };
  const workers: Kept[] = Array.from({ length: config.webConcurrency }, (_, i) =>
    keep(`web-${i + 1}`, spawn, log),
  );
  log.info({ host: config.host, port, workers: workers.length }, 'serving');
  return async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
  };
}

await runProcess('web', cluster.isPrimary ? primary : work);
