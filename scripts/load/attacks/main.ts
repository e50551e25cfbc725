/** `npm run load -- attacks`: what one hostile client or a faulty clock does to others, each attack with a bound that fails. */
import { parseArgs } from 'node:util';
import { origin, UsageError } from '../arguments.ts';
import { banned } from './banned.ts';
import { channel } from './channel.ts';
import { pattern, patterns, pings, shared } from './clients.ts';
import { receivers } from './receivers.ts';
import { revoked } from './revoked.ts';
import { stepped } from './stepped.ts';
import { type Attack, Target } from './target.ts';
import { books, clock } from './upstreams.ts';
import { zombie } from './zombie.ts';

/** All attacks, in the order in which they are done. */
const attacks: Readonly<Record<string, Attack>> = {
  pattern,
  pings,
  shared,
  patterns,
  revoked,
  receivers,
  books,
  clock,
  stepped,
  banned,
  channel,
  zombie,
};

const listed = Object.entries(attacks).map(([name, { what, needs = [] }]) => {
  const needed = needs.length === 0 ? '' : `; needs --${needs.join(' and --')}`;
  return `  ${name.padEnd(10)} ${what}${needed}`;
});
const help = `npm run load -- attacks --url http://127.0.0.1:8080 --key KEY [options]

Attacks a running service, best a demo, and measures what others notice. Exit status 1 where a bound is exceeded.

  --url URL         of the service
  --key KEY         an API key of it
  --token TOKEN     a bearer token of an account of the plan free
  --simulator URL   of its simulator
  --redis URL       its Redis, as REDIS_URL has it
  --only NAME       one attack

${listed.join('\n')}
`;

function options(args: string[]): { target: Target; names: string[] } | null {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args,
    options: {
      ...{ url: text, key: text, token: text, simulator: text, redis: text, only: text },
      help: { type: 'boolean', default: false },
    },
  });
  const { help: isHelp, url, only, ...given } = values;
  if (isHelp) return null;
  if (url === undefined || given.key === undefined) {
    throw new UsageError('--url and --key are needed');
  }
  if (only !== undefined && !Object.hasOwn(attacks, only)) {
    throw new UsageError(`--only: ${only} is none of ${Object.keys(attacks).join(', ')}`);
  }
  if (given.simulator !== undefined) {
    given.simulator = origin('simulator', given.simulator, ['http:']).origin;
  }
  return {
    target: new Target(origin('url', url, ['http:']), given),
    names: only === undefined ? Object.keys(attacks) : [only],
  };
}

/** Makes an attack, prints what came of it, and whether it stayed within its bound; one that lacks an option is left out. */
async function make(name: string, { needs = [], run }: Attack, target: Target): Promise<boolean> {
  const line = (word: string, text: string) =>
    console.log(`${word.padEnd(8)} ${name.padEnd(10)} ${text}`);
  const lacks = needs.filter((option) => target[option] === '');
  if (lacks.length > 0) {
    line('left out', lacks.map((option) => `no --${option}`).join(', '));
    return true;
  }
  try {
    const { measured, bound, ok } = await run(target);
    line(ok ? 'ok' : 'FAILED', `${measured} (bound: ${bound})`);
    return ok;
  } catch (error) {
    line('FAILED', String(error));
    return false;
  }
}

/** Whether every attack stayed within its bound. */
export async function attack(args: string[]): Promise<boolean> {
  const chosen = options(args);
  if (chosen === null) {
    console.log(help);
    return true;
  }
  let all = true;
  for (const name of chosen.names) {
    const one = attacks[name];
    if (one && !(await make(name, one, chosen.target))) all = false;
  }
  return all;
}
