/** A client on a thread of its own, which an attack by this process does not keep busy. Posts how long its requests took, ms. */

import { setTimeout as rest } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { callApi } from '../api.ts';

/** What the thread asks for. */
export interface Probe {
  url: string;
  headers: Readonly<Record<string, string>>;
}

/** Requests before those that count, which open the connection. */
const first = 20;
/** Those that count, and the time between two, ms. */
const asked = 300;
const every = 20;

const { url, headers }: Probe = workerData;

/** How long one request takes. */
async function timed(): Promise<number> {
  const began = performance.now();
  await callApi(url, { headers });
  return performance.now() - began;
}

for (let i = 0; i < first; i++) await timed();
// None waits for the one before: a service that is held up for a second would have one slow answer, and no more.
const times = Array.from({ length: asked }, (_, i) => rest(i * every).then(timed));
parentPort?.postMessage(await Promise.all(times));
