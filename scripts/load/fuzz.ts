/** `npm run fuzz -- --url …`: random and mutated requests over raw sockets; the server must not mind. */
import { parseArgs } from 'node:util';
import { isUsage, origin, UsageError, whole } from './arguments.ts';
import { operationsOf } from './fuzz/api.ts';
import { campaign, type Report } from './fuzz/campaign.ts';
import { growth, residentMemory } from './fuzz/memory.ts';

const help = `npm run fuzz -- [options]

Sends random and mutated requests over raw sockets and reports what a server must never do: end, answer with an
undocumented 5xx or with what is not HTTP, let a connection hang, or grow. The operations come from the server's
/openapi.json; the same seed gives the same requests. A server with quotas answers most with 429: use one that is
open. Exit status 0 when nothing was found, 1 when something was, 2 for wrong arguments.

  --url URL           the server                      [http://127.0.0.1:8080]
  --requests N        how many, at least              [100000]
  --seed N            of the random numbers           [1]
  --exchange N        sends only the exchange of this number, as a finding names it
  --connections N     at once                         [100]
  --cut SECONDS       within which the server must have answered or closed   [20]
  --pid PID           a process whose memory is watched (Linux); may be given several times
  --growth MIB        memory that they may gain after the first fifth of the requests [32]
`;

/** Share of the requests after which memory is watched: caches and the heap are at their size. */
const warmUp = 0.2;
const memoryEvery = 500;

function options() {
  const { values } = parseArgs({
    options: {
      url: { type: 'string', default: 'http://127.0.0.1:8080' },
      requests: { type: 'string', default: '100000' },
      seed: { type: 'string', default: '1' },
      exchange: { type: 'string' },
      connections: { type: 'string', default: '100' },
      cut: { type: 'string', default: '20' },
      pid: { type: 'string', multiple: true, default: [] },
      growth: { type: 'string', default: '32' },
      help: { type: 'boolean', default: false },
    },
  });
  const { url, exchange } = values;
  return {
    help: values.help,
    url: origin('url', url, ['http:']),
    requests: whole('requests', values.requests, [1, 100_000_000]),
    seed: whole('seed', values.seed, [0, 2 ** 31 - 1]),
    exchange: exchange === undefined ? null : whole('exchange', exchange, [0, 2 ** 31 - 1]),
    connections: whole('connections', values.connections, [1, 10_000]),
    cut: whole('cut', values.cut, [1, 3_600]) * 1_000,
    pids: values.pid.map((pid) => whole('pid', pid, [1, 2 ** 22])),
    growth: whole('growth', values.growth, [0, 100_000]),
  };
}

async function describe(url: URL): Promise<unknown> {
  const signal = AbortSignal.timeout(10_000);
  const answer = await fetch(new URL('/openapi.json', url), { signal }).catch(() => null);
  if (!answer?.ok) throw new UsageError(`--url: ${url.origin} does not serve /openapi.json`);
  return answer.json();
}

function print(report: Report): void {
  const list = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([name, count]) => `${name}: ${count.toLocaleString('en')}`)
      .join('  ');
  console.log(
    `requests   ${report.requests.toLocaleString('en')} in ${report.exchanges.toLocaleString('en')} connections`,
  );
  console.log(`answers    ${list(report.statuses)}`);
  console.log(`ends       ${list(report.ends)}`);
  for (const { exchange, what, sent } of report.findings) {
    console.log(`FOUND      exchange ${exchange}: ${what}\n           ${sent}`);
  }
}

/** True when nothing was found. */
async function main(): Promise<boolean> {
  const given = options();
  if (given.help) {
    console.log(help);
    return true;
  }
  const { url, pids } = given;
  const api = operationsOf(await describe(url));
  const peer = {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || 80),
    cut: given.cut,
  };
  const requests = given.exchange === null ? given.requests : 1;
  const samples: number[] = [];
  const note = ({ requests: sent, exchanges }: Report) => {
    if (exchanges % memoryEvery !== 0) return;
    if (process.stderr.isTTY) process.stderr.write(`\r${sent.toLocaleString('en')} requests`);
    if (pids.length > 0 && sent >= requests * warmUp) samples.push(residentMemory(pids));
  };
  residentMemory(pids);
  const plan = { peer, api, seed: given.seed, first: given.exchange ?? 0, requests };
  const connections = given.exchange === null ? given.connections : 1;
  const report = await campaign({ ...plan, connections }, note);
  if (process.stderr.isTTY) process.stderr.write('\n');
  print(report);
  if (samples.length === 0) return report.findings.length === 0;
  const gained = growth(samples);
  console.log(
    `memory     ${Math.min(...samples).toFixed(1)} to ${Math.max(...samples).toFixed(1)} MiB after the warm-up, gained ${gained.toFixed(1)}, allowed ${given.growth}`,
  );
  return report.findings.length === 0 && gained <= given.growth;
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  if (!isUsage(error)) throw error;
  console.error(`${error.message}\n\n${help}`);
  process.exitCode = 2;
}
