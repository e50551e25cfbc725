/** The pages of options, of the market and of chains in a real browser: what they show is what the API says. */
import type { Test } from 'tap';
import type { Page } from './chromium.ts';
import { part, saidIn, untilSeen, valuesIn } from './figures.ts';
import type { Service } from './service.ts';

/** The text of a cell of the table of a part: the row that begins with a name, and a column. */
const cellOf = (title: string, name: string, column: number) =>
  `[...(${part(title)}?.querySelectorAll('tbody tr') ?? [])]
    .find((row) => row.children[0].textContent === ${JSON.stringify(name)})?.children[${column}].textContent ?? ''`;

const numberOf = (text: string): number => Number(text.replace(/[^\d.−-]/g, '').replace('−', '-'));

type Rows = readonly Record<string, string | number | null>[];
const rowsOf = (of: unknown): Rows => (Array.isArray(of) ? of : []);

/** Charts whose canvas has a colour in it. */
const drawn = `[...document.querySelectorAll('.plot canvas')].filter((canvas) =>
  canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some((byte) => byte > 0)).length`;

/** Waits until as many charts have been drawn. Each is brought into sight in its turn: elsewhere it asks for nothing. */
async function seeCharts(page: Page, least: number, what: string): Promise<void> {
  let at = 0;
  const isDrawn = async () => {
    await page.read(
      `((all) => all[${at++} % all.length]?.scrollIntoView())([...document.querySelectorAll('.panel:has(.plot)')]), 1`,
    );
    return Number(await page.read(drawn)) >= least;
  };
  await untilSeen(isDrawn, what);
}

async function seeOptions(t: Test, page: Page, { get }: Service): Promise<void> {
  await page.click('#nav a[href="#/options"]');
  const isStated = async () => {
    const [first] = rowsOf((await get('/v1/options/max-pain?symbol=BTC')).data.expiries);
    const date = String(first?.date).replace(/(\d+)-(\d+)-(\d+)/, '$2/$3/$1');
    const shown = await page.read(cellOf('Max pain', date, 1));
    return numberOf(shown) === first?.max_pain_price;
  };
  await untilSeen(isStated, 'max pain is that of the API');
  const hasSurface = async () => (await valuesIn(page, 'Volatility surface')).rows.length > 2;
  await untilSeen(hasSurface, 'the surface has a row an expiry');
  await seeCharts(page, 4, 'lines');
  await page.read(`(document.querySelector('.slot.tall').scrollIntoView(), 1)`);
  t.match(await page.shows('.inside', /\d/), /\d/, 'the chain says what is in the money');
  const hasStrikes = async () => (await valuesIn(page, 'By strike')).rows.length > 3;
  await untilSeen(hasStrikes, 'open interest by strike');
  const isFirst = async () => {
    const said = await saidIn(page, 'Gamma exposure', ['Home']);
    const [first] = rowsOf((await get('/v1/options/gamma-exposure?symbol=BTC')).data.strikes);
    return said.endsWith(Number(first?.strike).toLocaleString('en-US'));
  };
  await untilSeen(isFirst, 'the keys lead to the first strike');
}

async function seeMarket(t: Test, page: Page, { get }: Service): Promise<void> {
  await page.click('#nav a[href="#/market"]');
  const { value, classification_label: words } = (await get('/v1/indicators/fear-greed')).data;
  const text = await page.shows('.market .fact:first-child dd', /\d/);
  t.equal(text, `${value} ${words}`, 'fear and greed is that of the API');
  await seeCharts(page, 3, 'charts');
  const isStated = async () => {
    const { items } = (await get('/v1/indicators/bull-market-peak')).data;
    const puell = rowsOf(items).find(({ indicator }) => indicator === 'puell-multiple');
    const shown = await page.read(cellOf('Signals of a top', 'Puell multiple', 2));
    return Math.abs(numberOf(shown) - Number(puell?.value)) < 0.006;
  };
  await untilSeen(isStated, 'signals of a top are those of the API');
  await page.click('.market a[href="#/market?indicator=puell-multiple"]');
  const isShown = async () =>
    (await page.read(`${part('Puell multiple')}?.querySelector('.canvas')?.ariaLabel`)).includes(
      'Puell',
    );
  await untilSeen(isShown, 'a link leads to its chart');
}

