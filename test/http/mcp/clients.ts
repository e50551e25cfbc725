/** Clients of the reference implementation. */
import { join } from 'node:path';
import {
  Client,
  type JsonSchemaValidatorResult,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Test } from 'tap';

/** Compiling all schemas takes a client a second, and test/http/mcp/client.test.ts holds answers against stricter ones. */
const jsonSchemaValidator = {
  getValidator:
    <T>() =>
    (input: unknown): JsonSchemaValidatorResult<T> => ({
      valid: true,
      data: Object(input),
      errorMessage: undefined,
    }),
};

/** A client of the reference implementation that is not connected yet. */
function clientOf(legacy: boolean): Client {
  const mode = legacy ? 'legacy' : { pin: '2026-07-28' };
  const options = { versionNegotiation: { mode }, jsonSchemaValidator } as const;
  return new Client({ name: 'test', version: '1' }, options);
}

/** A client that is connected by HTTP. */
export async function connectTo(
  t: Test,
  url: URL,
  { legacy = false, headers = {} }: { legacy?: boolean; headers?: Record<string, string> } = {},
): Promise<Client> {
  const client = clientOf(legacy);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  t.teardown(() => client.close());
  return client;
}

/** A client that has started `cmd/mcp.ts` for the server of this address. */
export async function startedFor(t: Test, url: string, { legacy = false } = {}): Promise<Client> {
  const client = clientOf(legacy);
  const args = [join(import.meta.dirname, '..', '..', '..', 'cmd', 'mcp.ts'), '--url', url];
  await client.connect(new StdioClientTransport({ command: process.execPath, args }));
  t.teardown(() => client.close());
  return client;
}
