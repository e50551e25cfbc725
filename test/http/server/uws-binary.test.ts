import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import {
  assertKnownBinary,
  binaryFault,
  binaryName,
  hashOf,
  knownBinaries,
} from '../../../http/server/uws-binary.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

t.test('the binary that is installed is the known one', async (t) => {
  t.ok(Object.hasOwn(knownBinaries, binaryName()), binaryName());
  t.doesNotThrow(() => assertKnownBinary(false));
  const other = 'uws_plan9_x64_127.node';
  t.doesNotThrow(() => assertKnownBinary(true, other));
  t.throws(() => assertKnownBinary(false, other), {
    name: 'ConfigError',
    message: /has no uws_plan9/,
  });
});

t.test('every binary of the package has the hash of the table', async (t) => {
  for (const [name, hash] of Object.entries(knownBinaries)) {
    const file = new URL(`bin/${name}`, import.meta.resolve('uWebSockets.js'));
    t.ok(existsSync(file), name);
    t.equal(hashOf(file), hash, name);
  }
});

t.test('the table is the one of the lock file and of the documentation', async (t) => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const locked = lock.packages['node_modules/uWebSockets.js'];
  t.match(locked, { name: 'uws-pack', version: '20.0.8', integrity: /^sha512-/ });
  const text = readFileSync(join(root, 'docs', 'security.md'), 'utf8');
  t.ok(text.includes(locked.integrity), 'the integrity is documented');
  for (const [name, hash] of Object.entries(knownBinaries)) {
    t.ok(text.includes(`| \`${name}\` | \`${hash}\` |`), name);
  }
});

t.test('another hash and another platform are refused, with what was found', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'uws-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'uws_linux_x64_127.node');
  writeFileSync(file, 'abc');
  // SHA-256 of "abc": FIPS 180-2, appendix B.1.
  const hash = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  t.equal(hashOf(file), hash);
  const known = knownBinaries['uws_linux_x64_127.node'] ?? '';
  t.equal(
    binaryFault('uws_linux_x64_127.node', hash),
    `uws_linux_x64_127.node has SHA-256 ${hash}, and ${known} was expected`,
  );
  t.match(binaryFault('uws_linux_x64_137.node', hash), /not among the known binaries/);
  t.equal(binaryFault('uws_linux_x64_127.node', known), null);
});
