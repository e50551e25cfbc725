/** The scenarios of @modelcontextprotocol/conformance that a server without test tools can pass; docs/mcp.md says why not the others. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { outputOf } from '../../support/command.ts';
import { startWorld } from './world.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const command = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

const scenarios = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'prompts-list',
  'dns-rebinding-protection',
];

t.test('those scenarios pass, and docs/mcp.md names all for servers', async (t) => {
  const world = await startWorld(t);
  const args = ['server', '--url', String(world.endpoint), '--suite', 'all'];
  const child = spawn(process.execPath, [command, ...args], { timeout: 120_000 });
  const said = outputOf(child);
  await once(child, 'close');
  const [, summary = ''] = said.out.split('=== SUMMARY ===');
  const results = new Map(
    [...summary.matchAll(/^. ([a-z0-9-]+): (\d+) passed, (\d+) failed/gm)].map(
      ([, name = '', passed, failed]) => [name, { passed: Number(passed), failed: Number(failed) }],
    ),
  );
  for (const name of scenarios) {
    const { passed = 0, failed } = results.get(name) ?? {};
    t.ok(passed > 0 && failed === 0, `${name}\n${said.out}${said.err}`);
  }
  const page = readFileSync(join(root, 'docs', 'mcp.md'), 'utf8');
  const [, section = ''] = page.split('\n## Conformance\n');
  const named = [...section.matchAll(/`([a-z0-9-]+)`/g)].map(([, name]) => name);
  t.same(named.sort(), [...results.keys()].sort());
});
