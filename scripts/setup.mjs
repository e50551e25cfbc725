#!/usr/bin/env node
// Installs what is missing before start, demo, test and bench: npm packages when the lock file changed, the documents and
// clients that are made from the code when it changed, and redis-server when there is none; before tests and benchmarks (or with --all) the tools of development, before tests PostgreSQL
// too. Plain JavaScript for Node 18 and newer, because it runs before anything else is there.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deleteUnused } from './unused-files.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stamp = join(root, 'node_modules', '.tidemark-lock');
const say = (line) => console.error(`[setup] ${line}`);

class SetupError extends Error {}

function run(command, args, env = {}) {
  say([command, ...args].join(' '));
  const stdio = ['ignore', process.stderr, process.stderr];
  const done = spawnSync(command, args, { cwd: root, stdio, env: { ...process.env, ...env } });
  return done.status === 0;
}

const onPath = (name) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;

/** The packages that the service runs with; those of development too where `all`, or where they were there before. */
function installPackages(all) {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const production = `${lock} production`;
  const has = existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
  if (has === lock || (has === production && !all)) return;
  const whole = all || existsSync(join(root, 'node_modules', 'tap'));
  const options = ['--no-audit', '--no-fund', '--loglevel=error'];
  if (!run('npm', ['ci', ...options, ...(whole ? ['--include=dev'] : ['--omit=dev'])])) {
    throw new SetupError('npm ci failed; its output is above');
  }
  const node = join(root, 'node_modules', '.bin', 'node');
  const asked = ['-p', 'process.version + " " + process.versions.modules'];
  const { stdout } = spawnSync(node, asked, { encoding: 'utf8' });
  const [version = '', abi] = (stdout ?? '').trim().split(' ');
  if (!/^v2[2-9]\./.test(version)) {
    throw new SetupError(
      'the package node@22 has no working binary; was its install script allowed to run?',
    );
  }
  if (!whole) deleteUnused(join(root, 'node_modules'), abi);
  stripTypes();
  writeFileSync(stamp, whole ? lock : production);
}

/** So that the first start is as fast as the others. Without it all is done as well. */
function stripTypes() {
  const folders = ['actors', 'alerts', 'cmd', 'config', 'http', 'indicators', 'scripts'];
  const script = [join('config', 'strip-types.cjs'), ...folders];
  spawnSync(join(root, 'node_modules', '.bin', 'node'), script, { cwd: root, stdio: 'ignore' });
}

/** Names, times and sizes of the files that documents and clients are made of. */
function sourcesOfDocuments() {
  const hash = createHash('sha256');
  const folders = ['actors', 'clients', 'config', 'http', 'indicators', join('scripts', 'docs')];
  for (const folder of folders) {
    for (const name of readdirSync(join(root, folder), { recursive: true })) {
      if (!/\.(ts|py|md|toml)$/.test(name) || madeFile.test(join(folder, name))) continue;
      const { mtimeMs, size } = statSync(join(root, folder, name));
      hash.update(`${folder}/${name} ${mtimeMs} ${size}\n`);
    }
  }
  return hash.digest('hex');
}
const madeFile =
  /^clients\/(typescript\/(dist\/|src\/types\.ts$)|python\/src\/tidemark\/(types|refusals|v[12])\.py$)/;

/** Documents and clients that are not in git. A service without them runs, and lacks these pages and packages. */
function makeDocuments() {
  const made = join(root, 'clients', 'packages', '.sources');
  const sources = sourcesOfDocuments();
  if (existsSync(made) && readFileSync(made, 'utf8') === sources) return;
  const node = join(root, 'node_modules', '.bin', 'node');
  if (run(node, [join('scripts', 'docs.ts')])) writeFileSync(made, sources);
}

/** Package manager commands, the first whose program exists is used. */
const managers = [
  {
    program: 'apt-get',
    before: ['update', '-qq'],
    // Another installation may be under way: that of the system's own updates, or of the browser in .ci/run.
    install: ['install', '-y', '-qq', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300'],
  },
  { program: 'dnf', install: ['install', '-y'] },
  { program: 'apk', install: ['add'], names: { 'redis-server': 'redis' } },
  { program: 'brew', install: ['install'], names: { 'redis-server': 'redis' }, anyUser: true },
];

/** Installs a system package with the rights we have; false when there is no way to. */
function installSystem(name) {
  const manager = managers.find(({ program }) => onPath(program));
  if (!manager) return false;
  const isRoot = process.getuid?.() === 0 || manager.anyUser;
  if (!isRoot && !(onPath('sudo') && spawnSync('sudo', ['-n', 'true']).status === 0)) return false;
  // RUNLEVEL=1 keeps Debian from starting the packaged service: we run our own server.
  const settings = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const prefix = isRoot
    ? []
    : ['sudo', '-n', 'env', ...Object.entries(settings).map((e) => e.join('='))];
  const call = (args) => {
    const [command, ...rest] = [...prefix, manager.program, ...args];
    return run(command, rest, settings);
  };
  if (manager.before) call(manager.before);
  return call([...manager.install, manager.names?.[name] ?? name]);
}

function redisVersion() {
  const found = spawnSync('redis-server', ['--version'], { encoding: 'utf8' });
  return Number(/v=(\d+)/.exec(found.stdout ?? '')?.[1] ?? 0);
}

function installRedis() {
  if (redisVersion() === 0) installSystem('redis-server');
  if (redisVersion() >= 7) return;
  throw new SetupError(
    `Tidemark needs redis-server 7 or newer and found ${redisVersion() || 'none'}. Three ways out:
  1. install it with your package manager, for example: sudo apt-get install redis-server
  2. set REDIS_URL to a Redis that runs already, for example: REDIS_URL=redis://127.0.0.1:6379 npm start
     (API keys live there: it should have "appendonly yes", and be reachable from this machine only)
  3. use Docker, then set REDIS_URL=redis://127.0.0.1:6379:
     docker run -d --name tidemark-redis -p 127.0.0.1:6379:6379 -v tidemark-redis:/data redis:7 redis-server --appendonly yes`,
  );
}

/** PostgreSQL, for the tests of the history: Debian keeps its programs out of the path. */
function installPostgres() {
  const packaged = '/usr/lib/postgresql';
  const versions = () => (existsSync(packaged) ? readdirSync(packaged) : []);
  const has = (version) => existsSync(join(packaged, version, 'bin', 'initdb'));
  const there = () => onPath('initdb') || versions().some(has);
  if (there() || (installSystem('postgresql') && there())) return;
  throw new SetupError('the tests need PostgreSQL: install it with your package manager');
}

try {
  const testing = process.env.npm_lifecycle_event === 'pretest';
  installPackages(testing || ['--bench', '--all'].some((name) => process.argv.includes(name)));
  makeDocuments();
  if (testing || !process.env.REDIS_URL) installRedis();
  if (testing) installPostgres();
  if (process.argv.includes('--bench') && !onPath('wrk')) {
    if (!(installSystem('wrk') && onPath('wrk'))) {
      throw new SetupError('the benchmark needs wrk: install it with your package manager');
    }
  }
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(`[setup] ${error.message}`);
  process.exit(1);
}
