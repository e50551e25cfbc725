/**
 * A stand-in for the upstreams on loopback, in their own wire formats:
 * `node scripts/simulator/main.ts [--port 9900] [--host 127.0.0.1] [--seed 1] [--symbols 200] [--log]`.
 */
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { type Clock, systemClock } from '../../actors/kernel/clock.ts';
import { loadConfig } from '../../config/config.ts';
import { chainVenues } from './chains/registry.ts';
import { defi } from './defi/registry.ts';
import { Faults } from './faults.ts';
import { market } from './market/registry.ts';
import { Model } from './model.ts';
import { venues as registry } from './registry.ts';
import { simulatorServer } from './server.ts';
import { SimulatorClock } from './simulator-clock.ts';
import type { SimulatedVenue } from './venue.ts';
import { walletVenues } from './wallet/registry.ts';

/** Everything that is simulated; of several venues on one host those named first are asked first. */
export const venues: readonly SimulatedVenue[] = [
  ...Object.values(registry),
  ...market,
  ...defi,
  ...chainVenues(),
  ...walletVenues,
];

export interface SimulatorOptions {
  /** 0, the default, takes a free port. */
  port?: number;
  /** 127.0.0.1 when absent. */
  host?: string;
  /** 1 when absent. */
  seed?: number;
  /** How many coins there are: 200 when absent, at least 12. */
  symbols?: number;
  clock?: Clock;
  log?: (line: string) => void;
}

export interface Simulator {
  /** Without a trailing slash; an upstream is at `${url}/<host>/<path>`. */
  url: string;
  port: number;
  model: Model;
  faults: Faults;
  clock: SimulatorClock;
  /** Ends the server and all of its connections. */
  close(): Promise<void>;
}

/** Starts the simulator in this process; rejects when the port is taken. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { port = 0, host = '127.0.0.1', seed = 1, symbols = 200, log } = options;
  const clock = new SimulatorClock(options.clock);
  const model = new Model({ seed, symbols, clock, venues });
  const faults = new Faults(() => model.now());
  const shared = { model, faults, clock };
  const { server, stop } = simulatorServer({ ...shared, venues, ...(log ? { log } : {}) });
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return { ...shared, url: `http://${host}:${bound}`, port: bound, close: stop };
}

function integer(name: string, text: string, [least, most]: readonly [number, number]): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new Error(`--${name} must be a whole number from ${least} to ${most}, not ${text}`);
}

const usage = `usage: npm run simulator -- [--port 9900] [--host 127.0.0.1] [--seed 1] [--symbols 200] [--log]
Answers in the wire formats of the upstreams, for UPSTREAM_GATEWAY=http://127.0.0.1:9900 (docs/operating.md).`;

function optionsOf(args: string[]): SimulatorOptions {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: 'string', default: '9900' },
      host: { type: 'string', default: '127.0.0.1' },
      seed: { type: 'string', default: '1' },
      symbols: { type: 'string', default: '200' },
      log: { type: 'boolean', default: false },
    },
  });
  return {
    host: values.host,
    port: integer('port', values.port, [0, 65_535]),
    seed: integer('seed', values.seed, [0, 2 ** 32 - 1]),
    symbols: integer('symbols', values.symbols, [12, 2000]),
    ...(values.log ? { log: (line: string) => console.error(line) } : {}),
  };
}

const isMain = import.meta.main ?? process.argv[1] === import.meta.filename;
if (isMain && process.argv.includes('--help')) console.log(usage);
else if (isMain) {
  try {
    const { replayed } = loadConfig();
    if (replayed !== null) systemClock.replay(replayed);
    const simulator = await startSimulator(optionsOf(process.argv.slice(2)));
    console.log(simulator.url);
    // `disconnect`: whoever started this has gone.
    for (const event of ['SIGINT', 'SIGTERM', 'disconnect'] as const) {
      process.once(event, () => void simulator.close().then(() => process.exit(0)));
    }
    // It may have gone before this could hear of it.
    if (process.send && !process.connected) process.exit(0);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
