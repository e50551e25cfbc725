/**
 * The Model Context Protocol on standard input and output, for clients on a desktop that start a command: relays each message
 * to POST /mcp of a server. The key comes from the environment, where no list of processes shows it.
 */
import { parseArgs } from 'node:util';
import { clientKey } from '../../config/config.ts';
import { helpOf } from './arguments.ts';
import { linesOf, McpRelay } from './mcp-relay.ts';
import { misconfigured, StartError } from './process.ts';

const usage = {
  line: 'TIDEMARK_KEY=tm_… tidemark-mcp [--url http://127.0.0.1:8080]',
  options: { url: 'Address of the server; that of a server on this machine when absent.' },
};

/** Longest time for one message, ms, and messages at once. */
const deadline = 60_000;
const inFlight = 16;

/** The address of POST /mcp. */
function endpointOf(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new StartError(`--url must be an address such as https://data.example, not ${text}`);
  if (url.username !== '' || url.password !== '')
    throw new StartError('--url may not have a name or password: the key stands in TIDEMARK_KEY');
  url.pathname = `${url.pathname.replace(/\/(?:mcp\/?)?$/, '')}/mcp`;
  return url;
}

/** What the arguments say; null where help is asked for, which is printed. */
function given(): URL | null {
  try {
    const text = { type: 'string', default: 'http://127.0.0.1:8080' } as const;
    const { values } = parseArgs({ options: { url: text, help: { type: 'boolean' } } });
    if (values.help !== true) return endpointOf(values.url);
    console.log(helpOf(usage));
    return null;
  } catch (error) {
    throw new StartError(`${error instanceof Error ? error.message : error}\n${helpOf(usage)}`);
  }
}

try {
  const url = given();
  if (url !== null) {
    // The client has gone: nobody reads answers.
    process.stdout.on('error', () => process.exit(0));
    const relay = new McpRelay({
      ...{ url, deadline, inFlight, key: clientKey() },
      write: (answer) => void process.stdout.write(`${answer}\n`),
      warn: (text) => console.error(text),
    });
    await relay.relay(linesOf(process.stdin));
  }
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exitCode = misconfigured;
}
