/** The web processes: a primary that restarts its workers, and workers that share the port. */
import cluster, { type Worker } from 'node:cluster';
import { assertKnownBinary } from '../../http/server/uws-binary.ts';
import { checksOf } from './checks.ts';
import { type ChildService, keepRunning } from './child-service.ts';
import { relayMetrics } from './collect.ts';
import { freePort } from './port.ts';
import type { ProcessContext } from './process.ts';
import { runRole } from './role.ts';

async function primary(context: ProcessContext): Promise<() => Promise<void>> {
  const { config, log } = context;
  // Other web processes may have the port already, this one's predecessor above all.
  const port = config.port === 0 ? await freePort(config.host, 0) : config.port;
  const passMetrics = relayMetrics(() =>
    Object.values(cluster.workers ?? {}).filter((w) => w !== undefined),
  );
  const env = { PORT: String(port) };
  const spawn = () => {
    const worker: Worker = cluster.fork(env);
    worker.on('message', (message: unknown) => passMetrics(worker, message));
    return worker.process;
  };
  const workers: ChildService[] = Array.from({ length: config.webConcurrency }, (_, i) =>
    keepRunning(`web-${i + 1}`, spawn, context),
  );
  log.info({ host: config.host, port, workers: workers.length }, 'serving');
  return async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
  };
}

/** The worker is imported after the check, since importing uWebSockets.js runs its native code. */
async function start(context: ProcessContext): Promise<() => Promise<void>> {
  assertKnownBinary(context.config.uwsAnyBinary);
  if (cluster.isPrimary) return primary(context);
  const { work } = await import('./worker.ts');
  return work(context);
}

await runRole('web', start, checksOf.web);
