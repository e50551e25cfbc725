/** What a client may read besides the tools: the description of the API, and the pages that say how numbers are made. */
import { readFileSync } from 'node:fs';
import { Body } from '../answers/response-body.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { isApiError } from '../wire/errors.ts';

const folder = new URL('../../docs/', import.meta.url);
const scheme = 'tidemark://';

/** A resource as it is listed. */
interface Listed {
  uri: string;
  name: string;
  title: string;
  description: string;
  mimeType: string;
}

/** Pages of docs/ by the name of their file. */
const pages: Readonly<Record<string, string>> = {
  'numbers.md': 'How each number is made: formulas, weights, exclusions, sources',
  'endpoints.md': 'Every endpoint with its parameters, and all errors',
  'requests.md': 'Names of markets, age of answers, batches, tables as files',
  'market-indicators.md': 'Indicators of the whole market: formulas and sources',
  'indicators.md': 'Technical indicators: parameters, outputs, formulas',
  'analytics.md': 'Data of exchanges about positions and takers',
  'order-books.md': 'Order books: sources, depth, checks',
  'liquidations.md': 'Liquidations: which exchanges publish them, and what is missing',
  'onchain-and-defi.md': 'Chains, wallets, decentralised exchanges, lending',
  'vocabulary.md': 'The names of fields and what they mean',
  'quotas.md': 'What is counted, and the limits of the plans',
  'mcp.md': 'This server: tools, sizes, versions',
};

/** Answers of the service itself, by their path. */
const documents: Readonly<Record<string, Omit<Listed, 'uri' | 'name'>>> = {
  '/llms.txt': {
    title: 'The API in a page',
    description: 'Every endpoint in a line, for language models',
    mimeType: 'text/plain',
  },
  '/openapi.json': {
    title: 'OpenAPI 3.1',
    description: 'Every parameter, schema and an example of each answer; large',
    mimeType: 'application/json',
  },
};

/** The text of a page of the service. */
async function documentOf({ run }: Endpoint): Promise<string | null> {
  if (!('later' in run)) return null;
  const answer = await run.later({}, '');
  if (isApiError(answer) || !('contentType' in answer)) return null;
  const { body } = answer;
  return body instanceof Body ? body.at(0).toString() : body.toString();
}

/** The resources of a server with these endpoints. */
export class Resources {
  readonly #endpoints: ReadonlyMap<string, Endpoint>;
  readonly #pages = new Map<string, string>();

  constructor(endpoints: ReadonlyMap<string, Endpoint>) {
    this.#endpoints = endpoints;
  }

  list(): Listed[] {
    const own = Object.entries(documents)
      .filter(([path]) => this.#endpoints.has(path))
      .map(([path, about]) => ({
        uri: `${scheme}${path.slice(1)}`,
        name: path.slice(1),
        ...about,
      }));
    const files = Object.entries(pages).map(([name, description]) => ({
      uri: `${scheme}docs/${name}`,
      name,
      title: name.replace(/\.md$/, '').replaceAll('-', ' '),
      description,
      mimeType: 'text/markdown',
    }));
    return [...own, ...files];
  }

  /** The contents of a resource; null where there is none with this URI. */
  async read(uri: string): Promise<{ uri: string; mimeType: string; text: string } | null> {
    const found = this.list().find((listed) => listed.uri === uri);
    if (found === undefined) return null;
    const endpoint = this.#endpoints.get(`/${found.name}`);
    const text = endpoint === undefined ? this.#page(found.name) : await documentOf(endpoint);
    return text === null ? null : { uri, mimeType: found.mimeType, text };
  }

  /** A page is read once. */
  #page(name: string): string {
    const text = this.#pages.get(name) ?? readFileSync(new URL(name, folder), 'utf8');
    this.#pages.set(name, text);
    return text;
  }
}
