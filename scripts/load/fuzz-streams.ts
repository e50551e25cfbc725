/** `npm run fuzz:streams -- --url …`: random WebSocket frames; the server must not mind. */
import { parseArgs } from 'node:util';
import { isUsage, origin, whole } from './arguments.ts';
import { fuzzStreams } from './fuzz/frames.ts';
import { growth, residentMemory } from './fuzz/memory.ts';

const help = `npm run fuzz:streams -- [options]

Sends random frames to /v1/ws: good and bad messages, sizes, fragments, reserved bits, lengths that lie, broken text. Reports
when the server ends, does not answer a good client after it, or grows. Exit status 0 when it did neither, else 1.

  --url URL           the server                              [http://127.0.0.1:8080]
  --frames N          how many                                [100000]
  --seed N            of the random numbers                   [1]
  --connections N     at once                                 [50]
  --pid PID           a process whose memory is watched (Linux); may be given several times
  --growth MIB        memory that they may gain after the first fifth of the frames [32]
`;

async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      url: { type: 'string', default: 'http://127.0.0.1:8080' },
      frames: { type: 'string', default: '100000' },
      seed: { type: 'string', default: '1' },
      connections: { type: 'string', default: '50' },
      pid: { type: 'string', multiple: true, default: [] },
      growth: { type: 'string', default: '32' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(help);
    return true;
  }
  const pids = values.pid.map((pid) => whole('pid', pid, [1, 2 ** 22]));
  const frames = whole('frames', values.frames, [1, 100_000_000]);
  const allowed = whole('growth', values.growth, [0, 100_000]);
  const plan = {
    url: origin('url', values.url, ['http:']),
    frames,
    seed: whole('seed', values.seed, [0, 2 ** 31 - 1]),
    connections: whole('connections', values.connections, [1, 60]),
  };
  const samples: number[] = [];
  const report = await fuzzStreams(plan, (sent) => {
    if (pids.length > 0 && sent > frames / 5) samples.push(residentMemory(pids));
  });
  console.log(
    `frames ${report.sent} in ${report.connections} connections, ${report.received} bytes received; the server ${report.answers ? 'answers' : 'DOES NOT ANSWER'}`,
  );
  if (samples.length === 0) return report.answers;
  const gained = growth(samples);
  console.log(`memory gained ${gained.toFixed(1)} MiB after the warm-up, allowed ${allowed}`);
  return report.answers && gained <= allowed;
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  if (!isUsage(error)) throw error;
  console.error(`${error.message}\n\n${help}`);
  process.exitCode = 2;
}
