/** The documents that are made from tables. */
import { table } from '../../config/table.ts';
import { clientTypes } from './client-types.ts';
import { indicatorsForDocs } from './indicators.ts';
import { limitsForDocs } from './limits.ts';
import { liveForDocs } from './live.ts';
import { pythonRequests } from './python/requests.ts';
import { pythonErrors, pythonTypes } from './python/types.ts';
import { routesForDocs } from './routes.ts';
import { apiSurface } from './surface.ts';
import { vocabularyForDocs } from './vocabulary.ts';

const rows = Object.values(table);
const shown = (row: (typeof rows)[number]) =>
  'shown' in row && row.shown ? row.shown : `\`${String(row.fallback)}\``;

const configuration = `# Configuration

Every setting is an environment variable; a \`.env\` file in the working directory is read too, and what is set
already wins. \`NAME_FILE\` names a file that holds the setting \`NAME\`, such as a secret of an orchestrator
(\`REDIS_URL_FILE=/run/secrets/redis\`). \`npm run check-config\` (in the image \`node cmd/check-config.ts\`), with the names of roles for those
alone, starts nothing: it prints faults, what is set, and which processes use it, without secrets. \`npm run docs\` makes this page.

| Variable | Default | Meaning |
|---|---|---|
${rows.map((row) => `| \`${row.env}\` | ${shown(row)} | ${row.doc} |`).join('\n')}
`;

const example = `# Copy to .env and uncomment what you change. Made from config/table.ts by \`npm run docs\`.
${rows.map((row) => `\n# ${row.doc}\n# Default: ${shown(row).replaceAll('`', '')}\n#${row.env}=`).join('\n')}
`;

/** Texts of the files that are in git, by path. */
export const kept: Readonly<Record<string, string>> = {
  'docs/configuration.md': configuration,
  '.env.example': example,
  'docs/live.md': liveForDocs(),
  'docs/api.txt': apiSurface(),
};

/** Texts of the files that the set-up makes. */
export const made: Readonly<Record<string, string>> = {
  'docs/endpoints.md': routesForDocs(),
  'docs/indicators.md': indicatorsForDocs(),
  'docs/limits.md': limitsForDocs(),
  'docs/vocabulary.md': vocabularyForDocs(),
  'clients/typescript/src/types.ts': clientTypes(),
  'clients/python/src/tidemark/types.py': pythonTypes(),
  'clients/python/src/tidemark/refusals.py': pythonErrors(),
  'clients/python/src/tidemark/v1.py': pythonRequests('v1'),
  'clients/python/src/tidemark/v2.py': pythonRequests('v2'),
};
