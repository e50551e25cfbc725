const { totalmem } = require('node:os');
const flags = require('./flags.json');

/** Part of a bound of memory (a container, a unit) that the heap may take: the rest is for buffers and code. */
const heapPart = 0.75;

/** The flags of a process: those of its name, and its heap where the system bounds its memory. */
function flagsOf(name) {
  const own = flags[name] ?? [];
  const bound = process.constrainedMemory();
  if (!(bound > 0 && bound < totalmem())) return own;
  return [...own, `--max-old-space-size=${Math.floor((bound * heapPart) / 2 ** 20)}`];
}

/**
 * Starts the process of this name, with the flags of Node that it takes: V8 reads them at its start only, so a process without them
 * is replaced by one that has them. A child with a channel to its parent would lose that; its parent gives the flags itself. The
 * files beside this one are plain CommonJS, since a Node that does not read TypeScript would end with a stack trace before it could
 * say what to do.
 */
module.exports = (name) => {
  if (process.features.typescript) {
    const missing = flagsOf(name).filter((flag) => !process.execArgv.includes(flag));
    if (missing.length > 0 && process.execve && !process.connected) {
      const args = [process.execPath, ...process.execArgv, ...missing, ...process.argv.slice(1)];
      process.execve(process.execPath, args);
    }
    require('../config/strip-types.cjs');
    return import(`./process/${name}.ts`);
  }
  const script = name === 'local' ? 'start' : `run ${name}`;
  const advice = `run \`npm ${script}\`, which uses the Node 22 that \`npm run setup\` installs`;
  console.error(`Node ${process.version} does not run TypeScript: ${advice}`);
  process.exit(2);
};
