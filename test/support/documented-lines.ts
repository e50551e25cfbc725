/** The command lines of the documentation, run against a service as a person copies them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { outputOf } from './command.ts';
import type { Service } from './service.ts';

const root = join(import.meta.dirname, '..', '..');

/** Lines of a document that are copied together. */
interface Lines {
  file: string;
  text: string;
}

const linesIn = (file: string): Lines[] => {
  const text = readFileSync(join(root, file), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)];
  const inSentences = [...text.matchAll(/`((?:npx|npm run) [^`]* -- [^`]+)`/g)];
  return [...blocks, ...inSentences].map(([, lines = '']) => ({ file, text: lines }));
};

/** Documents that people read. */
export const guides = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  ...['python', 'typescript'].map((name) => `clients/${name}/README.md`),
];

/** Lines that are not run here, and why. */
const elsewhere: readonly (readonly [RegExp, string])[] = [
  [/^mv \.data /m, 'stops the service'],
  [/^npm start/m, 'starts a service, as this test does'],
  [/^npm run demo/m, 'starts a service, as this test does'],
  [/^docker compose/m, 'needs Docker'],
  [/^debootstrap/m, 'makes an image out of packages'],
  [/^apt-get/m, 'changes the machine'],
  [/sentinel/, 'needs three machines; test/cmd/process/redis-servers.test.ts has such a group'],
  [/^HISTORY_URL=/m, 'needs PostgreSQL; test/actors/history has it'],
  [/^python3 -m venv|npm run setup -- --all/m, 'loads packages'],
  [/npm run key -- --restore/, 'needs a Redis that has lost its keys'],
  [/^rsync|rsync -a/m, 'needs rsync; test/actors/history/files.test.ts restores such a copy'],
  [
    /read_parquet\('\.data/,
    'reads files that are there after a month; test/actors/history/files.test.ts has some',
  ],
  [/npm run simulator/, 'starts what this test has started'],
  [/npm run (bench|load -- \w+|fuzz|dashboard:measure)\b|live-upstream/, 'takes minutes'],
];

/** Lines that go on until they are stopped, and what they print soon. */
const endless: readonly (readonly [RegExp, RegExp])[] = [
  [/v1\/stream\?/, /^event: snapshot$/m],
  [/new WebSocket/, /"type":"snapshot"/],
  [/^while /m, /"average_price"/],
];

/** What lines print that show more than their success. */
const shown: readonly (readonly [RegExp, RegExp])[] = [
  [/npm run export/, /"symbol":"BTC"/],
  [/rows\.parquet LIMIT/, /"close":\d/],
  [/\/mcp /, /"isError":false/],
];

const foundIn = <T>(table: readonly (readonly [RegExp, T])[], text: string): T | null =>
  table.find(([pattern]) => pattern.test(text))?.[1] ?? null;

/** What a shell has besides the machine's: an answer that is an error fails, a busy service is asked again, and DuckDB is that of npm. */
const prelude = `set -euo pipefail
curl() { command curl --silent --show-error --fail-with-body --retry 8 --retry-delay 1 "$@"; }
duckdb() { node ${join(import.meta.dirname, 'duckdb.ts')} "$@"; }
`;

/** Runs lines in a folder that looks like a checkout with a running service. */
async function run(t: Test, { url, key, folder }: Service, { text }: Lines) {
  const cwd = mkdtempSync(join(tmpdir(), 'lines-'));
  t.teardown(() => rmSync(cwd, { recursive: true }));
  const names = readdirSync(root).filter((name) => name !== '.data');
  for (const name of names) symlinkSync(join(root, name), join(cwd, name));
  symlinkSync(folder, join(cwd, '.data'));
  const { host } = new URL(url);
  const script = prelude + text.replaceAll('127.0.0.1:8080', host);
  const [, port] = host.split(':');
  const PATH = `${join(root, 'node_modules/.bin')}:${process.env.PATH}`;
  const env = { ...process.env, NODE_OPTIONS: '', DATA_DIR: folder, KEY: key, PORT: port, PATH };
  const child = spawn('bash', ['-c', script], { cwd, env, detached: true, timeout: 90_000 });
  const said = outputOf(child);
  const soon = foundIn(endless, text);
  child.stdout.on('data', () => {
    if (soon?.test(said.out) && child.pid) process.kill(-child.pid);
  });
  const [code] = await once(child, 'close');
  return { ...said, isDone: soon === null ? code === 0 : code === null };
}

/** Runs each of the lines that can be run beside a service. */
export async function runDocumentedLines(t: Test, service: Service): Promise<void> {
  const all = new Map(guides.flatMap(linesIn).map((lines) => [lines.text, lines]));
  for (const lines of all.values()) {
    const [first = ''] = lines.text.split('\n');
    const why = foundIn(elsewhere, lines.text);
    if (why !== null) {
      t.comment(`skipped: ${lines.file}: ${first}: ${why}`);
      continue;
    }
    await t.test(`${lines.file}: ${first}`, async (t) => {
      const { out, err, isDone } = await run(t, service, lines);
      t.ok(isDone, 'it succeeds', { out, err });
      t.notMatch(out, /"status":"error"|"isError":true/);
      t.match(out, foundIn(shown, lines.text) ?? /^/, 'and shows what it is for');
    });
  }
}
