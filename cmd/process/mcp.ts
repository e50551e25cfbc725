/**
 * The Model Context Protocol on standard input and output, for clients on a desktop that start a command: relays each message
 * to POST /mcp of a server. The key comes from the environment, where no list of processes shows it.
 */
import { clientKey } from '../../config/config.ts';
import { Given, runCommand } from './command.ts';
import { linesOf, McpRelay } from './mcp-relay.ts';

const usage = `usage: TIDEMARK_KEY=tm_… tidemark-mcp [--url http://127.0.0.1:8080]
  --url       Address of the server; that of a server on this machine when absent.
  --help      Prints this.`;

/** Longest time for one message, ms, and messages at once. */
const deadline = 60_000;
const inFlight = 16;

/** The address of POST /mcp. */
function endpointOf(text: string, given: Given<'url'>): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw given.fault(`--url must be an address such as https://data.example, not ${text}`);
  if (url.username !== '' || url.password !== '')
    throw given.fault('--url may not have a name or password: the key stands in TIDEMARK_KEY');
  url.pathname = `${url.pathname.replace(/\/(?:mcp\/?)?$/, '')}/mcp`;
  return url;
}

async function run(args: readonly string[]): Promise<void> {
  const given = new Given(args, usage, { values: ['url'] });
  const url = endpointOf(given.get('url') ?? 'http://127.0.0.1:8080', given);
  // The client has gone: nobody reads answers.
  process.stdout.on('error', () => process.exit(0));
  const relay = new McpRelay({
    ...{ url, deadline, inFlight, key: clientKey() },
    write: (answer) => void process.stdout.write(`${answer}\n`),
    warn: (text) => console.error(text),
  });
  await relay.relay(linesOf(process.stdin.setEncoding('utf8')));
}

await runCommand(usage, run);
