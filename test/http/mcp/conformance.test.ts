/** The scenarios of @modelcontextprotocol/conformance that a server without test tools can pass; docs/mcp.md says why not the others. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { startWorld } from './world.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const command = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const world = await startWorld(t);

/** The exit status of a run, and what it has printed. */
async function run(args: readonly string[]): Promise<{ status: unknown; output: string }> {
  const child = spawn(process.execPath, [command, ...args], { timeout: 60_000 });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const [status] = await once(child, 'close');
  return { status, output };
}

const scenarios = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'prompts-list',
  'dns-rebinding-protection',
];

for (const scenario of scenarios)
  t.test(`scenario ${scenario}`, async (t) => {
    const { status, output } = await run([
      ...['server', '--url', String(world.endpoint)],
      ...['--scenario', scenario],
    ]);
    t.equal(status, 0, output);
    t.match(output, /Passed: ([1-9]\d*)\/\1, 0 failed/);
  });

t.test('docs/mcp.md names every scenario for servers, passed or left out', async (t) => {
  const { output } = await run(['list']);
  const [, ofServers = ''] = /Server scenarios.*?\n(.*?)\n\n/s.exec(output) ?? [];
  const names = [...ofServers.matchAll(/- (\S+)/g)].map(([, name]) => name);
  t.ok(names.length >= scenarios.length);
  const page = readFileSync(join(root, 'docs', 'mcp.md'), 'utf8');
  const [, section = ''] = page.split('\n## Conformance\n');
  const named = [...section.matchAll(/`([a-z0-9-]+)`/g)].map(([, name]) => name);
  t.same(named.sort(), names.sort());
});
