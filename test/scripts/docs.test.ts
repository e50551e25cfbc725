/** The documents that are made from tables are up to date, and name what there is. */
import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
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
    const names = [...textOf(file).matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, name]) => name);
    for (const name of names) t.hasOwnProp(scripts, name ?? '', `${file}: npm run ${name}`);
  }
});

t.test('lines of curl in the guides stand where they are run', async (t) => {
  for (const file of guides) {
    const others = textOf(file).replace(/^```sh\n.*?^```$/gms, '');
    t.notMatch(others, /^ *curl /m, file);
  }
});

/** The anchors that GitHub makes of the headings of a page. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );

t.test('links of the guides lead to files and headings that there are', async (t) => {
  for (const file of guides) {
    for (const [, link = ''] of textOf(file).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(link)) continue;
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? file : posix.join(posix.dirname(file), path);
      t.ok(existsSync(new URL(`../../${target}`, import.meta.url)), `${file}: ${link}`);
      if (anchor) t.ok(anchorsOf(textOf(target)).includes(anchor), `${file}: ${link}`);
    }
  }
});
