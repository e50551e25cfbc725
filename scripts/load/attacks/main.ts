/** `npm run load -- attacks`: what one hostile client or a faulty upstream does to others, each attack with a bound that fails. */
import { helpOf, origin, readOptions, UsageError } from '../arguments.ts';
import { banned } from './banned.ts';
import { patterns, pings, shared } from './clients.ts';
import { receivers } from './receivers.ts';
import { revoked } from './revoked.ts';
import { type Attack, Target } from './target.ts';
import { links, readers, rules, spelled, uploads } from './tenants.ts';
import { books, zombie } from './upstreams.ts';

/** All attacks, in the order in which they are done. */
const attacks: Readonly<Record<string, Attack>> = {
  pings,
  shared,
  patterns,
  revoked,
  receivers,
  rules,
  spelled,
  readers,
  uploads,
  links,
  books,
  banned,
  zombie,
};

const known = {
  texts: {
    url: 'of the service, such as http://127.0.0.1:8080',
    key: 'an API key of it',
    token: 'a bearer token of an account of the plan free',
    simulator: 'URL of its simulator',
    redis: 'its Redis, as REDIS_URL has it',
    only: 'one attack',
  },
  numbers: {},
  flags: { help: 'this text' },
} as const;

const listed = Object.entries(attacks).map(([name, { what, needs = [] }]) => {
  const needed = needs.length === 0 ? '' : `; needs --${needs.join(' and --')}`;
  return `  ${name.padEnd(10)} ${what}${needed}`;
});
const help = `npm run load -- attacks --url URL --key KEY [options]

Attacks a running service, best a demo, and measures what others notice. Exit status 1 where a bound is exceeded.

${helpOf(known)}

${listed.join('\n')}
`;

function options(args: string[]): { target: Target; names: string[] } | null {
  const { is, text } = readOptions(args, known);
  if (is('help')) return null;
  const [url, key, only, simulator] = [text('url'), text('key'), text('only'), text('simulator')];
  if (url === undefined || key === undefined) throw new UsageError('--url and --key are needed');
  if (only !== undefined && !Object.hasOwn(attacks, only)) {
    throw new UsageError(`--only: ${only} is none of ${Object.keys(attacks).join(', ')}`);
  }
  const target = new Target(origin('url', url, ['http:']), {
    key,
    token: text('token') ?? '',
    simulator: simulator === undefined ? '' : origin('simulator', simulator, ['http:']).origin,
    redis: text('redis') ?? '',
  });
  return { target, names: only === undefined ? Object.keys(attacks) : [only] };
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
