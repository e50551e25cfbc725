/** Streams beside bare uWebSockets.js that publishes the same bytes. */
import type { ChildProcess } from 'node:child_process';
import { execSync } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { cpuOf } from './load.ts';
import { median, percentile, printTable } from './report.ts';
import { onStage, type Stage } from './stage.ts';

/** Changes of one measurement, and of the warm-up before it. */
const rounds = { measured: 60, warmUp: 15 } as const;
/** Subscriptions of the second part: connections, and subscriptions of each. */
const many = { connections: 1_000, each: 100, symbols: 3_000 } as const;

/** Changes of the second part between two readings of the processor time, which the kernel counts in hundredths of a second. */
const turn = 200;

const { values } = parseArgs({
  options: { clients: { type: 'string', default: '10000' } },
  strict: false,
});
/** Files that a process may have open, and that it needs itself. */
const files = Number(execSync('ulimit -n', { shell: '/bin/sh' }).toString()) || 1_024;
const clients = Math.min(Number(values.clients), files - 256);

interface Said {
  at?: string;
  rss?: number;
  text?: string;
}

/** The next message of a child. */
async function next(child: ChildProcess): Promise<Said> {
  const [message] = await once(child, 'message');
  return message as Said;
}

/** A server with its clients. */
class Side {
  readonly #server: ChildProcess;
  readonly #clients: ChildProcess;
  readonly pid: number | undefined;
  /** Memory of the server for each connection, bytes. */
  memory = 0;
  /** From each change to the last client that has it, ms. */
  readonly ms: number[] = [];
  /** Processor time of the server for each measured change, microseconds. */
  cpu = 0;

  private constructor(server: ChildProcess, audience: ChildProcess) {
    this.#server = server;
    this.#clients = audience;
    this.pid = server.pid;
  }

  /** `symbols`: of the server; `audience`: connections, and subscriptions of each. */
  static async start(
    stage: Stage,
    { kind, symbols }: { kind: 'ours' | 'bare'; symbols: number },
    audience: readonly [number, number],
  ) {
    const port = await stage.port();
    const server = stage.run('scripts/bench/push-server.ts', [kind, `${port}`, `${symbols}`]);
    const { rss = 0 } = await next(server);
    const args = [port, ...audience].map(String);
    const side = new Side(server, stage.run('scripts/bench/push-clients.ts', args));
    await next(side.#clients);
    side.memory = ((await side.#rss()) - rss) / audience[0];
    return side;
  }

  /** One change, until `expect` messages about it have come; the text of the first client's last message before. */
  async round(change: { symbol: string; text?: string }, expect: number): Promise<string> {
    this.#clients.send({ expect });
    const { text = '' } = await next(this.#clients);
    const [changed, last] = [next(this.#server), next(this.#clients)];
    this.#server.send(change);
    const ns = Number(BigInt((await last).at ?? 0) - BigInt((await changed).at ?? 0));
    this.ms.push(ns / 1e6);
    return text;
  }

  async #rss(): Promise<number> {
    const said = next(this.#server);
    this.#server.send({});
    return (await said).rss ?? 0;
  }
}

const change = (text: string) => ({ symbol: 'S0', text });

/** Changes of one topic that all clients follow, in turns. */
async function benchOne(stage: Stage): Promise<void> {
  const ours = await Side.start(stage, { kind: 'ours', symbols: 1 }, [clients, 1]);
  const bare = await Side.start(stage, { kind: 'bare', symbols: 1 }, [clients, 1]);
  let text = '';
  for (let i = 0; i < rounds.warmUp; i++) {
    text = await ours.round(change(''), clients);
    if (i > 1) await bare.round(change(text), clients);
  }
  for (const side of [ours, bare]) side.ms.length = 0;
  for (let i = 0; i < rounds.measured; i++) {
    for (const side of [ours, bare]) {
      const before = cpuOf(side.pid);
      await side.round(change(text), clients);
      side.cpu += (cpuOf(side.pid) - before) / rounds.measured;
    }
  }
  const rate = ({ ms }: Side) => (clients * 1e3) / median(ms);
  const row = (name: string, of: (side: Side) => number, goal: string) => [
    ...[name, of(ours), of(bare), of(ours) / of(bare), goal],
  ];
  printTable(
    `${clients} clients of one topic on one worker, ${Buffer.byteLength(text)} bytes a message, beside bare uWebSockets.js`,
    [
      ['', 'ours', 'bare', 'ratio', 'goal'],
      row('messages/s', rate, 'ratio 0.8'),
      row('processor time a message, us', ({ cpu }) => cpu / clients, ''),
      row('change to last client, p50 ms', ({ ms }) => median(ms), ''),
      row('change to last client, p99 ms', ({ ms }) => percentile(ms, 0.99), 'ratio 1.3'),
      row('memory a client, KB', ({ memory }) => memory / 1e3, 'ours 10'),
    ],
  );
}

/** A change of one of many topics, beside the same change where nothing else is followed. */
async function benchMany(stage: Stage): Promise<void> {
  const share = clients < 10_000 ? 0.1 : 1;
  const connections = Math.round(many.connections * share);
  const subscribers = Math.ceil((connections * many.each) / many.symbols);
  const server = { kind: 'ours', symbols: many.symbols } as const;
  const all = await Side.start(stage, server, [connections, many.each]);
  const alone = await Side.start(stage, server, [subscribers, 1]);
  const cost = async (side: Side) => {
    const before = cpuOf(side.pid);
    for (let i = 0; i < turn; i++) await side.round({ symbol: 'S0' }, subscribers);
    return (cpuOf(side.pid) - before) / turn;
  };
  const costs = { all: [] as number[], alone: [] as number[] };
  for (let i = 0; i < 4; i++) {
    costs.all.push(await cost(all));
    costs.alone.push(await cost(alone));
  }
  const [among, by] = [median(costs.all.slice(1)), median(costs.alone.slice(1))];
  printTable(
    `A change of one of ${many.symbols} topics with ${connections * many.each} subscriptions, ${subscribers} of them to this topic`,
    [
      ['', 'us of the processor', 'goal'],
      ['among all subscriptions', among, ''],
      ['where nothing else is followed', by, ''],
      ['ratio', among / by, '1.3'],
    ],
  );
}

export async function benchPush(): Promise<void> {
  if (clients < Number(values.clients)) {
    console.log(`only ${clients} clients: a process may have ${files} files open (ulimit -n)`);
  }
  await onStage(benchOne);
  await onStage(benchMany);
}
