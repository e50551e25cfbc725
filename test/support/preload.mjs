/**
 * Loaded by `npm test` into each test file and the processes that it starts; without it the tests say the same and take
 * several times as much of the processor.
 *
 * - The test runner follows every promise by an async hook, so that an error which nothing caught is reported by the test
 *   that began it. Here such an error ends the process, and with it the file fails.
 * - It lists the modules that each process loads, for coverage, by way of another thread; no coverage is measured here.
 * - Node strips the types of every module in each process. Here a module is stripped once, and the outcome is kept on disk
 *   by the hash of its text.
 */
import hooks from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes, syncBuiltinESMExports } from 'node:module';
import { fileURLToPath } from 'node:url';

hooks.createHook = () => ({ enable: () => {}, disable: () => {} });
syncBuiltinESMExports();

const folder = new URL(`../../node_modules/.cache/stripped/${process.version}/`, import.meta.url);
mkdirSync(folder, { recursive: true });

/** Without the warning that the function is experimental: tests read what their processes print. */
function strip(text) {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(text);
  } finally {
    process.emitWarning = emitWarning;
  }
}

function stripped(text) {
  const name = createHash('sha256').update(text).digest('hex');
  const kept = new URL(name, folder);
  try {
    return readFileSync(kept, 'utf8');
  } catch {
    const source = strip(text);
    // Processes run beside each other: a file appears whole or not at all.
    const draft = new URL(`${name}.${process.pid}`, folder);
    writeFileSync(draft, source);
    renameSync(draft, kept);
    return source;
  }
}

registerHooks({
  load(url, context, nextLoad) {
    if (url.endsWith('/@tapjs/processinfo/dist/esm/import.mjs')) {
      return { format: 'module', source: '', shortCircuit: true };
    }
    if (context.format !== 'module-typescript') return nextLoad(url, context);
    const source = stripped(readFileSync(fileURLToPath(url), 'utf8'));
    return { format: 'module', source, shortCircuit: true };
  },
});

process.env.NODE_OPTIONS = `--import=${import.meta.url}`;
