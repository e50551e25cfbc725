/** The dashboard of a running service in a real browser. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import type { Page } from './chromium.ts';
import { seeKeys, seeToken } from './dashboard-keys.ts';
import { seeLoad, seeLoss } from './dashboard-load.ts';
import { otherPages } from './dashboard-pages.ts';
import { seeSymbol } from './dashboard-symbol.ts';
import { seeTasks } from './dashboard-tasks.ts';
import { digitsOf, isSame, part, saidIn, untilSeen, valuesIn } from './figures.ts';
import type { Service } from './service.ts';

const axe = join(import.meta.dirname, '..', '..', 'node_modules', 'axe-core', 'axe.min.js');

/**
 * The rules of WCAG 2.2, A and AA. In the other colour scheme the page has the same elements, and only their colours can be wrong; on a
 * narrow screen it has the same colours, and only the layout can be.
 */
const rulesOf = {
  light: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
  dark: { type: 'rule', values: ['color-contrast'] },
};
const rulesOfLayout = {
  light: { type: 'rule', values: ['target-size', 'scrollable-region-focusable'] },
};

/** Rows and tiles are made alike: the first of each list stand for all, of which there are thousands. */
const alike = ['tr', '.row', '.tile', 'li', 'option'].map((one) => [`${one}:nth-child(n + 9)`]);

/** What axe-core finds against rules, with the elements. */
async function violations(page: Page, runOnly: object): Promise<string> {
  const options = { runOnly, resultTypes: ['violations'] };
  const expression = `axe.run({ exclude: ${JSON.stringify(alike)} }, ${JSON.stringify(options)}).then(({ violations }) =>
    JSON.stringify(violations.map(({ id, nodes }) => [id, nodes.length, nodes[0].html.slice(0, 200), nodes[0].failureSummary])))`;
  const { result } = await page.send('Runtime.evaluate', { expression, awaitPromise: true });
  return String(Object(result).value);
}

/** Nothing of the page is against WCAG AA, in both colour schemes. */
export async function seeAccessible(
  t: Test,
  page: Page,
  name: string,
  rules: Partial<typeof rulesOf> = rulesOf,
): Promise<void> {
  if (!existsSync(axe)) {
    t.comment(`skipped: ${name} by axe-core; it is not installed`);
    return;
  }
  if ((await page.read('typeof axe')) === 'undefined')
    await page.send('Runtime.evaluate', { expression: readFileSync(axe, 'utf8') });
  for (const [value, runOnly] of Object.entries(rules)) {
    const features = [{ name: 'prefers-color-scheme', value }];
    await page.send('Emulation.setEmulatedMedia', { features });
    t.equal(await violations(page, runOnly), '[]', `${name}, ${value}: nothing against WCAG AA`);
  }
}

/** The cells of a column of what is in sight, in the order of the rows, without marks. */
const cells = (at: number) =>
  `JSON.stringify([...document.querySelectorAll('.body .row:not([hidden])')]
    .sort((a, b) => a.dataset.index - b.dataset.index)
    .map((row) => [...row.children[${at}].childNodes].filter((one) => !one.matches?.('.mark, .age')).map((one) => one.textContent).join('')))`;

/** A number as the page writes it, in dollars. */
function numberOf(text: string): number {
  const [digits = '', letter = ''] = text.replaceAll(',', '').split(' ');
  return Number(digits) * ({ T: 1e12, B: 1e9, M: 1e6, K: 1e3 }[letter] ?? 1);
}

/** The names of the rows in sight. */
const namesOf = (texts: readonly string[]): string[] =>
  texts.map((text) => /[A-Z0-9][A-Z0-9.:]*/.exec(text)?.[0] ?? '');

/** The table, live: its values are those of the API, and move by themselves. */
async function seeLive(t: Test, page: Page, { get }: Service): Promise<void> {
  await page.shows('.body .row .symbol a', /\w/);
  await page.shows('#link', /Live/);
  t.match(await page.text('.count'), /^\d+ symbols$/);
  const volumeAt = await page.read(
    `[...document.querySelectorAll('.head .cell')].findIndex((cell) => /Volume/.test(cell.textContent))`,
  );
  const volumes = (await read(page, Number(volumeAt))).map(numberOf);
  t.ok(volumes.length > 10, `${volumes.length} rows are on the page`);
  t.strictSame(
    volumes,
    volumes.toSorted((a, b) => b - a),
    'by volume, the largest first',
  );
  const [first = ''] = namesOf(await read(page, 0));
  // Prices move between the two looks.
  const isNear = async () => {
    const { items } = (await get(`/v1/futures/coins-markets?symbol=${first}`)).data;
    const [stated] = Array.isArray(items) ? items : [];
    return Math.abs(numberOf((await read(page, 1))[0] ?? '') / stated?.price - 1) < 0.01;
  };
  await untilSeen(isNear, `${first} has the price of the API`);
  const before = (await read(page, 1)).join();
  const moves = async () => (await read(page, 1)).join() !== before;
  await untilSeen(moves, 'prices move by themselves');
}

