/**
 * Starts the process of this name. The files beside this one are plain CommonJS, since a Node that does not read
 * TypeScript would end with a stack trace before it could say what to do.
 */
module.exports = (name) => {
  if (process.features.typescript) {
    require('../config/strip-types.cjs');
    return import(`./process/${name}.ts`);
  }
  const script = name === 'local' ? 'start' : `run ${name}`;
  const advice = `run \`npm ${script}\`, which uses the Node 22 that \`npm run setup\` installs`;
  console.error(`Node ${process.version} does not run TypeScript: ${advice}`);
  process.exit(2);
};
