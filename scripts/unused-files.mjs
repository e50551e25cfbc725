// What an installation without the tools of development need not have.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const compiler = ['typescript/package.json', 'typescript/lib/typescript.js'];

/**
 * Whether no process reads a file: maps and types (Node runs no TypeScript within node_modules), the compiler but for the
 * module that packs the client, headers for native builds, and binaries of uWebSockets.js for others than `binary`.
 */
const isUnused = (path, binary) =>
  /\.(map|[cm]?ts)$/.test(path) ||
  (path.startsWith('typescript/') && !compiler.includes(path)) ||
  /^node\/node_modules\/[\w-]+\/include\//.test(path) ||
  (/^uWebSockets\.js\/dist\/bin\/uws_/.test(path) && !path.endsWith(`/${binary}`));

/** Deletes them from a node_modules folder, whose Node has this ABI. */
export function deleteUnused(modules, abi) {
  const binary = `uws_${process.platform}_${process.arch}_${abi}.node`;
  const visit = (folder) => {
    for (const entry of readdirSync(join(modules, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) visit(path);
      else if (isUnused(path, binary)) rmSync(join(modules, path));
    }
  };
  visit('');
}
