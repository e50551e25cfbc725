/** The container image holds what its processes are made of. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import t from 'tap';

const root = join(import.meta.dirname, '..');
const linesOf = (file: string) => readFileSync(join(root, file), 'utf8').split('\n');

/** Imports, workers and files beside a module. */
const named = /(?:from|import|import\(|require\(|new URL\()\s*'(\.[^']*)'/g;

/** Everything at the top that the processes reach from `cmd/`: names of folders and files. */
function reached(): string[] {
  const entries = readdirSync(join(root, 'cmd'), { recursive: true, encoding: 'utf8' });
  const files = new Set(
    entries.filter((name) => /\.c?[jt]s$/.test(name)).map((name) => join(root, 'cmd', name)),
  );
  // A set hands out what is added while it is read.
  for (const file of files) {
    if (!/\.c?[jt]s$/.test(file)) continue;
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(named)) {
      const target = join(dirname(file), path);
      if (existsSync(target)) files.add(target);
    }
  }
  return [...new Set([...files].map((file) => relative(root, file).split('/')[0] ?? ''))];
}

t.test('the image holds the folders that its processes import', async (t) => {
  const [first, ...admitted] = linesOf('.dockerignore').filter((line) => /^[^#]/.test(line));
  t.equal(first, '*', 'nothing is copied that is not named');
  // What `npm ci` reads in the image.
  const ofNpm = ['package.json', 'package-lock.json', '.npmrc'];
  // What makes the documents and the packages of the clients while the image is built.
  const making = ['scripts/docs', 'scripts/docs.ts'];
  const besides = [...ofNpm, ...making];
  const expected = new Set([...reached(), ...besides].filter((name) => name !== 'node_modules'));
  t.ok(expected.size > besides.length + 1, 'imports were found');
  t.strictSame(
    admitted.map((line) => line.replace(/^!|\/\*\.md$/g, '')).sort(),
    [...expected].sort(),
    '.dockerignore names what is reached',
  );
  t.ok(linesOf('Dockerfile').includes('COPY . .'), 'the Dockerfile copies all that is let in');
});

t.test('each process that is started by a file has that file in the image', async (t) => {
  const commands = [...linesOf('Procfile'), ...linesOf('compose.yaml'), ...linesOf('Dockerfile')];
  const files = commands.flatMap((line) => line.match(/cmd\/[a-z-]+\.ts/g) ?? []);
  t.ok(files.length >= 5);
  for (const file of new Set(files)) t.ok(existsSync(join(root, file)), file);
});
