/** docs/mcp.md names the tools that there are. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { callEntry, searchEntry } from '../../../http/mcp/catalogue.ts';
import { answerBytes } from '../../../http/mcp/tool.ts';
import { toolTable } from '../../../http/mcp/tool-table.ts';
import { supportedVersions } from '../../../http/mcp/versions.ts';

const page = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'mcp.md'), 'utf8');

/** The lines of the table under a heading, as cells. */
const rowsUnder = (heading: string): string[][] => {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  const lines = own.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .map((cell) => cell.trim())
      .slice(1, -1),
  );
};
const words = (cell = ''): string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, word = '']) => word);

t.test('the tools and views of docs/mcp.md are those of the table, in its order', async (t) => {
  const rows = rowsUnder('Tools');
  const named = rows.slice(0, toolTable.length).map(([tool, views]) => [words(tool), words(views)]);
  t.same(
    named,
    toolTable.map(({ name, views }) => [[name], Object.keys(views)]),
  );
  const others = rows.slice(toolTable.length).map(([tool]) => words(tool));
  t.same(others, [[searchEntry.name], [callEntry.name]]);
});

t.test('so are the versions and the bounds', async (t) => {
  const versions = rowsUnder('Versions').flatMap(([cell = '']) => cell.split(', '));
  t.same(versions, supportedVersions);
  for (const bytes of Object.values(answerBytes)) t.match(page, bytes.toLocaleString('en'));
});
