/**
 * Node strips the types of every module in every process, which is most of what a start costs: a second of CPU for each
 * of eight processes. Once this is loaded, a module is stripped once: the outcome is kept on disk by the hash of its text,
 * and read from there by all processes. Where the folder cannot be written, Node strips as it does without this.
 *
 * `node config/strip-types.cjs FOLDER...` strips all modules of these folders, for the first start.
 */
const { createHash } = require('node:crypto');
const { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { registerHooks, stripTypeScriptTypes } = require('node:module');
const { join } = require('node:path');
const { fileURLToPath } = require('node:url');

const folder = join(__dirname, '..', 'node_modules', '.cache', 'stripped', process.version);

/** Without the warning that the function is experimental: it would stand before the first line of every process. */
function strip(text) {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(text);
  } finally {
    process.emitWarning = emitWarning;
  }
}

function keep(file, source) {
  // Processes run beside each other: a file appears whole or not at all.
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(draft, source);
    renameSync(draft, file);
  } catch {
    // A read-only installation: the next process strips it again.
  }
}

/** The text of a TypeScript module without its types; lines and columns are those of the original. */
function stripped(text) {
  const file = join(folder, createHash('sha256').update(text).digest('hex'));
  try {
    return readFileSync(file, 'utf8');
  } catch {
    const source = strip(text);
    keep(file, source);
    return source;
  }
}

if (registerHooks && stripTypeScriptTypes) {
  registerHooks({
    load(url, context, nextLoad) {
      if (context.format !== 'module-typescript') return nextLoad(url, context);
      const source = stripped(readFileSync(fileURLToPath(url), 'utf8'));
      return { format: 'module', source, shortCircuit: true };
    },
  });
}

module.exports = { stripped };

if (require.main === module) {
  for (const root of process.argv.slice(2)) {
    for (const name of readdirSync(root, { recursive: true })) {
      if (name.endsWith('.ts')) stripped(readFileSync(join(root, name), 'utf8'));
    }
  }
}
