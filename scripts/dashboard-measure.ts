/**
 * `npm run dashboard:measure -- URL`: what each page of the dashboard of a running service takes in Chromium, as a Markdown table,
 * and with `--pictures FOLDER` how it looks.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { chromiumProgram, type Page, withPage } from '../test/support/chromium.ts';
import { until } from '../test/support/until.ts';
import { installProbe } from './dashboard/probe.ts';
import { type Bytes, type Visit, visit } from './dashboard/visit.ts';

const usage = `usage: npm run dashboard:measure -- URL [--key KEY] [--pictures FOLDER]

  URL         of the service, or a link that signs in (npm run -s key -- --link), which also shows the pages of an account
  --key       an API key, where URL is no link and the service needs one
  --pictures  writes NAME-WIDTH-SCHEME.webp of every page, dark and light, to this folder`;

/** A desktop and a telephone, each with a colour scheme. */
const screens = [
  { width: 1280, height: 900, scheme: 'dark' },
  { width: 390, height: 844, scheme: 'light' },
] as const;
type Screen = (typeof screens)[number];
type Look = Pick<Screen, 'width' | 'height'> & { scheme: Screen['scheme'] };

/** Most bytes of a picture, and the qualities that are tried for it. */
const picture = { most: 80_000, qualities: [80, 60, 45, 30, 20, 10] };
/** After another colour scheme all is drawn anew, ms. */
const redrawn = 700;

const kilobytes = (bytes: number): string => (bytes / 1_000).toFixed(0);
const whole = (ms: number | null, unknown = '–'): string => ms?.toFixed(0) ?? unknown;

/** The sum of the bytes of files, or of answers. */
function sumOf(bytes: Bytes, of: 'files' | 'answers'): number {
  const own = [...bytes].filter(
    ([url]) => new URL(url).pathname.includes('/v1/') === (of === 'answers'),
  );
  return own.reduce((sum, [, size]) => sum + size, 0);
}

function rowOf(name: string, { width }: Screen, of: Visit): string {
  const times = [of.paint, of.data, of.largest].map((ms) => whole(ms));
  const cells = [
    ...[name, width, ...times, of.shift.toFixed(3), whole(of.interaction, '< 16')],
    ...[kilobytes(sumOf(of.bytes, 'files')), kilobytes(sumOf(of.bytes, 'answers'))],
    ...[of.script.toFixed(1), of.task.toFixed(1), of.heap.toFixed(1)],
  ];
  return `| ${cells.join(' | ')} |`;
}

const heads = [
  ...['page', 'px', 'first paint, ms', 'with data, ms', 'LCP, ms', 'CLS', 'INP, ms'],
  ...['files, KB', 'answers, KB', 'scripts, % of a core', 'main thread, %', 'heap, MB'],
];

function framesLine({ width }: Screen, frames: readonly number[]): string {
  const at = (share: number) => frames[Math.floor((frames.length - 1) * share)] ?? Number.NaN;
  const seconds = frames.reduce((sum, ms) => sum + ms, 0) / 1_000;
  const late = frames.filter((ms) => ms > 25).length;
  return (
    `Scrolling the markets at ${width} px: ${frames.length} frames in ${seconds.toFixed(1)} s ` +
    `(${(frames.length / seconds).toFixed(1)} a second), median ${at(0.5).toFixed(1)} ms, p99 ${at(0.99).toFixed(1)} ms, ` +
    `${late} later than 25 ms.`
  );
}

/** Writes a picture in the best quality that is small enough. Its size in bytes. */
async function take(page: Page, file: string): Promise<number> {
  for (const quality of picture.qualities) {
    const asked = { format: 'webp', quality };
    const { data } = await page.send('Page.captureScreenshot', asked);
    const bytes = Buffer.from(String(data), 'base64');
    if (bytes.length > picture.most) continue;
    writeFileSync(file, bytes);
    return bytes.length;
  }
  throw new Error(`${file} is larger than ${picture.most} bytes in every quality`);
}

