/** The pages of a running service in a real browser. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { chromiumProgram, type Page, withPage } from './chromium.ts';
import { seeDashboard, seeNarrow } from './dashboard.ts';
import { untilSeen } from './figures.ts';
import type { Service } from './service.ts';

/** For a person to look at. */
const pictures = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'pages');

const desktop = { width: 1280, height: 900 };
const telephone = { width: 390, height: 844 };

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

/** What is visible of a selector. */
const seen = (selector: string) =>
  `[...document.querySelectorAll(${JSON.stringify(selector)})].filter((one) => one.checkVisibility({ checkVisibilityCSS: true }))`;

/** What a reader has besides the text: colours, keyboard, search by other words, the list at the side. */
async function seeAids(t: Test, page: Page, { key }: Pick<Service, 'url' | 'key'>): Promise<void> {
  await page.read(`Object.defineProperty(navigator, 'clipboard', {
    configurable: true,
    value: { writeText: async (text) => { window.copied = text; } },
  })`);
  await page.click('.panel .quiet');
  t.ok((await page.read('window.copied')).includes(key), 'what is copied has the key');
  const colours = `new Set(['name-of', 'string', 'number'].map((kind) => getComputedStyle(document.querySelector('.answer .json-' + kind)).color)).size`;
  t.equal(await page.read(colours), '3', 'names, strings and numbers have colours of their own');

  t.equal(await page.read('document.querySelector("a").textContent'), 'Skip to the content');
  t.equal(
    await page.read('(document.querySelector(".skip").click(), document.activeElement.id)'),
    'content',
    'the first link leads past the rest',
  );

  await page.click('#getV1Bars > summary');
  await page.shows('#getV1Bars select', /\w/);
  const usual = `[...document.querySelectorAll('.operation select option[value=""]')].map((one) => one.textContent).filter((text) => !/\\(default\\)$|^not set$/.test(text)).length`;
  t.equal(await page.read(usual), '0', 'a choice that is not made names the default');

  for (const [word, path] of [
    ['kline', '/v1/bars'],
    ['candles', '/v1/bars'],
    ['basis', '/v1/funding-arbitrage'],
    ['whale', '/v1/futures/large-orders'],
    ['vwap', '/v1/indicators/compute'],
  ]) {
    const search = `((box) => (box.value = '${word}', box.dispatchEvent(new Event('input')),
      [...document.querySelectorAll('.operation:not([hidden]) .path')].map((one) => one.textContent).join(' ')))(document.querySelector('#search'))`;
    const found = (await page.read(search)).split(' ');
    t.ok(found.includes(path ?? ''), `${word}: ${found.join(' ')}`);
    const noun = found.length === 1 ? 'endpoint' : 'endpoints';
    t.match(await page.text('#found'), new RegExp(`^${found.length} ${noun} of \\d+$`));
    t.equal(
      await page.read(`document.querySelectorAll('#groups ul li:not([hidden])').length`),
      `${found.length}`,
      'the list at the side has the same',
    );
  }
  await page.read(
    `((box) => (box.value = '', box.dispatchEvent(new Event('input'))))(document.querySelector('#search'))`,
  );

  const links = seen('#groups ul a');
  if ((await page.read(`${links}.length`)) === '0') await page.click('#menu');
  const count = /^\d+/.exec(await page.text('#found'))?.[0];
  t.equal(await page.read(`${links}.length`), count, 'a link to each endpoint');
  await page.click('#groups a[href="#getV1Prices"]');
  t.ok(await page.shows('#getV1Prices[open] summary', /prices/), 'which opens it');
}

