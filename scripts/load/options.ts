import { parseArgs } from 'node:util';
import { origin, UsageError, whole } from './arguments.ts';

/** A load test as its user wants it. */
export interface Options {
  url: URL;
  /** API key; null for none. */
  key: string | null;
  connections: number;
  seconds: number;
  /** Seconds. */
  timeout: number;
  /** Paths with their queries, asked in rotation. */
  endpoints: readonly [string, ...string[]];
  json: boolean;
}

export const help = `npm run load -- [options]
npm run load -- questions [options]      random questions of which exchanges' limits carry a part; see its --help
npm run load -- cluster [options]        processes of a whole service are killed under load; see its --help

Loads a server with GET requests over keep-alive connections and prints throughput, latency and errors.
Exit status 0; 1 when there were errors, timeouts or 5xx answers, or no request succeeded; 2 for wrong arguments.

  --url URL           the server                              [http://127.0.0.1:8080]
  --key KEY           sent as X-API-Key                       [none]
  --connections N     open at once, 1 to 10000                [40]
  --seconds N         how long, 1 to 86400                    [10]
  --timeout N         seconds until an answer is given up     [10]
  --endpoint PATH     what is asked for, as '/v1/prices?symbol=BTC'; several are asked in rotation
                                                              [/v1/prices?symbol=BTC]
  --json              prints the result as one line of JSON
  --help              this text

A key has its plan's quota: what is over it is answered with 429 and says nothing of the speed of the rest.
The certificate of an https server is not verified. Run it on another machine than the server, or at least on
another core: on the same one, both measure each other.
`;

function endpoint(text: string): string {
  if (/^\/[\x21-\x7e]*$/.test(text) && !text.includes('#')) return text;
  throw new UsageError(`--endpoint: ${text} is not a path such as '/v1/prices?symbol=BTC'`);
}

function apiKey(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (/^[\x21-\x7e]{1,512}$/.test(text)) return text;
  throw new UsageError('--key: a key has 1 to 512 visible characters and no spaces');
}

/** Reads the arguments; null when help is wanted. Throws UsageError, or parseArgs' own error for unknown options. */
export function loadOptions(args: string[]): Options | null {
  const { values } = parseArgs({
    args,
    options: {
      url: { type: 'string', default: 'http://127.0.0.1:8080' },
      key: { type: 'string' },
      connections: { type: 'string', default: '40' },
      seconds: { type: 'string', default: '10' },
      timeout: { type: 'string', default: '10' },
      endpoint: { type: 'string', multiple: true },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  const [first = '/v1/prices?symbol=BTC', ...others] = (values.endpoint ?? []).map(endpoint);
  return {
    url: origin('url', values.url, ['http:', 'https:']),
    key: apiKey(values.key),
    connections: whole('connections', values.connections, [1, 10_000]),
    seconds: whole('seconds', values.seconds, [1, 86_400]),
    timeout: whole('timeout', values.timeout, [1, 600]),
    endpoints: [first, ...others],
    json: values.json,
  };
}
