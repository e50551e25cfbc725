/** Prints the description of the API, as `/openapi.json` serves it: `node scripts/openapi.ts > openapi.json`. */

import { readExamples } from '../http/openapi/examples.ts';
import { openapiDocument } from '../http/openapi/openapi.ts';
import manifest from '../package.json' with { type: 'json' };
import { routes } from './docs/routes.ts';

const { version } = manifest;
process.stdout.write(
  `${JSON.stringify(openapiDocument(routes, { version, examples: readExamples(), streams: true }), null, 2)}\n`,
);
