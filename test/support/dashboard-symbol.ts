/** The page of one asset in a browser. */
import type { Test } from 'tap';
import type { Page } from './chromium.ts';
import { digitsOf, isSame, part, saidIn, untilSeen, valuesIn } from './figures.ts';
import type { Service } from './service.ts';

const hour = 3_600_000;

/** An indicator out of the catalogue is on the chart with the values of the API, and is taken away by keyboard. */
async function seeIndicator(t: Test, page: Page, { url, key }: Service): Promise<void> {
  await page.click('[popovertarget="indicators"]');
  await page.shows('.picks', /rsi/);
  t.equal(await page.read('document.querySelectorAll(".picks li").length'), '80', 'all of them');
  await page.send('Input.insertText', { text: 'relative strength' });
  await page.click('.picks li:not([hidden]) button');
  await page.shows('.chips', /^rsi:14/);
  t.match(await page.read('decodeURIComponent(location.hash)'), /indicators=rsi:14/);
  const body = {
    symbol: 'BTC',
    exchange: 'okx',
    kind: 'perpetual',
    interval: '1h',
    indicators: ['rsi'],
  };
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const isStated = async () => {
    const asked = { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = Object(await (await fetch(`${url}/v1/indicators/compute`, asked)).json());
    const [stated] = Object.values(Object(answer.data?.indicators)).map(
      (one) => Object(one).latest,
    );
    const { rows } = await valuesIn(page, 'Chart');
    const shown = rows.map((row) => row['rsi:14 value'] ?? '–').find((text) => text !== '–');
    return stated !== undefined && isSame(digitsOf(shown), stated.value);
  };
  await untilSeen(isStated, 'the RSI of the last closed candle is that of the API');
  await page.read('(document.querySelector(".chips [aria-label]").focus(), 1)');
  for (const type of ['keyDown', 'keyUp'])
    await page.send('Input.dispatchKeyEvent', { type, key: 'Delete' });
  t.equal(await page.read('document.querySelectorAll(".chips .mark-of").length'), '0');
  t.notMatch(await page.read('location.hash'), /indicators/, 'it has left the chart and the link');
}

/** Another exchange is compared, the past is read where the reader goes there, and a press on the chart makes an alert. */
async function seeChart(t: Test, page: Page, { get }: Service): Promise<void> {
  await page.read(`(location.hash = '#/symbol/BTC?exchange=okx&compare=BTC@bybit', 1)`);
  const isCompared = async () => {
    const [newest] = (await valuesIn(page, 'Chart')).rows;
    return Math.abs(digitsOf(newest?.['BTC Bybit']) / digitsOf(newest?.close) - 1) < 0.01;
  };
  await untilSeen(isCompared, 'the closes on Bybit stand beside those on OKX');
  const since = () =>
    page.read(`/since (.*)/.exec(document.querySelector('.chart').getAttribute('aria-label'))[1]`);
  const before = Date.parse(await since());
  await page.read(`(document.querySelector('.chart').focus(), 1)`);
  const isOlder = async () => {
    for (const type of ['keyDown', 'keyUp'])
      await page.send('Input.dispatchKeyEvent', { type, key: 'PageUp' });
    return before - Date.parse(await since()) > 500 * hour;
  };
  await untilSeen(isOlder, 'older candles come');
  await page.click('.chart tr:first-child td:nth-child(2)');
  await page.click('#levels .main');
  t.match(await page.shows('#levels', /Made/), /alert/, 'an alert on the price is on the chart');
  const { alerts } = (await get('/v1/alerts')).data;
  t.match(JSON.stringify(alerts), /"pointer":"\/average_price"/);
  await page.read(`(document.querySelector('#levels').hidePopover(), 1)`);
}

/** What is drawn beside the candles has values, those of the footprint as the API states them. */
async function seeFigures(t: Test, page: Page, { get }: Service): Promise<void> {
  await page.read(
    `(location.hash = '#/symbol/BTC?exchange=binance&interval=5m&panes=marks&indicators=ema:9', 1)`,
  );
  await page.shows('.chips', /^ema:9/);
  const isStated = async () => {
    const { rows } = await valuesIn(page, 'Footprint');
    const { bars } = (await get('/v1/futures/footprint?exchange=binance&interval=5m&limit=16'))
      .data;
    const [bar] = Array.isArray(bars) ? bars : [];
    const levels: Record<string, number>[] = bar?.levels ?? [];
    return (
      levels.length > 0 &&
      levels.every((level, at) =>
        Object.entries(level)
          .filter(([name]) => !name.endsWith('_usd'))
          .every(([name, value]) => isSame(digitsOf(rows[at]?.[name]), value)),
      )
    );
  };
  await untilSeen(isStated, 'the footprint is that of the API');
  const words = await saidIn(page, 'Footprint', ['Home']);
  t.match(words, / × .* BTC, difference|: –$/, 'a cell in words');
  for (const [heading, least] of [
    ['Book over time', 20],
    ['Depth', 20],
    ['Liquidation heatmap', 10],
    ['Options: implied volatility', 5],
  ] as const) {
    const isDrawn = async () => (await valuesIn(page, heading)).rows.length >= least;
    await untilSeen(isDrawn, `${heading} has values`);
  }
  t.ok(await page.shows('.symbol', /Large orders.*active.*Reference rate/s), 'tables beside them');
}

/** The page of one asset: candles, book and markets are those of the API, and its address restores it. */
export async function seeSymbol(t: Test, page: Page, service: Service): Promise<void> {
  const { get } = service;
  await page.read(`(location.hash = '#/symbol/BTC?exchange=okx&panes=volume,interest', 1)`);
  await page.shows('.book .middle', /spread/);
  await page.shows('.symbol table tbody', /\d/);
  const rate = async () =>
    /\d/.test(await page.read(`${part('Reference rate')}?.querySelector('.rate').textContent`));
  await untilSeen(rate, 'the reference rate');
  const label = `document.querySelector('.chart')?.getAttribute('aria-label') ?? ''`;
  const isDrawn = async () => {
    const [, close = ''] = /on OKX; the last price is ([\d.]+)/.exec(await page.read(label)) ?? [];
    const { average_price: price } = (await get('/v1/prices?symbol=BTC')).data;
    return Math.abs(Number(close) / Number(price) - 1) < 0.01;
  };
  await untilSeen(isDrawn, 'the candles end with the price of the API');
  t.ok(Number(await page.read('document.querySelectorAll(".chart canvas").length')) > 3);
  await page.click('.toggles button:nth-child(4)');
  t.match(
    await page.read('decodeURIComponent(location.hash)'),
    /panes=volume,interest,cvd/,
    'the address keeps the panes',
  );
  await seeIndicator(t, page, service);
  await seeChart(t, page, service);
  await seeFigures(t, page, service);
}
