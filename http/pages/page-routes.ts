/** The pages for people: the dashboard, the documentation, and the files that they load. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileBody, versionOf } from '../answers/response-body.ts';
import { type Raw, type Route, route } from '../endpoints/route.ts';
import { type ApiError, apiError } from '../wire/errors.ts';
import { type AppFiles, readApp } from './app-files.ts';

const folder = new URL('./', import.meta.url);
const guides = new URL('../../docs/', import.meta.url);
const packages = new URL('../../clients/packages/', import.meta.url);

/** Content types of the files that are served, by extension. */
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.md': 'text/markdown; charset=utf-8',
  '.tgz': 'application/gzip',
  '.whl': 'application/zip',
};

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

/** The files with URLs that have the version of all of them; URLs are relative, so that a proxy may add a prefix. */
function readFiles(inserted: Readonly<Record<string, string>>) {
  const names = namesIn(folder, ['.html', '.css', '.js', '.svg']);
  const texts = names.map((name) =>
    Object.entries(inserted).reduce(
      (text, [mark, list]) => text.replace(mark, list),
      readFileSync(new URL(name, folder), 'utf8'),
    ),
  );
  const version = versionOf(Buffer.from(texts.join('\0')));
  const versioned = (text: string) =>
    text.replaceAll(/(["'](?:docs|\.)\/[\w-]+\.(?:css|js|svg))(["'])/g, `$1?v=${version}$2`);
  const files = names.map((name, at): [string, Raw] => {
    const body = fileBody(Buffer.from(versioned(texts[at] ?? '')));
    const contentType = types[extname(name)] ?? '';
    return [name, { contentType, body, cache: 'no-cache', headers }];
  });
  return { version, files: new Map(files) };
}

/** Files of a folder, each of which is read when it is asked for first. */
function filesOf(base: URL): (name: string) => Raw {
  const read = new Map<string, Raw>();
  return (name) => {
    const contentType = types[extname(name)] ?? '';
    const found = read.get(name) ?? {
      contentType,
      body: fileBody(readFileSync(new URL(name, base))),
      cache: 'no-cache',
      headers,
    };
    read.set(name, found);
    return found;
  };
}

const group = 'Service' as const;

/** `open`: no caller needs a key. The dashboard is read when it is asked for first. */
function appRoutes(open: boolean): { pages: Route[]; files: Route } {
  let app: AppFiles | undefined;
  const read = () => {
    app ??= readApp(open, headers);
    return app;
  };
  const page = (path: string) =>
    pageRow(path, 'The dashboard: markets, live, and the state of the service', () => read().page);
  return {
    pages: [page('/'), page('/app')],
    files: route({
      method: 'GET',
      path: '/app/{file}',
      group,
      summary: 'A file of the dashboard',
      tagged: true,
      fails: ['not_found'],
      params: {
        file: { type: 'string', required: true, description: 'Its name.', example: 'main.js' },
        v: versionParam,
      },
      answer: null,
      access: 'open',
      free: true,
      from: {
        raw({ file, v }) {
          const { files, version } = read();
          const found = files.get(file);
          if (found === undefined) return apiError('not_found');
          return v === version ? { ...found, cache: immutable } : found;
        },
      },
    }),
  };
}

const versionParam = {
  type: 'string',
  description: 'Its version: with this one it may be kept for good.',
} as const;

const pageRow = (path: string, summary: string, raw: () => Raw | ApiError) =>
  route({
    method: 'GET',
    path,
    group,
    summary,
    params: {},
    answer: null,
    produces: 'text/html',
    tagged: true,
    access: 'open',
    free: true,
    from: { raw },
  });

/** A row of files by their names. */
const fileRow = (path: string, summary: string, names: string[], raw: (at: FileAt) => Raw) =>
  route({
    method: 'GET',
    path,
    group,
    summary,
    tagged: true,
    params: {
      file: {
        type: 'string',
        required: true,
        enum: names,
        unlisted: 'not_found',
        description: 'Its name.',
      },
      v: versionParam,
    },
    answer: null,
    access: 'open',
    free: true,
    from: { raw },
  });
interface FileAt {
  file: string;
  v?: string | undefined;
}

/** The pages, and the rows of the files that they load or name. `open`: no caller needs a key. */
export function pageRoutes({ open }: { open: boolean }): { pages: Route[]; files: Route[] } {
  const guideNames = namesIn(guides, ['.md']);
  const packageNames = namesIn(packages, ['.tgz', '.whl']);
  const { version, files } = readFiles(lists(guideNames, packageNames));
  const app = appRoutes(open);
  const loaded = [...files.keys()].filter((name) => extname(name) !== '.html');
  const page = (path: string, name: string, summary: string) =>
    pageRow(path, summary, () => files.get(name) ?? apiError('not_found'));
  const guide = filesOf(guides);
  const packed = filesOf(packages);
  const ofDocs = ({ file, v }: FileAt) => {
    const found = files.get(file) ?? guide(file);
    return v === version ? { ...found, cache: immutable } : found;
  };
  return {
    pages: [...app.pages, page('/docs', 'docs.html', 'This API as a page to read and to try')],
    files: [
      fileRow(
        '/docs/{file}',
        'A file of the pages, or a guide',
        [...loaded, ...guideNames],
        ofDocs,
      ),
      fileRow(
        '/clients/{file}',
        'A client that fits this service, as a package',
        packageNames,
        ({ file }) => packed(file),
      ),
      app.files,
    ],
  };
}
