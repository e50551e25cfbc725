/** Fails where a field of an answer breaks the vocabulary, or an exception is not needed. */
import { routes } from './docs/routes.ts';
import { faultsIn, fieldsOfRoutes, unneeded } from './docs/vocabulary.ts';

const fields = fieldsOfRoutes(routes);
const faults = [
  ...faultsIn(fields),
  ...unneeded(fields).map((name) => `${name}: no field needs this exception`),
];
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