/** It sorts, finds, and keeps a watch list; the address restores all of it. */
async function seeChoices(t: Test, page: Page): Promise<void> {
  await page.click('.head .cell:nth-child(1) button');
  const isSorted = async () => {
    const names = namesOf(await read(page, 0));
    return names.join() === names.toSorted((a, b) => a.localeCompare(b)).join();
  };
  await untilSeen(isSorted, 'the rows are by name');
  t.match(await page.read('location.hash'), /sort=symbol/, 'the address keeps it');

  for (const type of ['keyDown', 'keyUp']) {
    await page.send('Input.dispatchKeyEvent', { type, key: '/' });
  }
  t.equal(await page.read('document.activeElement.type'), 'search', '/ leads to the search');
  await page.send('Input.insertText', { text: 'btc' });
  await page.shows('.count', /^\d+ of \d+ symbols$/);
  const isFound = async () => {
    const names = namesOf(await read(page, 0));
    return names.length > 0 && names.every((name) => name.includes('BTC'));
  };
  await untilSeen(isFound, 'only what matches is left');
  await page.send('Page.reload');
  await page.shows('.count', /^\d+ of \d+ symbols$/);
  await untilSeen(isFound, 'a link restores the view');

  await page.click('.body .star');
  await page.read(`(location.hash = '#/markets?watched=1', 1)`);
  const isNew = async () =>
    (await page.read('document.querySelector("[type=search]").value')) === '';
  await untilSeen(isNew, 'the page without a search');
  await page.shows('.count', /^1 of \d+ symbols$/);
  await untilSeen(async () => namesOf(await read(page, 0)).join() === 'BTC', 'the watch list');
  await page.click('.body .star');
  t.ok(await page.shows('.nothing', /No symbol of the watch list/), 'and an empty one');
}

/** A head moves by keyboard, and a map has a tile for each of the largest. */
async function seeMap(t: Test, page: Page): Promise<void> {
  await page.read(`(document.querySelector('.head [name="funding"]').focus(), 1)`);
  const press = { type: 'keyDown', key: 'ArrowLeft', modifiers: 1 };
  await page.send('Input.dispatchKeyEvent', press);
  const order = `[...document.querySelectorAll('.head button')].map((one) => one.name).join()`;
  t.match(await page.read(order), /,funding,oi24h,/, 'a column has moved');
  t.equal(await page.read('document.activeElement.name'), 'funding', 'and keeps the focus');
  await page.read(`(location.hash = '#/markets?view=treemap&colour=funding', 1)`);
  t.match(await page.shows('.tile', /%/), /^BTC/, 'the largest tile');
  t.match(await page.text('.count'), /^\d+ of \d+ symbols$/);
  await seeAccessible(t, page, 'map of the markets');
}

const read = async (page: Page, at: number): Promise<string[]> =>
  JSON.parse(await page.read(cells(at)));

/** Funding of all exchanges and its differences. */
async function seeFunding(_t: Test, page: Page, { get }: Service): Promise<void> {
  const isRecorded = async () => {
    const { points } = (await get('/v1/funding-rates/vol-weighted-history?symbol=BTC')).data;
    return Array.isArray(points) && points.length > 10;
  };
  await untilSeen(isRecorded, 'settled rates are taken over from the exchanges');
  await page.click('#nav a[href="#/funding"]');
  const isStated = async () => {
    const [{ Symbol: symbol = '', Kraken: kraken } = {}] = (await valuesIn(page, 'Rates')).rows;
    const { rates } = (await get(`/v1/funding-rates?symbol=${symbol || 'BTC'}`)).data;
    const stated = (Array.isArray(rates) ? rates : []).filter((one) => one.exchange === 'kraken');
    return stated.some(({ annualized }) => Math.abs(100 * annualized - digitsOf(kraken)) < 0.2);
  };
  await untilSeen(isStated, 'the first rate on Kraken is that of the API');
  const hasPast = async () => (await valuesIn(page, 'Settled rates of BTC')).rows.length > 10;
  await untilSeen(hasPast, 'the past has rates');
  const costs = `${part('Arbitrage')}?.querySelector('tbody')?.textContent ?? ''`;
  const hasCosts = async () => /%.* days/.test(await page.read(costs));
  await untilSeen(hasCosts, 'and pairs that differ, with what they cost');
}

