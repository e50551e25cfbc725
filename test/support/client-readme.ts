/** The README of the TypeScript client as one program: each block as it stands there, in its place. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import { runCommand } from './command.ts';
import type { Service } from './service.ts';

const client = join(import.meta.dirname, '..', '..', 'clients/typescript');

/** A loop over a subscription ends with its first update. */
const once = (code: string) =>
  code.includes('subscribe(') ? code.replaceAll(/^}$/gm, '  break;\n}') : code;

/**
 * The program, and how many blocks it has. A block sees the names of those before it and may use them anew, so that each stands
 * within the one before. It begins with a line `block N`. `tokenOf` is the reader's own.
 */
export function readmeProgram(): { program: string; blocks: number } {
  const text = readFileSync(join(client, 'README.md'), 'utf8');
  const blocks = [...text.matchAll(/^```[tj]s\n(.*?)^```/gms)].map(([, code = '']) => code);
  const lines = blocks.join('').split('\n');
  const imports = new Set(lines.filter((line) => line.startsWith('import ')));
  const bodies = blocks.map((code, at) => `{\nconsole.log('block ${at}');\n${once(code)}`);
  const program = [
    ...imports,
    "const tokenOf = async (_: string) => process.env.TOKEN ?? '';",
    ...bodies.map((code) => code.replaceAll(/^import .*\n/gm, '')),
    '}'.repeat(blocks.length),
    'export {};',
  ].join('\n');
  return { program, blocks: blocks.length };
}

/** Runs it against a service. */
export async function tryReadme(t: Test, { url, key, folder }: Service): Promise<void> {
  const { out } = await runCommand('cmd/token.ts', ['--sub', 'alice'], { DATA_DIR: folder });
  const { program, blocks } = readmeProgram();
  const pepe = '0x6982508145454Ce325dDbE47a25d4ec3d2311933';
  const file = join(t.testdir({}), 'readme.mts');
  writeFileSync(
    file,
    program
      .replaceAll("'tidemark-client'", JSON.stringify(join(client, 'src/index.ts')))
      .replaceAll('http://127.0.0.1:8080', url)
      .replaceAll('tm_live_…', key)
      .replaceAll('0x…', pepe),
  );
  const env = { ...process.env, TOKEN: out.trim(), NODE_OPTIONS: '' };
  const run = promisify(execFile)(process.execPath, [file], { env, timeout: 90_000 });
  const said = await run.then(
    ({ stdout }) => stdout,
    (error) => `${error.stdout}${error.stderr}`,
  );
  const parts = said.split(/^block \d+\n/m).slice(1);
  t.equal(parts.length, blocks, 'each block of the README of the TypeScript client is run');
  const silent = (part: string) => part.trim() === '' || part.includes('undefined');
  // What makes a client alone has nothing to say.
  const [first, ...others] = parts.filter(silent);
  t.equal(first ?? '', '', 'one block makes a client and prints nothing');
  t.strictSame(others, [], 'all others print what they ask for');
  if (!t.passing()) t.comment(said.slice(-2_000));
}