/** Signs in, and gives the names of the pages. */
async function enter(page: Page, { base, link, key }: Target): Promise<string[]> {
  await page.send('Page.navigate', { url: link ?? `${base}/app` });
  const isOpen = async () => (await page.text('#nav')) !== '';
  await until(isOpen, `${base}/app is open`, 60_000, 50);
  if (key !== undefined)
    await page.read(`sessionStorage.setItem('tidemark.key', ${JSON.stringify(key)})`);
  await page.send('Page.reload');
  await until(isOpen, 'it is open again', 60_000, 50);
  const isIn = `document.documentElement.dataset.access === 'open' || !document.querySelector('#account').hidden`;
  await until(async () => (await page.read(isIn)) === 'true', 'somebody is signed in', 20_000, 50);
  const names = await page.read(
    `[...document.querySelectorAll('#nav a[href^="#/"]')].map((one) => one.hash.slice(2)).join()`,
  );
  return names.split(',');
}

interface Target {
  base: string;
  link?: string | undefined;
  key?: string | undefined;
  folder?: string | undefined;
}

/** Gives the page the size and the colour scheme of a screen. */
async function wear(page: Page, { width, height, scheme }: Look): Promise<void> {
  const size = { width, height, deviceScaleFactor: 1, mobile: width === 390 };
  await page.send('Emulation.setDeviceMetricsOverride', size);
  const features = [{ name: 'prefers-color-scheme', value: scheme }];
  await page.send('Emulation.setEmulatedMedia', { features });
}

/** What is to be said of a visit beside its row. */
function linesOf(name: string, screen: Screen, { shift, shifted, frames }: Visit): string[] {
  const shifts = `${name} at ${screen.width} px shifts: ${shifted}.`;
  return [
    ...(shift >= 0.1 ? [shifts] : []),
    ...(frames.length > 0 ? [framesLine(screen, frames)] : []),
  ];
}

async function measure(page: Page, target: Target): Promise<void> {
  const { base, folder } = target;
  for (const part of ['Network', 'Performance']) await page.send(`${part}.enable`);
  const names = await enter(page, target);
  await installProbe(page);
  const all: Bytes = new Map();
  const lines: string[] = [];
  let pictures = 0;
  console.log(`| ${heads.join(' | ')} |\n|${heads.map(() => '---|').join('')}`);
  for (const screen of screens) {
    await wear(page, screen);
    for (const name of names) {
      const shown = async () => {
        if (folder === undefined) return;
        for (const { scheme } of screens) {
          await wear(page, { ...screen, scheme });
          await rest(redrawn);
          const file = `${name}-${screen.width}-${scheme}.webp`;
          pictures += await take(page, join(folder, file));
        }
        await wear(page, screen);
      };
      const found = await visit(page, { url: base, name, shown });
      console.log(rowOf(name, screen, found));
      for (const [url, size] of found.bytes) all.set(url, size);
      lines.push(...linesOf(name, screen, found));
    }
  }
  lines.push(`Files of all pages together: ${kilobytes(sumOf(all, 'files'))} KB compressed.`);
  if (folder !== undefined) lines.push(`Pictures: ${kilobytes(pictures)} KB.`);
  console.log(`\n${lines.join('\n')}`);
  for (const fault of [...page.faults, ...page.errors])
    console.log(`Said by the browser: ${fault}`);
}

/** What is asked for; null where the arguments say something else. */
function targetOf(args: string[]): Target | null {
  const options = { key: { type: 'string' }, pictures: { type: 'string' } } as const;
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [url = '', ...others] = positionals;
    if (others.length > 0 || !URL.canParse(url)) return null;
    const link = url.includes('#code=') ? url : undefined;
    const base = url.replace(/(\/app)?\/?(#.*)?$/, '');
    return { base, link, key: values.key, folder: values.pictures };
  } catch {
    return null;
  }
}

const target = targetOf(process.argv.slice(2));
const program = chromiumProgram();
if (target === null || program === null) {
  console.error(target === null ? usage : 'chromium is not installed');
  process.exit(2);
}
if (target.folder !== undefined) mkdirSync(target.folder, { recursive: true });
const began = performance.now();
const load = () =>
  loadavg()
    .map((one) => one.toFixed(1))
    .join(', ');
console.log(`${cpus().length} × ${cpus()[0]?.model}, load average ${load()}\n`);
const [{ width, height }] = screens;
await withPage({ program, width, height }, (page) => measure(page, target));
console.log(
  `In ${((performance.now() - began) / 1_000).toFixed(0)} s; load average then ${load()}.`,
);
