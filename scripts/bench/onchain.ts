/**
 * What following the chains costs a process, the upstreams simulated in another; then, in onchain-pools.ts, how fast
 * the largest list of pools is served.
 */
import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chainEvery } from '../../actors/chains/source.ts';
import { chainIds } from '../../config/chains.ts';
import type { Order, Report } from './onchain-poller.ts';
import { benchPools } from './onchain-pools.ts';
import type { Setting } from './onchain-simulator.ts';
import { median, printTable } from './report.ts';
import { Stage } from './stage.ts';

/** Rounds of the chains in all, and those after which the code is taken to be warm. */
const polls = { all: 50, warm: 10 };
const idleMs = 12_000;
const patience = 60_000;

/** Makes a key with a certificate of 127.0.0.1 for a day; the path of the file that holds both. */
function certificate({ folder }: Stage): string {
  const file = join(folder, 'identity.pem');
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const files = ['-keyout', file, '-out', `${file}.cert`];
  const args = ['req', '-x509', '-days', '1', ...curve, ...subject, ...files];
  execFileSync('openssl', args, { stdio: 'ignore' });
  execFileSync('sh', ['-c', `cat ${file}.cert >> ${file}`]);
  return file;
}

/** One round of all chains: requests, and processor time since the round before, ms. */
interface Poll {
  requests: number;
  cpuMs: number;
}

/** What the following of the chains has cost, ms of processor time. */
interface Polling {
  loaded: number;
  polls: Poll[];
  /** A minute of leases, pings and statuses between the rounds. */
  idle: number;
}

/** What a process says next. Rejects when it says nothing for longer than anything here takes. */
async function saidBy(child: ChildProcess) {
  const [said] = await once(child, 'message', { signal: AbortSignal.timeout(patience) });
  return said;
}

/** Processor time of the poller so far, ms. */
async function nextReport(poller: ChildProcess): Promise<number> {
  const { cpuMs, failures }: Report = await saidBy(poller);
  if (failures.length > 0) throw new Error(failures.join('; '));
  return cpuMs;
}

/** Rounds of every chain, a minute of the chains' time apart. */
async function poll(stage: Stage): Promise<Polling> {
  const file = certificate(stage);
  const port = await stage.port();
  const script = 'scripts/bench/onchain-simulator.ts';
  const simulator = stage.run(script, [String(port)], {}, readFileSync(file, 'latin1'));
  await saidBy(simulator);
  const env = { NODE_EXTRA_CA_CERTS: `${file}.cert` };
  const gateway = `https://127.0.0.1:${port}`;
  const poller = stage.run('scripts/bench/onchain-poller.ts', [gateway], env, stage.redisUrl);
  const setChains = async (now: number | null): Promise<number> => {
    const heard = saidBy(simulator);
    simulator.send({ now } satisfies Setting);
    return Number(await heard);
  };
  const order = (order: Order): Promise<number> => {
    const reported = nextReport(poller);
    poller.send(order);
    return reported;
  };
  const loaded = await nextReport(poller);
  const begun = Date.now();
  const found: Poll[] = [];
  let [asked, cpuMs] = [0, loaded];
  for (let left = polls.all; left > 0; left--) {
    const now = begun - left * chainEvery;
    await setChains(now);
    const after = await order({ do: 'round', now });
    const requests = await setChains(now);
    found.push({ requests: requests - asked, cpuMs: after - cpuMs });
    [asked, cpuMs] = [requests, after];
  }
  await setChains(null);
  const settled = await order({ do: 'idle', ms: idleMs });
  const idle = ((await nextReport(poller)) - settled) * (chainEvery / idleMs);
  return { loaded, polls: found, idle };
}

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Prints what a round of all chains costs, and its share of a core at one round a minute. */
async function benchPolling(stage: Stage): Promise<void> {
  const { loaded, polls: rounds, idle } = await poll(stage);
  const steady = rounds.slice(polls.warm);
  const isProbe = ({ requests }: Poll) => requests > 2 * chainIds.length;
  const share = (cpuMs: number) => `${((100 * cpuMs) / chainEvery).toFixed(3)} %`;
  const row = (name: string, some: readonly Poll[], middle: typeof mean) => {
    const cpuMs = middle(some.map((one) => one.cpuMs));
    return [name, middle(some.map(({ requests }) => requests)), cpuMs, share(cpuMs)];
  };
  const average = mean(steady.map(({ cpuMs }) => cpuMs));
  printTable(
    `${chainIds.length} chains over TLS, new connections each round, published to Redis: goal below 3 % of a core`,
    [
      ['', 'requests', 'CPU, ms', 'of a core, once a minute'],
      ['start: libraries loaded', '-', loaded, '-'],
      row('first round, with probes', rounds.slice(0, 1), mean),
      row(`rounds 2 to ${polls.warm}, on average`, rounds.slice(1, polls.warm), mean),
      row(
        'steady: a round without probes',
        steady.filter((one) => !isProbe(one)),
        median,
      ),
      row('steady: a round with probes, each fifth', steady.filter(isProbe), median),
      row('steady: on average', steady, mean),
      ['leases, pings, statuses of a minute', '-', idle, share(idle)],
      ['in all', '-', average + idle, share(average + idle)],
    ],
  );
}

/** Prints the cost of following all chains, and how fast the largest list of pools is served. */
export async function benchOnchain(): Promise<void> {
  const stage = new Stage();
  try {
    await benchPolling(stage);
    await benchPools(stage);
  } finally {
    await stage.end();
  }
}
