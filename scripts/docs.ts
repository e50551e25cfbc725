/** Writes the documents that are made from tables; test/scripts/docs.test.ts fails while one is not up to date. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { documents } from './docs/documents.ts';

for (const [path, text] of Object.entries(documents)) {
  const file = join(import.meta.dirname, '..', path);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  writeFileSync(file, text);
  console.error(`written: ${path}`);
}
