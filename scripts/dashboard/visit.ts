/** One visit of a page: what it takes to open, to stay open, and to answer to a reader. */
import { setTimeout as rest } from 'node:timers/promises';
import type { EventParams, Page } from '../../test/support/chromium.ts';
import { type Found, foundIn, scrolledFrames } from './probe.ts';

/** Longest wait for the first number, and then for a time without an answer, after which the charts are drawn, ms. */
const waits = { data: 8_000, quiet: 1_500, charts: 8_000, look: 50, input: 600 };
/** How long scripts are measured, s. */
const lengths = { markets: 20, others: 3 };

/** Compressed bytes with headers, by URL without its query. */
export type Bytes = Map<string, number>;

export interface Visit extends Found {
  bytes: Bytes;
  /** Percent of a core: scripts, and all that the main thread of the page does. */
  script: number;
  task: number;
  /** Of its scripts, MB. */
  heap: number;
  /** Of the table of markets, as `scrolledFrames`; empty on other pages. */
  frames: number[];
}

/** Counts what the browser receives, from now on, until it is called again; `newest` is when it received the last answer. */
function countBytes(page: Page): { bytes: Bytes; newest(): number } {
  let newest = performance.now();
  const urls = new Map<unknown, string>();
  const bytes: Bytes = new Map();
  page.on('Network.responseReceived', ({ requestId, response }: EventParams) => {
    urls.set(requestId, String(Object(response).url).split(/[?#]/)[0] ?? '');
  });
  page.on('Network.loadingFinished', ({ requestId, encodedDataLength }: EventParams) => {
    const url = urls.get(requestId);
    newest = performance.now();
    if (url !== undefined) bytes.set(url, (bytes.get(url) ?? 0) + Number(encodedDataLength));
  });
  return { bytes, newest: () => newest };
}

/** Seconds that the page has worked, and bytes that it has, by the browser's own names. */
async function metricsOf(page: Page): Promise<ReadonlyMap<string, number>> {
  const { metrics } = await page.send('Performance.getMetrics');
  const all = metrics as { name: string; value: number }[];
  return new Map(all.map(({ name, value }) => [name, value]));
}

/** What the page takes while nobody touches it. */
async function idle(page: Page, seconds: number) {
  const before = await metricsOf(page);
  await rest(seconds * 1_000);
  const after = await metricsOf(page);
  const passed = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  const share = (name: string) => (100 * passed(name)) / passed('Timestamp');
  return {
    script: share('ScriptDuration'),
    task: share('TaskDuration'),
    heap: (after.get('JSHeapUsedSize') ?? 0) / 1e6,
  };
}

async function press(page: Page, key: string, text?: string): Promise<void> {
  const code = key === 'Tab' ? { windowsVirtualKeyCode: 9, code: key } : {};
  await page.send('Input.dispatchKeyEvent', { type: 'keyDown', key, text, ...code });
  await page.send('Input.dispatchKeyEvent', { type: 'keyUp', key, ...code });
}

/** Keys and a click as a reader makes them: the click is on the time zone, which draws the page anew. */
async function interact(page: Page, name: string): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await press(page, 'Tab');
  if (name === 'markets') for (const letter of '/bt') await press(page, letter, letter);
  await page.click('#zone');
  await rest(waits.input);
}

/** Opens a page of the dashboard in an empty cache. `shown` is called once its charts are drawn. */
export async function visit(
  page: Page,
  { url, name, shown }: { url: string; name: string; shown(): Promise<void> },
): Promise<Visit> {
  await page.open('about:blank');
  await page.send('Network.clearBrowserCache');
  const { bytes, newest } = countBytes(page);
  await page.send('Page.navigate', { url: `${url}/app#/${name}` });
  const end = performance.now() + waits.data;
  while ((await foundIn(page)).data === null && performance.now() < end) await rest(waits.look);
  const last = performance.now() + waits.charts;
  await rest(waits.quiet);
  while (performance.now() < Math.min(last, newest() + waits.quiet)) await rest(waits.look);
  await shown();
  const isMarkets = name === 'markets';
  const received = new Map(bytes);
  const costs = await idle(page, isMarkets ? lengths.markets : lengths.others);
  const frames = isMarkets ? await scrolledFrames(page) : [];
  await interact(page, name);
  return { ...(await foundIn(page)), ...costs, bytes: received, frames };
}