async function seeOnchain(t: Test, page: Page, { get }: Service): Promise<void> {
  await page.click('#nav a[href="#/onchain"]');
  const isStated = async () => {
    const chains = rowsOf((await get('/v1/onchain/blocks')).data);
    const bitcoin = chains.find(({ chain }) => chain === 'bitcoin');
    const shown = await page.read(cellOf('Chains', 'bitcoin', 1));
    return shown !== '' && numberOf(shown) === bitcoin?.block_number;
  };
  await untilSeen(isStated, 'the height of bitcoin is that of the API');
  const hasFlows = async () => (await valuesIn(page, 'Exchange flows of BTC')).rows.length > 30;
  await untilSeen(hasFlows, 'flows to and from exchanges by day');
  const isLent = async () => {
    const [first] = rowsOf((await get('/v1/lending/overview')).data.assets);
    const shown = await page.read(cellOf('Lending by asset', String(first?.asset), 4));
    return Math.abs(numberOf(shown) - Number(first?.avg_supply_apy)) < 0.006;
  };
  await untilSeen(isLent, 'the mean rate of lending is that of the API');
  const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
  await page.type('.onchain form:last-of-type input', address);
  await page.click('.onchain form:last-of-type .main');
  const isHeld = async () => {
    const [token] = rowsOf((await get(`/v1/onchain/wallet?address=${address}`)).data.tokens);
    const shown = numberOf(await page.read(cellOf('Wallet', String(token?.token), 1)));
    return Math.abs(shown - Number(token?.balance)) < 0.006;
  };
  await untilSeen(isHeld, 'the wallet holds what the API says');
  t.match(await page.read('location.hash'), /address=0xd8dA/, 'the address keeps it');
}

async function seeService(t: Test, page: Page, { get }: Service): Promise<void> {
  await page.click('#nav a[href="#/service"]');
  await page.shows('.service .panel:first-child .fresh', /\w/);
  const last = '.service .panel:last-child .words';
  t.match(await page.text(last), /come in a moment/, 'a part out of sight asks for nothing');
  const isCounted = async () => {
    const allowed = numberOf(await page.read(cellOf('Budgets', 'Binance', 5)));
    const { budgets } = (await get('/v1/status')).data;
    return rowsOf(budgets).some(({ source, weight }) => source === 'binance' && weight === allowed);
  };
  await untilSeen(isCounted, 'a budget of Binance is that of the API');
  const isScored = async () => {
    const { items } = (await get('/v1/scorecard')).data;
    const first = rowsOf(items).find(({ exchange }) => exchange === 'binance');
    const shown = await page.read(cellOf('Scorecard', 'Binance', 2));
    return Math.abs(numberOf(shown) - 100 * Number(first?.up_24h)) < 0.06;
  };
  await untilSeen(isScored, 'the scorecard is that of the API');
  const isRecorded = async () => {
    const { items } = (await get('/v1/history/coverage')).data;
    const price = rowsOf(items).find(({ series }) => series === 'price');
    const shown = await page.read(cellOf('History', 'price', 6));
    return shown !== '' && numberOf(shown) === price?.keys;
  };
  await untilSeen(isRecorded, 'what is recorded is that of the API');
}

/** The form of an alert says the value now; an alert with a test has fired. */
async function seeAlerts(t: Test, page: Page, { get }: Service): Promise<void> {
  await page.read(`(location.hash = '#/alerts?symbol=ETH&watch=rsi', 1)`);
  t.match(await page.shows('.alert-of [role=status]', /Now \d/), /^Now \d+/);
  await page.type('.alert-of input[type=number]', '70');
  await page.click('.alert-of [name=test]');
  const isFired = async () => /ETH: RSI/.test(await page.read(`${part('Fired')}?.textContent`));
  await untilSeen(isFired, 'the test is among what has fired');
  const { alerts } = (await get('/v1/alerts')).data;
  const names = rowsOf(alerts).map(({ name }) => name);
  t.ok(names.includes('ETH: RSI of 14 hours is above 70'), names.join());
}

/** Each page, by its name. */
export const otherPages = {
  options: seeOptions,
  market: seeMarket,
  onchain: seeOnchain,
  service: seeService,
  alerts: seeAlerts,
};
