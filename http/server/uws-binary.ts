import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ConfigError } from '../../config/config.ts';

/**
 * SHA-256 of the binaries for Node 22 (ABI 127) in uws-pack 20.0.8, by file name. docs/security.md explains their
 * origin and how to compare them with an official release.
 */
export const knownBinaries: Readonly<Record<string, string>> = {
  'uws_darwin_arm64_127.node': 'abbeea53d48e21c01808203e9f9835728f2cea720d2e5b154837ee3045b513be',
  'uws_darwin_x64_127.node': 'afd992dc1ca1e33cdc7ce0c72a60baf236e590a257fcecbbbce7bc1a35451387',
  'uws_linux_arm64_127.node': 'd4c4f8b2c28c5f6544b49e36d91b0beee238a5b90a07904a947f77061c8b814d',
  'uws_linux_arm_127.node': '0e1d4024b629a1fe17ec76cde8fe7e320101eb8bdcf7b2c4086933932e3cea23',
  'uws_linux_x64_127.node': '8cabc918bbf9a07323e54f89a33882491080b2eb35df0607f473ccdb1f3c31af',
  'uws_win32_x64_127.node': '585d6ee2dbfc750b1d5a59e6ceaef8a977e90ef3e298a82821d58b41cd72a8c0',
};

/** Name of the binary that uWebSockets.js loads on this platform, the same in uws-pack and the official package. */
export const binaryName = (): string =>
  `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`;

/** Path of that binary: uws-pack has it in a folder beside its entry, the official package beside the entry. */
function locate(name: string): URL | null {
  const entry = import.meta.resolve('uWebSockets.js');
  const places = [new URL(`bin/${name}`, entry), new URL(name, entry)];
  return places.find((place) => existsSync(place)) ?? null;
}

/** SHA-256 of a file, in hexadecimal. */
export const hashOf = (file: URL | string): string =>
  createHash('sha256').update(readFileSync(file)).digest('hex');

/** The fault of a binary with this name and hash; null for the known one. */
export function binaryFault(name: string, hash: string): string | null {
  const known = knownBinaries[name];
  if (hash === known) return null;
  return known === undefined
    ? `${name} is not among the known binaries; its SHA-256 is ${hash}`
    : `${name} has SHA-256 ${hash}, and ${known} was expected`;
}

/**
 * Throws a ConfigError for a uWebSockets.js binary that is not the known one, unless `allowAny`. Call it before
 * anything imports uWebSockets.js: loading a binary runs its code.
 */
export function assertKnownBinary(allowAny: boolean, name = binaryName()): void {
  if (allowAny) return;
  const file = locate(name);
  const fault =
    file === null
      ? `the package uWebSockets.js has no ${name}: it does not support this platform or Node ${process.version}`
      : binaryFault(name, hashOf(file));
  if (fault === null) return;
  const where = file === null ? '' : ` (${fileURLToPath(file)})`;
  throw new ConfigError(
    `${fault}${where}. Set UWS_ANY_BINARY=1 if this is the release you chose; docs/security.md says how to compare.`,
  );
}
