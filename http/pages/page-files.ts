/** The pages for people and the files that they load: scripts without their types in a few bundles, styles, libraries, at one level. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileBody, versionOf } from '../answers/response-body.ts';
import type { Raw } from '../endpoints/route.ts';

const require = createRequire(import.meta.url);
/** The text of a TypeScript module without its types, kept on disk by the hash of its text. */
const strip: (text: string) => string = require('../../config/strip-types.cjs').stripped;

const folder = fileURLToPath(new URL('./', import.meta.url));
const packages = fileURLToPath(new URL('../../node_modules/', import.meta.url));

/** What the modules import of packages, as these ship it for browsers. */
const libraries: Readonly<Record<string, string>> = {
  'lightweight-charts': 'lightweight-charts/dist/lightweight-charts.standalone.production.mjs',
  uplot: 'uplot/dist/uPlot.iife.min.js',
};

/** Content types by extension. */
export const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.md': 'text/markdown; charset=utf-8',
  '.tgz': 'application/gzip',
  '.whl': 'application/zip',
};

/** Comments, and an import or an export, where a formatted module has them. */
const comment = /^ *(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/|\/\/.*)\n/gm;
const imported = /^import ([^;']*) from '([^']+)';/gm;
const exported = /^export ((?:async )?function\*?|class|const) (\w+)/gm;
const later = /\bimport\('(.+)'\)/g;

/** A word for a module, by its path. */
const idOf = (path: string): string =>
  relative(folder, path)
    .replace(/\.\w+$/, '')
    .replaceAll(/\W+/g, '_');

interface Module {
  text: string;
  /** Paths of what it needs before it can run, and of what it may load then. */
  needs: string[];
  loads: string[];
}

const pathIn = (from: string, of: string): string =>
  of.startsWith('.') ? resolve(dirname(from), of) : join(packages, libraries[of] ?? of);

/** The modules that the entries need, now or later, by path. */
function modulesFrom(entries: readonly string[]): Map<string, Module> {
  const found = new Map<string, Module>();
  const take = (path: string): void => {
    if (found.has(path)) return;
    const isOurs = path.endsWith('.ts');
    const source = readFileSync(path, 'utf8');
    // The smallest form of uPlot is a script with a global.
    const more = path.includes('.iife.') ? '\nexport default uPlot;' : '';
    const text = isOurs ? strip(source).replaceAll(comment, '') : source + more;
    const of = (form: RegExp) =>
      isOurs ? [...text.matchAll(form)].map((match) => pathIn(path, match.at(-1) ?? '')) : [];
    const module = { text, needs: of(imported), loads: of(later) };
    found.set(path, module);
    for (const next of [...module.needs, ...module.loads]) take(next);
  };
  for (const entry of entries) take(entry);
  return found;
}

/** What an entry needs before it can run, in the order in which it runs, itself the last. */
function neededBy(entry: string, modules: ReadonlyMap<string, Module>): Set<string> {
  const needed = new Set<string>();
  const seen = new Set<string>();
  const take = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const next of modules.get(path)?.needs ?? []) take(next);
    needed.add(path);
  };
  take(entry);
  return needed;
}

/** What is taken out of a module by the words of an import. */
const takenBy = (words: string): string =>
  words.startsWith('{')
    ? words.replaceAll(' as ', ': ')
    : words.startsWith('*')
      ? words.replace('* as ', '')
      : `{ default: ${words} }`;

/**
 * The module as a constant that holds its exports. Its imports are read from the constants of other modules. What it loads later is
 * asked for with all bundles that this needs, its own the first: a browser would find them one after another.
 */
function scopeOf(path: string, text: string, bundlesOf: (path: string) => string[]): string {
  const names: string[] = [];
  const body = text
    .replaceAll(imported, (_, words: string, of: string) => {
      return `const ${takenBy(words)} = ${idOf(pathIn(path, of))};`;
    })
    .replaceAll(exported, (_, kind: string, name: string) => {
      names.push(name);
      return `${kind} ${name}`;
    })
    .replaceAll(later, (_, of: string) => {
      const at = pathIn(path, of);
      const files = bundlesOf(at).map((name) => `import('./${name}.js')`);
      return `Promise.all([${files}]).then(([of]) => of.${idOf(at)})`;
    });
  return `export const ${idOf(path)} = (() => {\n${body}\nreturn { ${names.join(', ')} };\n})();`;
}

const [docs, main] = [join(folder, 'docs', 'main.ts'), join(folder, 'app', 'main.ts')];
const markets = join(folder, 'app', 'markets', 'page.ts');

/**
 * The name of the bundle of a module that some entries need: of what both pages need `base`, of what the dashboard shows first `main`,
 * of what several of its pages need `parts`, with a library `charts`, else that of its only page.
 */
function bundleFor(users: readonly string[], hasLibrary: boolean): string {
  const isFirst = users.includes(main) || users.includes(markets);
  if (isFirst) return users.includes(docs) ? 'base' : 'main';
  const [only = '', ...others] = users.map(idOf);
  if (others.length === 0) return only.replace(/^app_/, '');
  return hasLibrary ? 'charts' : 'parts';
}

/** The bundle of each module, in the order in which they run. */
function placesOf(modules: ReadonlyMap<string, Module>): Map<string, string> {
  const entries = [main, docs, ...new Set([...modules.values()].flatMap(({ loads }) => loads))];
  const needed = new Map(entries.map((entry) => [entry, neededBy(entry, modules)]));
  const all = new Set([...needed.values()].flatMap((own) => [...own]));
  const place = (path: string): string => {
    const library = Object.keys(libraries).find((name) => path === pathIn('', name));
    const users = entries.filter((entry) => needed.get(entry)?.has(path));
    const isOurs = (one: string) => one.endsWith('.ts');
    return library ?? bundleFor(users, ![...neededBy(path, modules)].every(isOurs));
  };
  return new Map([...all].map((path) => [path, place(path)]));
}

/** The scripts by name: few files, none of which has what another has. */
function bundles(): Map<string, string> {
  const modules = modulesFrom([docs, main]);
  const places = placesOf(modules);
  const bundleOf = (path: string) => places.get(path) ?? '';
  const textOf = (path: string) => modules.get(path)?.text ?? '';
  const bundlesOf = (path: string) => [
    ...new Set([path, ...neededBy(path, modules)].map(bundleOf)),
  ];
  const joined = (name: string, paths: readonly string[]): string => {
    const needs = new Set(paths.flatMap((path) => modules.get(path)?.needs ?? []));
    const imports = [...needs]
      .filter((path) => bundleOf(path) !== name)
      .map((path) => {
        const [of, id] = [bundleOf(path), idOf(path)];
        return `import ${of in libraries ? `* as ${id}` : `{ ${id} }`} from './${of}.js';`;
      });
    return [...imports, ...paths.map((path) => scopeOf(path, textOf(path), bundlesOf))].join('\n');
  };
  const members = Map.groupBy(places.keys(), bundleOf);
  return new Map(
    [...members].map(([name, paths]) => [
      `${name}.js`,
      name in libraries ? paths.map(textOf).join('') : joined(name, paths),
    ]),
  );
}

const read = (path: string): string => readFileSync(path, 'utf8');

/** The styles of a page: those of a library, those of all pages, and its own in the order of their names. */
function styleOf(page: string): string {
  const own = readdirSync(join(folder, page), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.css'))
    .sort();
  const paths = [join(folder, 'common.css'), ...own.map((name) => join(folder, page, name))];
  if (page === 'app') paths.unshift(join(packages, 'uplot/dist/uPlot.min.css'));
  return paths.map(read).join('\n');
}

/** The pages by name, the files by name, and the version of all of them, which is in their URLs. */
export interface PageFiles {
  pages: Readonly<Record<'app' | 'docs', Raw>>;
  files: ReadonlyMap<string, Raw>;
  version: string;
}

/** `inserted`: texts that stand in the pages in the place of a mark. `headers` are those of the pages and of each file. */
export function readPages(
  inserted: Readonly<Record<string, string>>,
  headers: Raw['headers'],
): PageFiles {
  const texts = bundles();
  for (const page of ['app', 'docs']) texts.set(`${page}.css`, styleOf(page));
  texts.set('icon.svg', read(join(folder, 'app', 'icon.svg')));
  const html = (page: string) =>
    Object.entries(inserted).reduce(
      (text, [mark, list]) => text.replace(mark, list),
      read(join(folder, page, `${page}.html`)),
    );
  const [app, docs] = [html('app'), html('docs')];
  const version = versionOf(Buffer.from([app, docs, ...texts.values()].join('\0')));
  // URLs are relative, so that a proxy may add a prefix.
  const versioned = (text: string) =>
    text.replaceAll(/((?:["'])(?:\.|app)\/[\w-]+\.(?:js|css|svg))(["'])/g, `$1?v=${version}$2`);
  const raw = (contentType: string, text: string): Raw => {
    const body = fileBody(Buffer.from(versioned(text)));
    return { contentType, body, cache: 'no-cache', headers };
  };
  const files = [...texts].map(([name, text]): [string, Raw] => [
    name,
    raw(contentTypes[extname(name)] ?? '', text),
  ]);
  const type = 'text/html; charset=utf-8';
  return {
    pages: { app: raw(type, app), docs: raw(type, docs) },
    files: new Map(files),
    version,
  };
}
