/**
 * Metrics of all web workers in one answer: the worker that is asked asks the primary, the primary asks every
 * worker, and the worker that was asked sums the snapshots that arrive in time.
 */
import type { Worker } from 'node:cluster';
import type { MetricsSnapshot } from '../../http/views/metric-json.ts';

/** A worker asks for all (`wanted`), the primary asks a worker (`give`), either answers (`given`). */
type Message = { metrics: 'wanted' | 'give' | 'given'; id: string; snapshots?: MetricsSnapshot[] };

/** How long a worker may take, and how long the primary waits for all of them, ms. */
const patience = { worker: 2_000, all: 1_500 };

const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && 'metrics' in value && 'id' in value;

/** In the primary: gathers the workers' snapshots for the worker that asks. */
export function relayMetrics(workers: () => Worker[]): (from: Worker, message: unknown) => void {
  const open = new Map<string, (snapshots: MetricsSnapshot[]) => void>();
  let count = 0;
  const ask = (worker: Worker) =>
    new Promise<MetricsSnapshot[]>((resolve) => {
      const id = `${++count}`;
      const done = (snapshots: MetricsSnapshot[]) => {
        clearTimeout(timer);
        open.delete(id);
        resolve(snapshots);
      };
      const timer = setTimeout(done, patience.all, []);
      open.set(id, done);
      send(worker, { metrics: 'give', id });
    });
  return (from, message) => {
    if (!isMessage(message)) return;
    if (message.metrics === 'given') open.get(message.id)?.(message.snapshots ?? []);
    if (message.metrics !== 'wanted') return;
    void Promise.all(workers().map(ask)).then((all) =>
      send(from, { metrics: 'given', id: message.id, snapshots: all.flat() }),
    );
  };
}

/** Sending to a worker that has just died is an error without consequence. */
const send = (worker: Worker, message: Message) => {
  if (worker.isConnected()) worker.send(message, () => {});
};

/** In a worker: answers the primary, and collects the snapshots of all workers (its own alone when that fails). */
export function collectMetrics(
  own: () => Promise<MetricsSnapshot>,
): () => Promise<MetricsSnapshot[]> {
  const open = new Map<string, (snapshots: MetricsSnapshot[]) => void>();
  let count = 0;
  process.on('message', (message) => {
    if (!isMessage(message)) return;
    if (message.metrics === 'given') open.get(message.id)?.(message.snapshots ?? []);
    if (message.metrics !== 'give') return;
    void own().then((snapshot) =>
      process.send?.({ metrics: 'given', id: message.id, snapshots: [snapshot] } satisfies Message),
    );
  });
  return async () => {
    const id = `${process.pid}-${++count}`;
    const all = await new Promise<MetricsSnapshot[]>((resolve) => {
      const timer = setTimeout(resolve, patience.worker, []);
      open.set(id, (snapshots) => {
        clearTimeout(timer);
        resolve(snapshots);
      });
      process.send?.({ metrics: 'wanted', id } satisfies Message);
    });
    open.delete(id);
    return all.length > 0 ? all : [await own()];
  };
}
