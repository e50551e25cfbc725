/** The front beside bare uWebSockets.js with the same heads and bodies, where the requests are of one kind and of many. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { printTable } from './report.ts';
import { answerOf, type Ours, startReference } from './servers.ts';
import type { Stage } from './stage.ts';
import { costRatio, loadAll, type Run, ratioOf, rounds, spreadOf } from './turns.ts';

const goal = 0.9;
const path = '/v1/prices';

/** Requests that are sent in turn. */
interface Mix {
  name: string;
  requests: readonly { path: string; key: string }[];
}

function mixesOf({ key, others }: Ours): Mix[] {
  const own = key['x-api-key'] ?? '';
  const bitcoin = `${path}?symbol=BTC`;
  const symbols = Array.from({ length: 1_000 }, (_, i) => `${path}?symbol=C${i}`);
  return [
    { name: '1 account, 1 symbol', requests: [{ path: bitcoin, key: own }] },
    { name: '100 accounts', requests: others.map((other) => ({ path: bitcoin, key: other })) },
    { name: '1,000 symbols', requests: symbols.map((each) => ({ path: each, key: own })) },
  ];
}

/** Our server with a mix, and the reference that sends its answers. */
async function runsOf(stage: Stage, ours: Ours, { name, requests }: Mix): Promise<Run[]> {
  const answerTo = (request: Mix['requests'][number]) =>
    answerOf(stage, { base: ours.base, key: { 'x-api-key': request.key } }, request.path);
  const [first, ...more] = requests;
  if (first === undefined) return [];
  const answers = [await answerTo(first)] as const;
  const others = [];
  for (const request of more) others.push(await answerTo(request));
  const bare = await startReference(stage, 'uws', ...answers, ...others);
  const file = join(stage.folder, `${name}.txt`);
  writeFileSync(file, requests.map((one) => `${one.path} ${one.key}\n`).join(''));
  return [
    { name, url: ours.base + path, pid: ours.pid, inTurn: file },
    { name, url: bare.base + path, pid: bare.pid, inTurn: file },
  ];
}

/** Prints how it compares for one account, for many with quotas of their own, and for many symbols. */
export async function benchMany(stage: Stage, ours: Ours): Promise<void> {
  const runs: Run[] = [];
  for (const mix of mixesOf(ours)) runs.push(...(await runsOf(stage, ours, mix)));
  const loads = await loadAll(runs);
  const rows = runs.flatMap(({ name }, i) => {
    if (i % 2 === 1) return [];
    const outcome = { ours: loads[i] ?? [], its: loads[i + 1] ?? [] };
    return [[name, ratioOf(outcome, 'perSecond'), 1 / costRatio(outcome), spreadOf(outcome)]];
  });
  printTable(
    `${path}: Tidemark, key and quota, to bare uWebSockets.js with its heads and bodies, ${rounds} rounds (goal ${goal} by CPU)`,
    [['', 'by requests/s', 'by CPU time', 'of all rounds'], ...rows],
  );
}
