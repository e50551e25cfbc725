/** The documents that are made from tables are up to date. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { documents } from '../../scripts/docs/documents.ts';

for (const [path, text] of Object.entries(documents)) {
  t.test(path, async (t) => {
    const written = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
    t.ok(written === text, '`npm run docs` writes it');
  });
}
