/** The documents that are made from tables are up to date, and name what there is. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { kept } from '../../scripts/docs/documents.ts';
import { guides } from '../support/documented-lines.ts';

const textOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

for (const [path, text] of Object.entries(kept)) {
  t.test(path, async (t) => {
    t.ok(textOf(path) === text, '`npm run docs` writes it');
  });
}

t.test('commands of the guides are scripts that there are', async (t) => {
  const { scripts } = JSON.parse(textOf('package.json'));
  for (const file of guides) {
    const names = [...textOf(file).matchAll(/npm run (?:-s )?([\w:]+)/g)].map(([, name]) => name);
    for (const name of names) t.hasOwnProp(scripts, name ?? '', `${file}: npm run ${name}`);
  }
});

t.test('lines of curl in the guides stand where they are run', async (t) => {
  for (const file of guides) {
    const others = textOf(file).replace(/^```sh\n.*?^```$/gms, '');
    t.notMatch(others, /^ *curl /m, file);
  }
});
