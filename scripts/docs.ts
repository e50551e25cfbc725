/** Writes the documents that are made from tables (`--check`: fails when one is not up to date). */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { table } from '../config/table.ts';
import { clientTypes } from './docs/client-types.ts';
import { indicatorsForDocs } from './docs/indicators.ts';
import { routesForDocs } from './docs/routes.ts';

const root = join(import.meta.dirname, '..');
const rows = Object.values(table);
const shown = (row: (typeof rows)[number]) =>
  'shown' in row && row.shown ? row.shown : `\`${String(row.fallback)}\``;

const configuration = `# Configuration

Every setting is an environment variable; a \`.env\` file in the working directory is read too, and what is set
already wins. A start with faults lists all of them and changes nothing. This page is made from
\`config/table.ts\` by \`npm run docs\`.

| Variable | Default | Meaning |
|---|---|---|
${rows.map((row) => `| \`${row.env}\` | ${shown(row)} | ${row.doc} |`).join('\n')}
`;

const example = `# Copy to .env and uncomment what you change. Made from config/table.ts by \`npm run docs\`.
${rows.map((row) => `\n# ${row.doc}\n# Default: ${shown(row).replaceAll('`', '')}\n#${row.env}=`).join('\n')}
`;

const documents: Record<string, string> = {
  'docs/configuration.md': configuration,
  '.env.example': example,
  'docs/endpoints.md': routesForDocs(),
  'docs/indicators.md': indicatorsForDocs(),
  'clients/typescript/src/types.ts': clientTypes(),
};

const stale: string[] = [];
for (const [path, text] of Object.entries(documents)) {
  const file = join(root, path);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  stale.push(path);
  if (!process.argv.includes('--check')) writeFileSync(file, text);
}
if (stale.length > 0)
  console.error(`${process.argv.includes('--check') ? 'stale' : 'written'}: ${stale.join(', ')}`);
if (process.argv.includes('--check') && stale.length > 0) process.exit(1);
