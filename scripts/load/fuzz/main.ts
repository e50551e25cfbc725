/** `npm run fuzz -- --url …`: random requests over raw sockets, or frames of WebSockets; the server must not mind. */
import { helpOf, isUsage, origin, readOptions, UsageError, whole } from '../arguments.ts';
import { operationsOf } from './api.ts';
import { campaign, type Report } from './campaign.ts';
import { fuzzStreams } from './frames.ts';
import { growth, residentMemory } from './memory.ts';

const known = {
  texts: {
    url: 'the server [http://127.0.0.1:8080]',
    exchange: 'sends only the exchange of this number, as a finding names it',
    pid: 'processes whose memory is watched (Linux), with commas between them',
  },
  numbers: {
    count: ['how many requests or frames', 100_000, 1, 100_000_000],
    seed: ['of the random numbers', 1, 0, 2 ** 31 - 1],
    connections: ['at once', 50, 1, 10_000],
    cut: ['seconds within which the server must have answered or closed', 20, 1, 3_600],
    growth: ['MiB that these processes may gain after the first fifth', 32, 0, 100_000],
  },
  flags: { streams: 'frames of WebSockets in place of requests', help: 'this text' },
} as const;

const help = `npm run fuzz -- [options]

Sends random and mutated requests over raw sockets and reports what a server must never do: end, answer with an
undocumented 5xx or with what is not HTTP, let a connection hang, or grow. The operations come from the server's
/openapi.json; the same seed gives the same requests. With --streams it sends frames to /v1/ws: good and bad messages,
sizes, fragments, reserved bits, lengths that lie, broken text; the server must answer a good client after them. A server
with quotas answers most with 429: use one that is open. Exit status 0 when nothing was found, 1 when something was, 2 for
wrong arguments.

${helpOf(known)}
`;

const options = (args: string[]) => readOptions(args, known);
type Options = ReturnType<typeof options>;

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
  const [requests, exchanges] = [report.requests, report.exchanges].map((n) =>
    n.toLocaleString('en'),
  );
  console.log(`requests   ${requests} in ${exchanges} connections`);
  console.log(`answers    ${list(report.statuses)}`);
  console.log(`ends       ${list(report.ends)}`);
  for (const { exchange, what, sent } of report.findings) {
    console.log(`FOUND      exchange ${exchange}: ${what}\n           ${sent}`);
  }
}

/** Told of how many were sent. */
type Note = (sent: number) => void;

/** Whether nothing was found. */
async function requests(url: URL, given: Options, note: Note): Promise<boolean> {
  const exchange = given.text('exchange');
  const { count, connections, seed, cut } = given.numbers;
  const api = operationsOf(await describe(url));
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const peer = { host, port: Number(url.port || 80), cut: cut * 1_000 };
  const one = exchange === undefined ? null : whole('exchange', exchange, [0, 2 ** 31 - 1]);
  const report = await campaign(
    {
      peer,
      api,
      seed,
      first: one ?? 0,
      requests: one === null ? count : 1,
      connections: one === null ? connections : 1,
    },
    (now) => note(now.requests),
  );
  print(report);
  return report.findings.length === 0;
}

/** Whether the server still answers. */
async function streams(url: URL, given: Options, note: Note): Promise<boolean> {
  const { count: frames, seed, connections } = given.numbers;
  const found = await fuzzStreams({ url, frames, seed, connections }, note);
  console.log(
    `frames ${found.sent} in ${found.connections} connections, ${found.received} bytes received; the server ${found.answers ? 'answers' : 'DOES NOT ANSWER'}`,
  );
  return found.answers;
}

/** Between two looks at the memory, requests or frames, and the share of them after which caches and the heap are at their size. */
const memory = { every: 500, warmUp: 0.2 };

/** True when nothing was found. */
async function main(): Promise<boolean> {
  const given = options(process.argv.slice(2));
  if (given.is('help')) {
    console.log(help);
    return true;
  }
  const url = origin('url', given.text('url') ?? 'http://127.0.0.1:8080', ['http:']);
  const list = given.text('pid')?.split(',') ?? [];
  const pids = list.map((pid) => whole('pid', pid, [1, 2 ** 22]));
  residentMemory(pids);
  const samples: number[] = [];
  let next = given.numbers.count * memory.warmUp;
  const note = (sent: number) => {
    if (pids.length === 0 || sent < next) return;
    next = sent + memory.every;
    samples.push(residentMemory(pids));
  };
  const isGood = await (given.is('streams') ? streams : requests)(url, given, note);
  if (samples.length === 0) return isGood;
  const [gained, allowed] = [growth(samples), given.numbers.growth];
  const [least, most] = [Math.min(...samples), Math.max(...samples)].map((mib) => mib.toFixed(1));
  console.log(
    `memory     ${least} to ${most} MiB after the warm-up, gained ${gained.toFixed(1)}, allowed ${allowed}`,
  );
  return isGood && gained <= allowed;
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  if (!isUsage(error)) throw error;
  console.error(`${error.message}\n\n${help}`);
  process.exitCode = 2;
}
