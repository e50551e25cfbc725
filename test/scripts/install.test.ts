/** What `npm start` installs on a clone, without a registry: a program named npm links the packages of this checkout. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';

const root = join(import.meta.dirname, '..', '..');
const code = '{actors,cmd,config,http,indicators,scripts/docs,scripts/simulator}/**/*.ts';

/** All that the service, its documents and the simulator import from packages. */
const imported = [
  ...new Set(
    globSync(code, { cwd: root }).flatMap((file) =>
      [
        ...readFileSync(join(root, file), 'utf8').matchAll(
          /^(?!import type).*from '([^.'][^']*)';$/gm,
        ),
      ]
        .map(([, name]) => name ?? '')
        .filter((name) => !name.startsWith('node:')),
    ),
  ),
];

/** Links the packages of the lock file that are not of development alone, or all of them. */
const npm = `#!${process.execPath}
import { spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
const args = process.argv.slice(2);
appendFileSync('asked', args.join(' ') + '\\n');
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const names = args.includes('--omit=dev')
  ? Object.keys(packages).filter((name) => name !== '' && !packages[name].dev)
  : ['node_modules/tap', 'node_modules/node'];
const from = ${JSON.stringify(root)} + '/';
const outer = names.filter((name) => !name.includes('/node_modules/'));
spawnSync('rm', ['-rf', 'node_modules']);
const links = ['-al', '--parents', ...outer.map((name) => './' + name), process.cwd()];
const copies = ['-a', ...links.slice(1)];
if (spawnSync('cp', links, { cwd: from }).status !== 0) spawnSync('cp', copies, { cwd: from });
spawnSync('mkdir', ['-p', 'node_modules/.bin']);
spawnSync('ln', ['-s', '../node/bin/node', 'node_modules/.bin/node']);
`;

t.test('npm start installs what the service runs with, in less than 300 MB', async (t) => {
  // Beside no other node_modules, where a package that is missing would be found.
  const clone = mkdtempSync(join(tmpdir(), 'tidemark-install-'));
  t.teardown(() => rmSync(clone, { recursive: true }));
  const folders = ['actors', 'clients/packages', 'config', 'http', 'indicators', 'scripts/docs'];
  for (const folder of ['bin', 'cmd', ...folders])
    mkdirSync(join(clone, folder), { recursive: true });
  const files = ['package.json', 'package-lock.json', 'config/strip-types.cjs'];
  for (const file of [...files, 'scripts/setup.mjs', 'scripts/unused-files.mjs'])
    cpSync(join(root, file), join(clone, file));
  const documents = "import { appendFileSync } from 'node:fs';\nappendFileSync('made', 'x');\n";
  writeFileSync(join(clone, 'scripts/docs.ts'), documents);
  const redis = '#!/bin/sh\necho v=7.0.0\n';
  const programs = { npm, 'redis-server': redis, initdb: redis };
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(clone, 'bin', name), text);
    chmodSync(join(clone, 'bin', name), 0o755);
  }
  const setup = (event: string, ...more: string[]) => {
    const env = { PATH: `${clone}/bin:/usr/bin:/bin`, npm_lifecycle_event: event };
    const args = [join(clone, 'scripts/setup.mjs'), ...more];
    const done = spawnSync(process.execPath, args, { cwd: clone, env });
    t.equal(done.status, 0, done.stderr.toString());
    const asked = readFileSync(join(clone, 'asked'), 'utf8').trim().split('\n');
    return asked.map((line) => line.split(' ').at(-1));
  };

  t.strictSame(setup('start'), ['--omit=dev']);
  const du = spawnSync('du', ['-sm', '--exclude=.cache', 'node_modules'], { cwd: clone });
  const size = Number.parseInt(du.stdout.toString(), 10);
  t.ok(size > 100 && size < 300, `${size} MB`);
  t.ok(imported.includes('viem') && imported.includes('uWebSockets.js'));
  const all = `for (const name of ${JSON.stringify(imported)}) await import(name);`;
  const node = join(clone, 'node_modules/.bin/node');
  const loaded = spawnSync(node, ['--input-type=module', '-e', all], { cwd: clone });
  t.equal(loaded.stderr.toString(), '', 'every import is there, in what is left of the packages');

  t.strictSame(setup('start'), ['--omit=dev'], 'a second start installs nothing');
  const made = () => readFileSync(join(clone, 'made'), 'utf8').length;
  t.equal(made(), 1, 'and makes no documents anew');
  writeFileSync(join(clone, 'http/route.ts'), '');
  setup('start');
  t.equal(made(), 2, 'they are made anew when the code has changed');
  const both = ['--omit=dev', '--include=dev'];
  t.strictSame(setup('pretest'), both, 'tests need the rest');
  t.strictSame(setup('start'), both, 'and leave it there');
  t.strictSame(setup('setup', '--all'), both);
});
