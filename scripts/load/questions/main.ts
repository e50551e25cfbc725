/** `npm run load -- questions`: many clients ask random questions, of which exchanges' limits carry a part. */
import { parseArgs } from 'node:util';
import { percentile } from '../../bench/report.ts';
import { whole } from '../arguments.ts';
import { operationsOf } from '../fuzz/api.ts';
import { Random } from '../fuzz/random.ts';
import { Asker, paced, type Tally } from './ask.ts';
import { draw, questionOperations } from './draw.ts';
import { type Counts, type Rig, startRig } from './rig.ts';

const help = `npm run load -- questions [options]

Starts a service of its own and simulated exchanges that enforce their limits. First as many clients as --together ask
the same question at once; then random questions come at a steady rate, over all endpoints that ask exchanges. What the
limits cannot carry must be a stale answer, or 503 with a time to come again. Exit status 0; 1 when a limit was exceeded,
when an answer was another 5xx or missing, or when the same question was asked of its exchange more than once.

  --seconds N    of random questions             [600]
  --rate N       questions a second              [200]
  --symbols N    that they are about             [50]
  --clients N    addresses that they come from   [100]
  --together N   clients with the same question  [1000]
  --workers N    web workers                     [4]
  --seed N       of the random numbers           [1]
`;

const sum = (counts: Counts) => Object.values(counts).reduce((all, one) => all + one, 0);

/** A question that is one request of one exchange. */
const same = {
  question: '/v1/analytics/bybit/funding-history?symbol=BTC&limit=7',
  path: '/v5/market/funding/history',
};

/** Questions that wait for their answers at once. */
const most = 400;

function options(args: string[]) {
  const text = (value: string) => ({ type: 'string', default: value }) as const;
  const { values } = parseArgs({
    args,
    options: {
      seconds: text('600'),
      rate: text('200'),
      symbols: text('50'),
      clients: text('100'),
      together: text('1000'),
      workers: text('4'),
      seed: text('1'),
      help: { type: 'boolean', default: false },
    },
  });
  return {
    help: values.help,
    seconds: whole('seconds', values.seconds, [1, 86_400]),
    rate: whole('rate', values.rate, [1, 10_000]),
    symbols: whole('symbols', values.symbols, [12, 500]),
    clients: whole('clients', values.clients, [1, 65_536]),
    together: whole('together', values.together, [1, 10_000]),
    workers: whole('workers', values.workers, [1, 64]),
    seed: whole('seed', values.seed, [0, 2 ** 31 - 1]),
  };
}

type Options = ReturnType<typeof options>;

/** Requests of the exchange for the one question of all clients, and what they were answered. */
async function askTogether({ url, upstream }: Rig, { together }: Options) {
  const requests = async () => (await upstream()).requests;
  const countOf = (counts: Counts) =>
    sum(Object.fromEntries(Object.entries(counts).filter(([at]) => at.endsWith(same.path))));
  const before = countOf(await requests());
  const asker = new Asker(url, together);
  await Promise.all(
    Array.from({ length: together }, (_, client) => asker.ask(same.question, client)),
  );
  await asker.close();
  return { requests: countOf(await requests()) - before, tally: asker.tally };
}

async function symbolsOf(url: string, count: number): Promise<[string, ...string[]]> {
  const answer = await fetch(`${url}/v1/futures/coins-markets?limit=${count}`);
  const { data }: { data: { items: { symbol: string }[] } } = JSON.parse(await answer.text());
  const [first = 'BTC', ...others] = data.items.map(({ symbol }) => symbol);
  return [first, ...others];
}

async function askAtRandom({ url }: Rig, given: Options): Promise<Tally> {
  const document: unknown = JSON.parse(await (await fetch(`${url}/openapi.json`)).text());
  const operations = questionOperations(operationsOf(document));
  const symbols = await symbolsOf(url, given.symbols);
  const random = new Random(given.seed, 0);
  const asker = new Asker(url, most);
  await paced(given, async (n) => {
    if (process.stderr.isTTY && n % given.rate === 0) {
      process.stderr.write(`\r${n / given.rate} of ${given.seconds} s`);
    }
    await asker.ask(draw(random, operations, symbols), random.below(given.clients));
  });
  await asker.close();
  return asker.tally;
}

const listed = (counts: Counts) =>
  Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name}: ${count.toLocaleString('en')}`)
    .join('  ') || '-';

function print(name: string, { asked, left, statuses, stale, faults, took }: Tally): void {
  const ms = (share: number) => `${percentile(took, share).toFixed(0)} ms`;
  console.log(name);
  console.log(`  asked     ${asked.toLocaleString('en')}${left > 0 ? `, not asked ${left}` : ''}`);
  console.log(`  answers   ${listed(statuses)}  (stale: ${stale})`);
  console.log(`  took      p50 ${ms(0.5)}  p99 ${ms(0.99)}`);
  console.log(`  faults    ${listed(faults)}`);
}

/** True when nothing was found. */
export async function askQuestions(args: string[]): Promise<boolean> {
  const given = options(args);
  if (given.help) {
    console.log(help);
    return true;
  }
  const rig = await startRig(given.workers, given.symbols);
  try {
    const together = await askTogether(rig, given);
    print(`${given.together} clients, one question`, together.tally);
    console.log(`  upstream  ${together.requests} of its exchange`);
    const before = await rig.upstream();
    const tally = await askAtRandom(rig, given);
    const { requests, refused } = await rig.upstream();
    print(`random questions, ${given.rate} a second for ${given.seconds} s`, tally);
    console.log(`  upstream  ${sum(requests) - sum(before.requests)}, polls included`);
    console.log(`  refused   ${listed(refused)}`);
    const faults = sum(together.tally.faults) + sum(tally.faults) + sum(refused);
    return faults === 0 && together.requests <= 1 && sum(tally.statuses) > 0;
  } finally {
    await rig.stop();
  }
}
