/** The pages of a running service in a real browser. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { chromiumProgram, type Page, withPage } from './chromium.ts';
import type { Service } from './service.ts';

/** For a person to look at. */
const pictures = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'pages');

/** A desktop and a telephone. */
const sizes = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
] as const;

/** Sends the request of a panel, again while a busy service says 503, and gives what the page shows. */
async function run(page: Page, panel: string): Promise<string> {
  for (;;) {
    await page.click(`${panel} .run`);
    await page.shows(`${panel} .outcome strong`, /^\d{3}/);
    await page.shows(`${panel} .run`, /^Run$/);
    const shown = await page.text(`${panel} .answer`);
    if (!shown.startsWith('503')) return shown;
  }
}

async function seeStart(t: Test, page: Page, url: string): Promise<void> {
  await page.open(`${url}/`);
  t.ok(await page.shows('#health', /Redisup/), 'the health of the service');
  t.ok(await page.shows('#sources', /binance/), 'and of its sources');
}

async function seeDocs(t: Test, page: Page, { url, key }: Service): Promise<void> {
  await page.open(`${url}/docs`);
  await page.shows('#found', /\d/);
  t.match(await run(page, '.panel'), /^401/, 'a call without a key');
  await page.type('#key', key);
  await page.open(`${url}/docs`);
  await page.shows('#found', /\d/);
  t.equal(await page.read('document.querySelector("#key").value'), key, 'it survives a reload');
  await page.click('.panel .tab:nth-child(3)');
  const lines = await page.shows('.panel code', /import requests/);
  t.ok(lines.includes(key) && lines.includes(url), 'the lines have the key and the address');
  t.match(await run(page, '.panel'), /^200.*"average_price"/s, 'the first call');

  await page.click('#postV1IndicatorsCompute > summary');
  const computed = await run(page, '#postV1IndicatorsCompute .panel');
  t.match(computed, /^200.*"rsi"/s, 'a POST with its default body');

  await page.click('#streams ~ .panel .run');
  t.ok(await page.shows('#streams ~ .panel .answer', /event: snapshot/), 'a stream');
  await page.click('#streams ~ .panel .run');

  await page.type('#search', 'funding history');
  const rest = 'document.querySelectorAll(".operation:not([hidden])").length';
  t.match(await page.text('#found'), new RegExp(`^${await page.read(rest)} `), 'a search');
}

/** Opens the pages, tries calls, and takes pictures; says so where no browser is installed. */
export async function seePages(t: Test, service: Service): Promise<void> {
  const program = chromiumProgram();
  if (program === null) {
    t.comment('skipped: the pages in a browser; chromium is not installed');
    return;
  }
  mkdirSync(pictures, { recursive: true });
  for (const size of sizes) {
    await withPage({ program, ...size }, async (page) => {
      const picture = async (name: string) => {
        await page.picture(join(pictures, `${name}-${size.width}.png`));
        const width = await page.read('document.documentElement.scrollWidth');
        t.ok(Number(width) <= size.width, `${name} is ${width} px wide of ${size.width}`);
      };
      await seeStart(t, page, service.url);
      await picture('start');
      await seeDocs(t, page, service);
      await picture('docs');
      t.strictSame(page.faults, [], 'no script fails, and the policy forbids nothing it needs');
    });
  }
  t.comment(`pictures of the pages: ${pictures}`);
}
