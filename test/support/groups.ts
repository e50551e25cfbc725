/**
 * Test files that share a process: most of what a small file costs is the start of Node, of the test runner and of the modules
 * that it tests. Each file is a test of its own within its group, with its own hooks, tear-down and time limit;
 * `node FILE` runs it by itself.
 */
import { readdirSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t, { type Test } from 'tap';

const root = join(import.meta.dirname, '..', '..');

/**
 * The folders of each group. A file belongs to the group of the deepest folder that is named. Groups begin in the order of
 * their names: the longest, the exchanges, is not among the last, so that no core waits for the end of another.
 */
const folders = {
  actors: ['test/actors'],
  chains: ['test/actors/chains', 'test/actors/defi', 'test/actors/wallet'],
  exchanges: ['test/actors/venues'],
  front: ['test/http'],
  indicators: ['test/indicators'],
  live: ['test/http/live', 'test/http/server/streams'],
  load: ['test/scripts/load'],
  market: ['test/actors/market', 'test/actors/providers'],
  rest: ['test'],
  routes: ['test/http/routes', 'test/http/views'],
  simulator: ['test/scripts/simulator'],
  sources: ['test/actors/sources'],
  upstream: ['test/actors/upstream'],
  wire: ['test/http/wire', 'test/http/auth', 'test/http/quota', 'test/http/server'],
};

export type GroupName = keyof typeof folders;
export const groupNames = Object.keys(folders) as GroupName[];

/**
 * Files and folders that have processes of their own: they change or measure the whole process, need the machine, or take as
 * long as a group.
 */
const alone = [
  'test/cmd/',
  'test/groups/',
  'test/http/pages/page-scripts.test.ts',
  'test/http/pages/stream.test.ts',
  'test/http/pages/symbol-chart.test.ts',
  'test/http/server/server-timeouts.test.ts',
];

export const testFiles = (): string[] =>
  readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `test/${file}`)
    .sort();

const placed = Object.entries(folders)
  .flatMap(([name, of]) => of.map((folder) => ({ name, folder: `${folder}/` })))
  .sort((a, b) => b.folder.length - a.folder.length);

/** The files of a group. */
export const filesOf = (name: GroupName): string[] =>
  testFiles().filter(
    (file) =>
      !alone.some((of) => file.startsWith(of)) &&
      placed.find(({ folder }) => file.startsWith(folder))?.name === name,
  );

/** The test of each file that is running or has run, by the address of the file. */
export const tests = new Map<string, Test>();

/** What `import t from 'tap'` gives in a file of the group: the test of that file in place of the one of the process. */
function giveTests() {
  const scheme = 'test-of:';
  const self = JSON.stringify(import.meta.url);
  registerHooks({
    resolve(specifier, context, next) {
      const file = context.parentURL ?? '';
      if (specifier !== 'tap' || !tests.has(file)) return next(specifier, context);
      return { url: scheme + file, format: 'module', shortCircuit: true };
    },
    load(url, context, next) {
      if (!url.startsWith(scheme)) return next(url, context);
      const file = JSON.stringify(url.slice(scheme.length));
      const source = `import { tests } from ${self}; export default tests.get(${file});`;
      return { format: 'module', source, shortCircuit: true };
    },
  });
}

/** Runs the files of the group that the file `test/groups/NAME.test.ts` is for, one after the other. */
export function runGroup(group: string): void {
  const name = groupNames.find((known) => basename(group) === `${known}.test.ts`);
  if (!name) throw new Error(`there is no group for ${group}`);
  giveTests();
  const limit = t.options.timeout ?? 0;
  for (const file of filesOf(name)) {
    t.test(file, async (test) => {
      t.setTimeout(limit);
      const { href } = pathToFileURL(join(root, file));
      tests.set(href, test);
      await import(href);
    });
  }
}
