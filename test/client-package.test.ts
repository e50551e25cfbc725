/** The package of the TypeScript client, as a project of its own installs, compiles and runs it. */
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { snapshotOf } from '../http/answers/snapshots.ts';
import { readmeProgram } from './support/client-readme.ts';
import { echo, reads, startServer } from './support/http.ts';
import { alice, gateOf } from './support/quota.ts';

const root = join(import.meta.dirname, '..');
const modules = join(root, 'node_modules');
const path = [join(modules, '.bin'), process.env.PATH].join(delimiter);

/** Runs a program to its end; what it has said on a failure. */
async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  const env = { ...process.env, PATH: path, NODE_OPTIONS: '' };
  const done = promisify(execFile)(command, [...args], { cwd, env, timeout: 120_000 });
  return done.then(
    ({ stdout }) => stdout,
    (error) => {
      throw new Error(`${command} ${args.join(' ')}: ${error.stdout}${error.stderr}`);
    },
  );
}

/** Programs named `node` outside of this project whose version is 20. */
function node20(): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const found = folders
    .filter((folder) => !folder.includes('node_modules'))
    .map((folder) => join(folder, 'node'))
    .filter((program) => {
      try {
        return /^v20\./.test(execFileSync(program, ['--version']).toString());
      } catch {
        return false;
      }
    });
  return found[0] ?? null;
}

/** Types that are wrong on purpose are named, so that an answer of type `any` fails. */
const program = `
import { Tidemark, TidemarkError, SubscriptionError, type PriceOfSymbol } from 'tidemark-client';
import WebSocket from 'ws';

const [url = ''] = process.argv.slice(2);
const tidemark = new Tidemark({ url, key: 'good', WebSocket });
const { data } = await tidemark.price('BTC');
const price: PriceOfSymbol = data;
// @ts-expect-error
const wrong: string = data.average_price;
const symbol: string = 'BTC';
const chosen: PriceOfSymbol = (await tidemark.get('/v1/prices', { symbol })).data;
// @ts-expect-error the summaries of all symbols
const summaries: PriceOfSymbol = (await tidemark.get('/v1/prices', {})).data;
// @ts-expect-error a parameter that the path does not have
await tidemark.get('/v1/prices', { symbol, limt: 3 });
const isQuota = (error: unknown) =>
  error instanceof TidemarkError && error.code === 'too_many_requests';
// @ts-expect-error a code that there is not
const isOther = (error: TidemarkError) => error.code === 'too_many';
const seen: unknown[] = [price.average_price, typeof wrong, chosen.average_price, isQuota(null)];
for await (const update of tidemark.subscribe('/v1/prices', { symbol })) {
  seen.push(update.data.average_price);
  break;
}
if (!('WebSocket' in globalThis)) {
  try {
    for await (const _ of new Tidemark({ url }).subscribe('/v1/status', {})) break;
  } catch (error) {
    if (!(error instanceof SubscriptionError)) throw error;
    seen.push(error.code);
  }
}
console.log(JSON.stringify(seen));
`;

const resolutions = {
  node10: { module: 'es2022', moduleResolution: 'node10' },
  node16: { module: 'node16', moduleResolution: 'node16' },
  bundler: { module: 'es2022', moduleResolution: 'bundler' },
};

/** TypeScript 5 is the last that knows the oldest resolution; 7 is current. */
const compilers = { node10: 'typescript', node16: 'typescript-7', bundler: 'typescript-7' };

/** A project with the packed client; everything it installs lies on this machine. */
async function project(t: Test): Promise<string> {
  const folder = t.testdir({ client: {}, project: {} });
  const client = join(folder, 'client');
  const source = join(root, 'clients/typescript');
  for (const name of ['package.json', 'tsconfig.json', 'README.md', 'CHANGELOG.md', 'src'])
    cpSync(join(source, name), join(client, name), { recursive: true });
  // Its compiler, as its own installation has it.
  mkdirSync(join(client, 'node_modules/.bin'), { recursive: true });
  symlinkSync(join(modules, 'typescript-7/bin/tsc'), join(client, 'node_modules/.bin/tsc'));
  const packed = JSON.parse(await run('npm', ['pack', '--json', '--silent'], client));
  const { filename, files } = packed[0];
  const names = files.map((file: { path: string }) => file.path);
  for (const name of ['dist/index.js', 'dist/index.d.ts', 'dist/types.d.ts'])
    t.ok(names.includes(name), `the package has ${name}`);
  const own = join(folder, 'project');
  mkdirSync(join(own, 'src'));
  const dependencies = {
    'tidemark-client': `file:${join(client, filename)}`,
    ws: `file:${join(modules, 'ws')}`,
    '@types/ws': `file:${join(modules, '@types/ws')}`,
    '@types/node': `file:${join(modules, '@types/node')}`,
    'undici-types': `file:${join(modules, 'undici-types')}`,
  };
  const manifest = { name: 'own', private: true, type: 'module', dependencies };
  writeFileSync(join(own, 'package.json'), JSON.stringify(manifest));
  const install = ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', [...install, '--install-links', `--cache=${join(folder, 'cache')}`], own);
  writeFileSync(join(own, 'src/main.ts'), program);
  writeFileSync(join(own, 'src/readme.ts'), readmeProgram().program);
  for (const [name, resolution] of Object.entries(resolutions)) {
    const compilerOptions = {
      target: 'es2022',
      strict: true,
      skipDefaultLibCheck: true,
      esModuleInterop: true,
      rootDir: 'src',
      outDir: `out/${name}`,
      ...resolution,
    };
    const config = { compilerOptions, include: ['src'] };
    writeFileSync(join(own, `${name}.json`), JSON.stringify(config));
  }
  return own;
}

t.test(
  'the packed client and its README compile under every resolution, and it runs',
  async (t) => {
    const own = await project(t);
    for (const [name, compiler] of Object.entries(compilers)) {
      const program = [join(modules, compiler, 'bin/tsc'), '-p', `${name}.json`];
      t.equal(await run(process.execPath, program, own).catch(String), '', `${name}, ${compiler}`);
    }
    const price = echo({
      path: '/v1/prices',
      params: { symbol: { type: 'string', description: 'Text' } },
      from: reads(() => snapshotOf({ symbol: 'BTC', average_price: 7 })),
    });
    const server = await startServer(t, [price], { gate: gateOf({ good: alice }) });
    const ways = { [process.version]: process.execPath, 'Node 20': node20() };
    for (const [version, node] of Object.entries(ways)) {
      if (node === null) {
        t.comment('skipped: the client on Node 20, which is not in the path');
        continue;
      }
      const common = [7, 'number', 7, false, 7];
      const [major] = execFileSync(node, ['--version']).toString().slice(1).split('.');
      const seen = Number(major) < 22 ? [...common, 'no_websocket'] : common;
      const said = await run(node, [join('out', 'node16', 'main.js'), server.url], own);
      t.strictSame(JSON.parse(said), seen, version);
    }
  },
);
