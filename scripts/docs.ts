/** Writes what is made from tables and from the description of the API: documents, modules of the clients, their packages. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { kept, made } from './docs/documents.ts';
import { packClients } from './docs/packages.ts';

const root = join(import.meta.dirname, '..');
for (const [path, text] of Object.entries({ ...kept, ...made })) {
  const file = join(root, path);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  console.error(`written: ${path}`);
}
packClients();
