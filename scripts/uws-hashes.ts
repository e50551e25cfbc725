/**
 * `node scripts/uws-hashes.ts [FOLDER]`: SHA-256 of every uWebSockets.js binary of a folder, such as a checkout of
 * an official release, beside the known ones. Without a folder, of the installed package. Exit status 1 when one
 * of them differs, 2 when there is none to compare.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hashOf, knownBinaries } from '../http/server/uws-binary.ts';

const installed = () => fileURLToPath(new URL('bin', import.meta.resolve('uWebSockets.js')));
const folder = process.argv[2] ?? installed();
const names = readdirSync(folder).filter((name) => Object.hasOwn(knownBinaries, name));
if (names.length === 0) {
  console.error(`${folder} has none of ${Object.keys(knownBinaries).join(', ')}`);
  process.exit(2);
}
for (const name of names) {
  const hash = hashOf(join(folder, name));
  const same = hash === knownBinaries[name];
  if (!same) process.exitCode = 1;
  console.log(`${hash}  ${name}  ${same ? 'as known' : 'DIFFERS'}`);
}
