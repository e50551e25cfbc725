/**
 * Loaded before each test file. The test runner follows every promise by an async hook, so that an error which nothing
 * caught is reported by the test that began it; that takes up to half of the time of what works with many promises. Here
 * such an error ends the process, and with it the file fails.
 */
import hooks from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';

hooks.createHook = () => ({ enable: () => {}, disable: () => {} });
syncBuiltinESMExports();