/** Liquidations come by themselves, the newest first; the maps have the levels of the API. */
async function seeLiquidations(t: Test, page: Page, { get }: Service): Promise<void> {
  await page.click('#nav a[href="#/liquidations"]');
  await page.shows('.liquidations tbody', /long|short/);
  const first = await page.text('.liquidations tbody tr');
  const isNew = async () => (await page.text('.liquidations tbody tr')) !== first;
  await untilSeen(isNew, 'another liquidation comes');
  const hasSums = async () => (await valuesIn(page, 'BTC over time')).rows.length > 0;
  await untilSeen(hasSums, 'sums over time');
  const largest = `[...(${part('24 hours by coin')}?.querySelectorAll('tbody td:last-child') ?? [])].map((one) => one.textContent).join()`;
  const hasLargest = async () => /\d/.test(await page.read(largest));
  await untilSeen(hasLargest, 'the largest of the day by coin');
  const isStated = async () => {
    const { rows } = await valuesIn(page, 'Liquidation map');
    const { levels } = (await get('/v1/liquidations/map?symbol=BTC&range=1d')).data;
    const all = Array.isArray(levels) ? levels : [];
    const [first, second] = rows;
    return [first, second].every((row) => {
      const of = all.find(({ price }) => price === digitsOf(row?.price));
      return of !== undefined && isSame(digitsOf(row?.value_usd), of.value_usd);
    });
  };
  await untilSeen(isStated, 'the map has the levels of the API');
  const hasCells = async () => (await valuesIn(page, 'Liquidation heatmap')).rows.length > 10;
  await untilSeen(hasCells, 'the heatmap has cells');
  t.match(await saidIn(page, 'Liquidation heatmap', ['End', 'ArrowUp']), /\d.*: (\d.* USD|–)$/);
}

interface Visit {
  service: Service;
  /** Takes a picture, and checks the width. */
  picture(name: string): Promise<void>;
}

interface FirstVisit extends Visit {
  /** What another browser sees meanwhile: before the service loses a process. */
  beside(): Promise<unknown>;
}

/** Those last that show what a service has after a minute or two. */
const pages = {
  options: otherPages.options,
  market: otherPages.market,
  onchain: otherPages.onchain,
  liquidations: seeLiquidations,
  symbol: seeSymbol,
  alerts: otherPages.alerts,
  keys: seeKeys,
  funding: seeFunding,
  service: otherPages.service,
};

/** Goes through the pages of the dashboard, signed in by the link that was printed, which works once. */
export async function seeDashboard(t: Test, page: Page, visit: FirstVisit): Promise<void> {
  const { service, picture, beside } = visit;
  const { url } = service;
  await page.open(`${url}/`);
  t.ok(await page.shows('.sign-in', /Dashboard/), 'without a session it says how to get one');
  await seeAccessible(t, page, 'the way in');
  await page.click('#nav a[href="#/service"]');
  t.ok(await page.shows('.facts', /Redisup/), 'the health of the service is open to all');
  t.ok(await page.shows('.service tbody', /Binance/), 'and of its sources');
  await seeAccessible(t, page, 'service');
  await picture('service');

  const link = /\/app#code=[\w-]+/.exec(service.printed())?.[0];
  await page.send('Page.navigate', { url: `${url}${link}` });
  await seeLive(t, page, service);
  t.equal(await page.read('document.cookie'), '', 'scripts do not see a session');
  t.notMatch(await page.read('location.href'), /code=/, 'the code has left the address');
  await seeChoices(t, page);
  await page.read(`(location.hash = '#/markets', 1)`);
  await page.shows('.count', /^\d+ symbols$/);
  await seeAccessible(t, page, 'markets');
  await picture('markets');
  await seeMap(t, page);
  const other = beside();
  for (const [name, see] of Object.entries(pages)) {
    await see(t, page, service);
    await seeAccessible(t, page, name);
    await picture(name);
  }
  await seeTasks(t, page);
  await other;
  await seeLoad(t, page);
  t.strictSame(page.errors, [], 'the console has no error');
  await seeLoss(t, page, service);
  t.ok(await page.shows('.sign-in', /need a session/), 'a revocation ends the session');
}

/** What each page has once it is there. */
const contents = {
  service: ['.service tbody', /Binance/],
  markets: ['.body .row .symbol a', /\w/],
  funding: ['.funding tbody', /\d/],
  liquidations: ['.liquidations tbody', /long|short/],
  options: ['.options .fact:first-child dd', /\d/],
  market: ['.market .fact:first-child dd', /\d/],
  onchain: ['.onchain tbody', /\d/],
  'symbol/BTC': ['.head-of dd', /\d/],
  // A key that was typed in manages none.
  keys: ['.keys', /need a session/],
} as const;

/** The same pages on a narrow screen, signed in by a key. */
export async function seeNarrow(t: Test, page: Page, { service, picture }: Visit): Promise<void> {
  // A change of the address after the form is shown would empty it.
  await page.open(`${service.url}/app#/markets`);
  await page.type('#key', service.key);
  await page.click('.key button');
  t.ok(await page.shows('#account', /Sign out/), 'a key signs in');
  for (const [name, [selector, pattern]] of Object.entries(contents)) {
    await page.read(`(location.hash = '#/${name}', 1)`);
    t.ok(await page.shows(selector, pattern), `${name} on a narrow screen`);
    await seeAccessible(t, page, `${name}, narrow`, rulesOfLayout);
    await picture(name.replace('/BTC', ''));
  }
  await page.click('#account');
  await page.shows('.sign-in', /need a session/);
  await page.read(`(location.hash = '#/keys', 1)`);
  await seeToken(t, page, service);
  t.strictSame(page.errors, [], 'the console has no error');
  await page.click('#account');
  t.ok(await page.shows('.sign-in', /need a session/), 'signing out ends it');
}
