/**
 * The endpoints of all chains behind TLS, in a process of its own: `node onchain-simulator.ts PORT`, with key and
 * certificate (PEM) on standard input; it sends `ready`. Each message sets the time of the chains, Unix ms, or
 * lets it run (null). All connections are ended with it, as between the rounds of a minute, which is longer than
 * idle ones are kept; what is sent back is how many requests there have been in all.
 */
import { text } from 'node:stream/consumers';
import { createServer, type TLSSocket } from 'node:tls';
import { chainVenues } from '../simulator/chains/registry.ts';
import { Faults } from '../simulator/faults.ts';
import { Requests } from '../simulator/ledger.ts';
import { Model } from '../simulator/model.ts';
import { simulatorServer } from '../simulator/server.ts';
import { SimulatorClock } from '../simulator/simulator-clock.ts';

/** The time that the chains are set to. */
export interface Setting {
  now: number | null;
}

const port = Number(process.argv[2]);
const identity = await text(process.stdin);
const clock = new SimulatorClock();
const venues = chainVenues();
const model = new Model({ seed: 1, symbols: 12, clock, venues });
const requests = new Requests();
const faults = new Faults(1, () => model.now());
const { server } = simulatorServer({ model, clock, venues, requests, faults, limits: false });

const open = new Set<TLSSocket>();
const door = createServer({ key: identity, cert: identity }, (socket) => {
  open.add(socket);
  socket.on('close', () => open.delete(socket)).on('error', () => socket.destroy());
  server.emit('connection', socket);
});
process.on('message', ({ now }: Setting) => {
  clock.freeze(now);
  for (const socket of open) socket.end();
  const asked = Object.values(requests.list()).reduce((sum, count) => sum + count, 0);
  process.send?.(asked);
});
process.on('disconnect', () => process.exit(0));
door.listen(port, '127.0.0.1', () => void process.send?.('ready'));
