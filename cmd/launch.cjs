const flags = require('./flags.json');

/**
 * Starts the process of this name, with the flags of Node that it takes: V8 reads them at its start only, so a process without them
 * is replaced by one that has them. A child with a channel to its parent would lose that; its parent gives the flags itself. The
 * files beside this one are plain CommonJS, since a Node that does not read TypeScript would end with a stack trace before it could
 * say what to do.
 */
module.exports = (name) => {
  if (process.features.typescript) {
    const missing = (flags[name] ?? []).filter((flag) => !process.execArgv.includes(flag));
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
