/** The files of the dashboard: its modules without their types, its style, and the libraries that it loads, at one level. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileBody, versionOf } from '../answers/response-body.ts';
import type { Raw } from '../endpoints/route.ts';

const require = createRequire(import.meta.url);
/** The text of a TypeScript module without its types, kept on disk by the hash of its text. */
const strip: (text: string) => string = require('../../config/strip-types.cjs').stripped;

const folder = fileURLToPath(new URL('./app/', import.meta.url));
const packages = fileURLToPath(new URL('../../node_modules/', import.meta.url));

/** What the modules import of packages, as these ship it for browsers. */
const libraries: Readonly<Record<string, string>> = {
  'lightweight-charts': 'lightweight-charts/dist/lightweight-charts.standalone.production.mjs',
  uplot: 'uplot/dist/uPlot.esm.js',
};
/** Styles of libraries, which come before those of the pages. */
const styles = ['uplot/dist/uPlot.min.css'];

/** A specifier of an `import`, and what stands before it. */
const imported = /(\bfrom\s*|\bimport\s*\(\s*|^import\s+)(['"])([^'"\n]+)\2/gm;

/** Of a module in `folder` its path with dashes; of another its folder and name. */
function nameOf(path: string): string {
  const library = Object.keys(libraries).find((name) => path.endsWith(libraries[name] ?? ''));
  if (library !== undefined) return `${library}.js`;
  const within = relative(folder, path);
  const name = within.startsWith('..') ? `client-${basename(path)}` : within.replaceAll('/', '-');
  return name.replace(/\.ts$/, '.js');
}

interface Module {
  text: string;
  /** Paths of what it needs before it can run. */
  needs: string[];
}

/** The modules that an entry needs, now or later, by path. */
function modulesFrom(entry: string): Map<string, Module> {
  const found = new Map<string, Module>();
  const take = (path: string): void => {
    if (found.has(path)) return;
    const source = readFileSync(path, 'utf8');
    const isOurs = path.endsWith('.ts');
    const module: Module = { text: isOurs ? strip(source) : source, needs: [] };
    found.set(path, module);
    if (!isOurs) return;
    const later: string[] = [];
    module.text = module.text.replaceAll(
      imported,
      (_, before: string, quote: string, of: string) => {
        const target = of.startsWith('.')
          ? resolve(dirname(path), of)
          : join(packages, libraries[of] ?? of);
        (before.includes('(') ? later : module.needs).push(target);
        return `${before}${quote}./${nameOf(target)}${quote}`;
      },
    );
    for (const next of [...module.needs, ...later]) take(next);
  };
  take(entry);
  return found;
}

/** What an entry needs before it can run, itself among it. */
function neededBy(entry: string, modules: ReadonlyMap<string, Module>): Set<string> {
  const needed = new Set<string>();
  const take = (path: string): void => {
    if (needed.has(path)) return;
    needed.add(path);
    for (const next of modules.get(path)?.needs ?? []) take(next);
  };
  take(entry);
  return needed;
}

const read = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');

/** The style sheets of the libraries, of all pages and then of the dashboard, in the order of their names. */
function styleText(): string {
  const own = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.css'))
    .sort();
  const paths = [
    ...styles.map((name) => join(packages, name)),
    fileURLToPath(new URL('./common.css', import.meta.url)),
    ...own.map((name) => join(folder, name)),
  ];
  return paths.map(read).join('\n');
}

const version = (text: string, of: string) =>
  text.replaceAll(/((?:["'])(?:\.|app)\/[\w-]+\.(?:js|css|svg))(["'])/g, `$1?v=${of}$2`);

/** The page, its files by name, and their version, which is in their URLs. */
export interface AppFiles {
  page: Raw;
  files: ReadonlyMap<string, Raw>;
  version: string;
}

/** `open`: no caller needs a key. `headers` are those of the page and of each file. */
export function readApp(open: boolean, headers: Raw['headers'] = {}): AppFiles {
  const entry = join(folder, 'main.ts');
  const modules = modulesFrom(entry);
  const texts = new Map([...modules].map(([path, { text }]) => [nameOf(path), text]));
  texts.set('app.css', styleText());
  texts.set('icon.svg', read(fileURLToPath(new URL('./icon.svg', import.meta.url))));
  const html = readFileSync(join(folder, 'app.html'), 'utf8');
  const of = versionOf(Buffer.from([html, ...texts.values()].join('\0')));
  const first = [entry, join(folder, 'markets', 'page.ts')].flatMap((path) => [
    ...neededBy(path, modules),
  ]);
  const preloads = [...new Set(first)].map(
    (path) => `<link rel="modulepreload" href="app/${nameOf(path)}">`,
  );
  const page = html
    .replace('<!-- preloads -->', preloads.join('\n'))
    .replace('data-access=""', `data-access="${open ? 'open' : 'keys'}"`);
  const raw = (contentType: string, text: string): Raw => {
    const body = fileBody(Buffer.from(version(text, of)));
    return { contentType, body, cache: 'no-cache', headers };
  };
  const files = [...texts].map(([name, text]): [string, Raw] => [name, raw(typeOf(name), text)]);
  return { page: raw('text/html; charset=utf-8', page), files: new Map(files), version: of };
}

const typeOf = (name: string): string =>
  name.endsWith('.js')
    ? 'text/javascript; charset=utf-8'
    : name.endsWith('.css')
      ? 'text/css; charset=utf-8'
      : 'image/svg+xml';
