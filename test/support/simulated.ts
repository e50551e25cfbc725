/** Simulated upstreams by themselves, on a port of the loopback address until the end of the test. */
import { once } from 'node:events';
import type { Test } from 'tap';
import { Faults } from '../../scripts/simulator/faults.ts';
import { Model } from '../../scripts/simulator/model.ts';
import { simulatorServer } from '../../scripts/simulator/server.ts';
import { SimulatorClock } from '../../scripts/simulator/simulator-clock.ts';
import type { SimulatedVenue } from '../../scripts/simulator/venue.ts';
import type { FakeClock } from './clock.ts';

interface Options {
  clock: FakeClock;
  seed: number;
  symbols?: number;
  /** Gets `METHOD host/path status fault` of each request that was answered. */
  log?: (line: string) => void;
}

export async function simulated(
  t: Test,
  venues: readonly SimulatedVenue[],
  { clock: base, seed, symbols = 12, log = () => {} }: Options,
) {
  const clock = new SimulatorClock(base);
  const model = new Model({ seed, symbols, clock, venues });
  const faults = new Faults(() => model.now());
  const { server, stop } = simulatorServer({ model, faults, clock, venues, log });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(stop);
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, model, faults };
}