async function seeDocs(t: Test, page: Page, { url, key }: Service): Promise<void> {
  await page.open(`${url}/docs`);
  await page.shows('#found', /\d/);
  t.match(await run(page, '.panel'), /^401/, 'a call without a key');
  await page.type('#key', key);
  await page.click('#way-in button');
  const isIn = async () => (await page.read('document.querySelector("#way-in").hidden')) === 'true';
  await untilSeen(isIn, 'a key signs in');
  await page.click('.top a[href="app"]');
  t.ok(await page.shows('.body .row .symbol a', /\w/), 'for the dashboard, too');
  await page.click('#nav a[href="docs"]');
  await page.shows('#found', /\d/);
  await untilSeen(isIn, 'and back');
  await page.click('.panel .tab:nth-child(3)');
  const lines = await page.shows('.panel code', /import requests/);
  t.ok(lines.includes(url), 'the lines have the address');
  t.ok(lines.includes(`${key.slice(0, 12)}••••`) && !lines.includes(key), 'and the key hidden');
  t.match(await run(page, '.panel'), /^200.*"average_price"/s, 'the first call');

  await page.click('#postV1IndicatorsCompute > summary');
  const computed = await run(page, '#postV1IndicatorsCompute .panel');
  t.match(computed, /^200.*"rsi"/s, 'a POST with its default body');

  await page.click('#streams ~ .panel .run');
  t.ok(await page.shows('#streams ~ .panel .answer', /event: snapshot/), 'a stream');
  await page.click('#streams ~ .panel .run');

  await seeAids(t, page, { url, key });

  for (const [text, guide] of [
    ['websocket', 'Streams'],
    ['error codes', 'Errors'],
    ['rate limit', 'Limits'],
    ['python', 'CSV, clients'],
    ['history', 'history'],
  ] as const) {
    const found = `((box) => (box.value = '${text}', box.dispatchEvent(new Event('input')),
      [...document.querySelectorAll('#guides-found a')].map((one) => one.textContent).join('|')))(document.querySelector('#search'))`;
    const names = (await page.read(found)).split('|');
    t.ok(names.includes(guide), `${text}: ${names.join(', ')}`);
  }

  await page.read(`document.querySelector('#search').value = ''`);
  await page.type('#search', 'funding history');
  const rest = 'document.querySelectorAll(".operation:not([hidden])").length';
  t.match(await page.text('#found'), new RegExp(`^${await page.read(rest)} `), 'a search');
}

/** A browser of a size sees what `see` does. */
async function look(
  t: Test,
  { program, width, height }: { program: string; width: number; height: number },
  see: (page: Page, picture: (name: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  await withPage({ program, width, height }, async (page) => {
    await see(page, async (name) => {
      await page.picture(join(pictures, `${name}-${width}.png`));
      const all = await page.read('document.documentElement.scrollWidth');
      t.ok(Number(all) <= width, `${name} is ${all} px wide of ${width}`);
    });
    t.strictSame(page.faults, [], 'no script fails, and the policy forbids nothing it needs');
  });
}

/**
 * Opens the pages, tries calls, and takes pictures; says so where no browser is installed. `documented` is run between them,
 * when all that is asked for has been answered and no process dies any more.
 */
export async function seePages(
  t: Test,
  service: Service,
  documented: (t: Test) => Promise<void>,
): Promise<void> {
  const program = chromiumProgram();
  if (program === null) {
    t.comment('skipped: the pages in a browser; chromium is not installed');
    await t.test('the documentation', documented);
    return;
  }
  mkdirSync(pictures, { recursive: true });
  const seeTelephone = (t: Test) =>
    look(t, { program, ...telephone }, async (page, picture) => {
      await seeNarrow(t, page, { service, picture });
      await seeDocs(t, page, service);
      await picture('docs');
    });
  const beside = () => t.test('on a telephone', { buffered: true }, seeTelephone);
  await look(t, { program, ...desktop }, async (page, picture) => {
    await seeDashboard(t, page, { service, picture, beside });
    await t.test('the documentation', documented);
    await seeDocs(t, page, service);
    await picture('docs');
  });
  t.comment(`pictures of the pages: ${pictures}`);
}
