/**
 * Loaded by `npm test` into each test file and the processes that it starts; without it the tests say the same and take
 * several times as much of the processor.
 *
 * - The test runner follows every promise by an async hook, so that an error which nothing caught is reported by the test
 *   that began it. Here such an error ends the process, and with it the file fails.
 * - It lists the modules that each process loads, for coverage, by way of another thread; no coverage is measured here.
 * - It compiles every module with TypeScript, and asks for each whether a test has replaced it; Node strips types itself.
 * - It makes each process read the source maps of all modules. Without types a module has the lines that it had with them.
 * - Node strips the types of every module in each process; see config/strip-types.cjs.
 */
import hooks from 'node:async_hooks';
import { registerHooks, syncBuiltinESMExports } from 'node:module';
import '../../config/strip-types.cjs';

process.setSourceMapsEnabled(false);
hooks.createHook = () => ({ enable: () => {}, disable: () => {} });
syncBuiltinESMExports();

const loaders = /\/@tapjs\/(mock|processinfo|typescript)\/dist\/esm\/import\.mjs$/;
registerHooks({
  load(url, context, nextLoad) {
    if (!loaders.test(url)) return nextLoad(url, context);
    return { format: 'module', source: '', shortCircuit: true };
  },
});

process.env.NODE_OPTIONS = `--import=${import.meta.url}`;
