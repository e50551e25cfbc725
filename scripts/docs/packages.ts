/** The packages of the clients, as the service serves them at `/clients/{file}`. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Zippable, zipSync } from 'fflate';
import ts from 'typescript';

const clients = join(import.meta.dirname, '../../clients');
const typescript = join(clients, 'typescript');
const python = join(clients, 'python');
const target = join(clients, 'packages');
const { version } = JSON.parse(readFileSync(join(clients, '../package.json'), 'utf8'));

/** The options of the client's own `tsconfig.json`, without those that need a whole program. */
function compilerOptions(): ts.CompilerOptions {
  const { rootDir, outDir, ...own } = JSON.parse(
    readFileSync(join(typescript, 'tsconfig.json'), 'utf8'),
  ).compilerOptions;
  const options = { ...own, module: 'esnext', moduleResolution: 'bundler' };
  return ts.convertCompilerOptionsFromJson(options, typescript).options;
}

/** Each module is compiled by itself: its declarations are complete, which the type check of the repository sees to. */
function compileTypescript(): void {
  const dist = join(typescript, 'dist');
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist);
  const { declaration, isolatedDeclarations, ...code } = compilerOptions();
  for (const fileName of readdirSync(join(typescript, 'src'))) {
    const text = readFileSync(join(typescript, 'src', fileName), 'utf8');
    const declared = ts.transpileDeclaration(text, {
      fileName,
      reportDiagnostics: true,
      compilerOptions: { ...code, declaration, isolatedDeclarations },
    });
    const [fault] = declared.diagnostics ?? [];
    if (fault)
      throw new Error(`${fileName}: ${ts.flattenDiagnosticMessageText(fault.messageText, '\n')}`);
    const name = join(dist, fileName.replace(/\.ts$/, ''));
    writeFileSync(`${name}.d.ts`, declared.outputText);
    writeFileSync(
      `${name}.js`,
      ts.transpileModule(text, { fileName, compilerOptions: code }).outputText,
    );
  }
}

function packTypescript(): void {
  compileTypescript();
  const options = ['--ignore-scripts', '--silent', `--pack-destination=${target}`];
  execFileSync('npm', ['pack', ...options], {
    cwd: typescript,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** The value of a key of `pyproject.toml`; a list of texts, or a text. */
function textsOf(project: string, key: string): string[] {
  const [, value = ''] = new RegExp(`^${key} = (.*)$`, 'm').exec(project) ?? [];
  return [...value.matchAll(/"([^"]*)"/g)].map(([, text = '']) => text);
}

/** The file METADATA of the wheel. https://packaging.python.org/en/latest/specifications/core-metadata/ */
function metadata(project: string): string {
  const [summary] = textsOf(project, 'description');
  const [license] = textsOf(project, 'license');
  const [requires] = textsOf(project, 'requires-python');
  const extras = ['pandas', 'polars'];
  const lines = [
    'Metadata-Version: 2.4',
    'Name: tidemark',
    `Version: ${version}`,
    `Summary: ${summary}`,
    `License-Expression: ${license}`,
    'License-File: LICENSE',
    `Requires-Python: ${requires}`,
    ...textsOf(project, 'classifiers').map((one) => `Classifier: ${one}`),
    ...textsOf(project, 'dependencies').map((one) => `Requires-Dist: ${one}`),
    ...extras.flatMap((extra) => [
      `Provides-Extra: ${extra}`,
      ...textsOf(project, extra).map((one) => `Requires-Dist: ${one}; extra == '${extra}'`),
    ]),
    'Description-Content-Type: text/markdown',
  ];
  return `${lines.join('\n')}\n\n${readFileSync(join(python, 'README.md'), 'utf8')}`;
}

const wheelFile =
  'Wheel-Version: 1.0\nGenerator: tidemark\nRoot-Is-Purelib: true\nTag: py3-none-any\n';

/** A wheel is a zip file with its own list. https://packaging.python.org/en/latest/specifications/binary-distribution-format/ */
function packPython(): void {
  const source = join(python, 'src/tidemark');
  const info = `tidemark-${version}.dist-info`;
  const modules = readdirSync(source).filter((name) => /\.py$|^py\.typed$/.test(name));
  const files: [name: string, content: Buffer][] = [
    ...modules
      .sort()
      .map((name): [string, Buffer] => [`tidemark/${name}`, readFileSync(join(source, name))]),
    [
      `${info}/METADATA`,
      Buffer.from(metadata(readFileSync(join(python, 'pyproject.toml'), 'utf8'))),
    ],
    [`${info}/WHEEL`, Buffer.from(wheelFile)],
    [`${info}/licenses/LICENSE`, readFileSync(join(python, 'LICENSE'))],
  ];
  const digest = (content: Buffer) => createHash('sha256').update(content).digest('base64url');
  const record = files.map(
    ([name, content]) => `${name},sha256=${digest(content)},${content.length}`,
  );
  const list = Buffer.from(`${record.join('\n')}\n${info}/RECORD,,\n`);
  const entries: Zippable = Object.fromEntries([...files, [`${info}/RECORD`, list]]);
  // The first time that a zip file can state: the same sources give the same file.
  const wheel = zipSync(entries, { mtime: '1980-01-02' });
  writeFileSync(join(target, `tidemark-${version}-py3-none-any.whl`), wheel);
}

/** Writes both packages to `clients/packages`, in the place of those of other versions. */
export function packClients(): void {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target);
  packTypescript();
  packPython();
}
