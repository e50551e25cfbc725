/** The pages for people: the dashboard, the documentation, and the files that they load. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileBody } from '../answers/response-body.ts';
import { type Raw, type Route, route } from '../endpoints/route.ts';
import { apiError } from '../wire/errors.ts';
import { contentTypes, type PageFiles, readPages } from './page-files.ts';

const guides = new URL('../../docs/', import.meta.url);
const packages = new URL('../../clients/packages/', import.meta.url);

/** The pages load files of this server and nothing else; no script and no style stands in them. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headers = { 'content-security-policy': policy, 'referrer-policy': 'no-referrer' };

/** For a file whose URL has its version: a year. */
const immutable = 'public, max-age=31536000, immutable';

/** The files of a folder with one of these extensions; none where there is no such folder. */
const namesIn = (url: URL, extensions: readonly string[]): string[] =>
  existsSync(url) ? readdirSync(url).filter((name) => extensions.includes(extname(name))) : [];

/** Lists that stand in the page of the documentation: its guides, and the lines that install the clients. */
const lists = (guideNames: readonly string[], packageNames: readonly string[]) => ({
  '<!-- guides -->': guideNames
    .map(
      (name) =>
        `<li><a href="docs/${name}" data-words="${headingsOf(name)}">${titleOf(name)}</a></li>`,
    )
    .join('\n'),
  '<!-- clients -->': packageNames
    .map((name) => `${name.endsWith('.whl') ? 'pip' : 'npm'} install BASE/clients/${name}`)
    .join('\n'),
});
/** What a guide is about, for the search: its headings, and the words in bold that begin its paragraphs. */
const headingsOf = (name: string): string =>
  [...readFileSync(new URL(name, guides), 'utf8').matchAll(/^(?:#+ (.*)|\*\*(.*?)\*\*)/gm)]
    .map(([, heading, bold]) => heading ?? bold ?? '')
    .join(' ')
    .replaceAll(/[`"<>&]/g, '');
const titleOf = (name: string) => name.replace(/\.md$/, '').replaceAll('-', ' ');

/** What all rows of the pages have. */
const shared = {
  method: 'GET',
  tagged: true,
  answer: null,
  access: 'open',
  free: true,
} as const;

/** The row of the files of a folder, each of which is read when it is asked for first. */
function folderRow(path: string, summary: string, base: URL, names: string[]): Route {
  const read = new Map<string, Raw>();
  const file = {
    type: 'string',
    required: true,
    enum: names,
    unlisted: 'not_found',
    description: 'Its name.',
  } as const;
  return route({
    ...shared,
    path,
    summary,
    params: { file },
    from: {
      raw({ file }) {
        const body = read.get(file)?.body ?? fileBody(readFileSync(new URL(file, base)));
        const found: Raw = {
          contentType: contentTypes[extname(file)] ?? '',
          body,
          cache: 'no-cache',
          headers,
        };
        read.set(file, found);
        return found;
      },
    },
  });
}

interface PageOptions {
  /** No caller needs a key. */
  open: boolean;
  /** All exchanges with their names. */
  exchanges: readonly { id: string; name: string }[];
  /** Whether the data are made up. */
  isSimulated(): boolean;
}

/** Said where the data are made up. */
const notice =
  '<p class="notice" role="note">Simulated data: no price, rate or other number is real.</p>';

/** The row of a file that the pages load. */
const fileRow = (read: () => PageFiles): Route =>
  route({
    ...shared,
    path: '/app/{file}',
    summary: 'A file of the pages',
    fails: ['not_found'],
    params: {
      file: { type: 'string', required: true, description: 'Its name.', example: 'main.js' },
      v: { type: 'string', description: 'Its version: with this one it may be kept for good.' },
    },
    from: {
      raw({ file, v }) {
        const { files, version } = read();
        const found = files.get(file);
        if (found === undefined) return apiError('not_found');
        return v === version ? { ...found, cache: immutable } : found;
      },
    },
  });

/** The pages, and the rows of the files that they load or name. The pages are read when one is asked for first. */
export function pageRoutes({ open, exchanges, isSimulated }: PageOptions): {
  pages: Route[];
  files: Route[];
} {
  const guideNames = namesIn(guides, ['.md']);
  const packageNames = namesIn(packages, ['.tgz', '.whl']);
  const names = Object.fromEntries(exchanges.map(({ id, name }) => [id, name]));
  let all: PageFiles | undefined;
  const read = (): PageFiles => {
    all ??= readPages(
      {
        ...lists(guideNames, packageNames),
        'data-access=""': `data-access="${open ? 'open' : 'keys'}"`,
        'data-exchanges=""': `data-exchanges='${JSON.stringify(names)}'`,
        '<!-- notice -->': isSimulated() ? notice : '',
      },
      headers,
    );
    return all;
  };
  const dashboard = 'The dashboard: markets, live, and the state of the service';
  const page = (path: string, name: 'app' | 'docs', summary: string) =>
    route({
      ...shared,
      path,
      summary,
      params: {},
      produces: 'text/html',
      from: { raw: () => read().pages[name] },
    });
  const client = 'A client that fits this service, as a package';
  return {
    pages: [
      page('/', 'app', dashboard),
      page('/app', 'app', dashboard),
      page('/docs', 'docs', 'This API as a page to read and to try'),
    ],
    files: [
      folderRow('/docs/{file}', 'A guide', guides, guideNames),
      folderRow('/clients/{file}', client, packages, packageNames),
      fileRow(read),
    ],
  };
}
