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
for (let i = 0; i < first; i++) await callApi(url, { headers });
const began = performance.now();
const times: number[] = [];
for (let i = 0; i < asked; i++) {
  const due = began + i * every;
  await rest(Math.max(0, due - performance.now()));
  await callApi(url, { headers });
  // From when it was due: else a service that is held up for a second has one slow answer, and no more.
  times.push(performance.now() - due);
}
parentPort?.postMessage(times);
