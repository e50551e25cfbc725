/** `npm run load -- attacks`: what one hostile client or a faulty clock does to others, each attack with a bound that fails. */
import { parseArgs } from 'node:util';
import { origin, UsageError } from '../arguments.ts';
import { attacks } from './table.ts';
import type { Target } from './target.ts';

const listed = Object.entries(attacks).map(([name, { what }]) => `  ${name.padEnd(10)} ${what}`);
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
  if (values.help) return null;
  const { url, key, token, simulator, redis, only } = values;
  if (url === undefined || key === undefined) throw new UsageError('--url and --key are needed');
  const names = only === undefined ? Object.keys(attacks) : [only];
  const unknown = names.find((name) => !Object.hasOwn(attacks, name));
  if (unknown !== undefined) {
    throw new UsageError(`--only: ${unknown} is none of ${Object.keys(attacks).join(', ')}`);
  }
  return {
    target: {
      ...{ url: origin('url', url, ['http:']), key, token, redis },
      simulator: simulator === undefined ? undefined : origin('simulator', simulator, ['http:']),
    },
    names,
  };
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
    const verdict = await attacks[name]?.run(chosen.target);
    if (verdict === undefined) continue;
    const { measured, bound, ok } = verdict;
    const word = ok === null ? 'left out' : ok ? 'ok' : 'FAILED';
    console.log(`${word.padEnd(8)} ${name.padEnd(10)} ${measured} (bound: ${bound})`);
    all &&= ok !== false;
  }
  return all;
}
