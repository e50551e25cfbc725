/** The dashboard under more than a service sends it, and without a service or a session for a while. */
import type { Test } from 'tap';
import type { Page } from './chromium.ts';
import { untilSeen } from './figures.ts';
import type { Service } from './service.ts';

const symbols = 2_000;
/** Rows of a page of the table, of which the first is followed. */
const followed = 500;
const minutes = 10;

/** What stands in for the stream of the service; it runs in the page. */
const feed = `(() => {
  const assets = Array.from({ length: ${symbols} }, (_, at) => ({
    symbol: 'S' + at, price: 100 + at, price_change_24h_percent: at % 7, volume_24h_usd: 1e9 - at,
    open_interest_usd: 1e6, exchange_count: 20, updated_at: Date.now(),
  }));
  const began = Date.now();
  let seconds = 0;
  Date.now = () => began + seconds * 1000;
  const ask = fetch;
  const page = (from) => ({ items: assets.slice(from, from + ${followed}) });
  globalThis.fetch = (url, init) => {
    const offset = /coins-markets.*offset=(\\d+)/.exec(url)?.[1];
    if (offset !== undefined) return Promise.resolve(Response.json({ data: page(Number(offset)) }));
    return String(url).includes('/v1/rows') ? Promise.resolve(Response.json({ data: { rows: [] } })) : ask(url, init);
  };
  globalThis.WebSocket = class extends EventTarget {
    static OPEN = 1;
    readyState = 0;
    constructor() {
      super();
      setTimeout(() => {
        this.readyState = 1;
        this.dispatchEvent(new Event('open'));
      });
    }
    say(message) {
      this.dispatchEvent(Object.assign(new Event('message'), { data: JSON.stringify(message) }));
    }
    send(text) {
      const { op, id, path } = JSON.parse(text);
      if (op !== 'subscribe' || !path.startsWith('/v1/futures/coins-markets')) return;
      this.say({ type: 'snapshot', id, as_of: Date.now(), data: page(0) });
      globalThis.second = () => {
        seconds += 1;
        const changed = [];
        for (let at = seconds % 4; at < ${followed}; at += 4)
          changed.push({ symbol: 'S' + at, price: 100 + at + Math.sin(seconds + at), updated_at: Date.now() });
        this.say({ type: 'patch', id, as_of: Date.now(), patch: { items: { key: ['symbol'], changed } } });
      };
    }
    close() {}
  };
  /** Lets so many seconds of the stream pass, a few of them a frame. */
  globalThis.pass = (count) => new Promise((done) => {
    const frame = () => {
      for (let turn = 0; turn < 6 && count > 0; turn++, count--) globalThis.second();
      if (count > 0) requestAnimationFrame(frame);
      else done();
    };
    frame();
  });
})()`;

/** Evaluates an expression in the page, and waits for its promise. */
const done = (page: Page, expression: string) =>
  page.send('Runtime.evaluate', { expression, awaitPromise: true });

/** What is alive in the page once what is not is gone. */
async function alive(page: Page): Promise<{ heap: number; nodes: number }> {
  await done(page, 'Promise.allSettled(document.getAnimations().map(({ finished }) => finished))');
  for (let turn = 0; turn < 2; turn++) await page.send('HeapProfiler.collectGarbage');
  const { usedSize } = await page.send('Runtime.getHeapUsage');
  const { nodes } = await page.send('Memory.getDOMCounters');
  return { heap: Number(usedSize), nodes: Number(nodes) };
}

/** With 2,000 symbols on four pages only rows in sight are on the page, and ten minutes of changes leave nothing behind. */
export async function seeLoad(t: Test, page: Page): Promise<void> {
  const { identifier } = await page.send('Page.addScriptToEvaluateOnNewDocument', { source: feed });
  await page.read(`(location.hash = '#/markets', 1)`);
  await page.send('Page.reload');
  await page.shows('.count', new RegExp(`^${symbols} symbols$`));
  const isShown = async () =>
    Number(await page.read('document.querySelectorAll(".body .row").length')) > 0;
  await untilSeen(isShown, 'rows are on the page');
  // By then its scripts are compiled.
  await done(page, 'pass(120)');
  const before = await alive(page);
  await done(page, `pass(${minutes * 60})`);
  const after = await alive(page);
  const rows = Number(await page.read('document.querySelectorAll(".body .row").length'));
  const room = Number(await page.read('Math.ceil(innerHeight / 32)'));
  t.ok(rows <= room + 12, `${rows} of ${symbols} rows are on the page, which has room for ${room}`);
  for (const name of ['heap', 'nodes'] as const) {
    const change = after[name] / before[name] - 1;
    t.ok(change < 0.1, `${name} after ${minutes} minutes: ${before[name]}, then ${after[name]}`);
  }
  await page.send('Page.removeScriptToEvaluateOnNewDocument', { identifier });
  await page.send('Page.reload');
  await page.shows('#link', /Live/);
}

/** The page goes on after the death of the process that serves it, and ends with its session. */
export async function seeLoss(t: Test, page: Page, { running }: Service): Promise<void> {
  await page.shows('.body .row .symbol a', /\w/);
  const shown = await page.text('.body');
  const killed = running('cmd/web.ts');
  for (const pid of killed) process.kill(pid, 'SIGKILL');
  await page.shows('body', /(Connecting…|Offline).*not live/s);
  t.equal(await page.text('.count'), await page.shows('.count', /symbols/), 'what it knows stays');
  await page.shows('#link', /Live/);
  await untilSeen(async () => (await page.text('.body')) !== shown, 'prices move again');
  const revoke = `fetch('v1/auth/keys', { headers: { 'x-api-key': 'session' } }).then((answer) => answer.json())
    .then(({ data }) => Promise.all(data.filter(({ status, name }) => status === 'active' && name === 'Browser session')
      .map(({ id }) => fetch('v1/auth/keys/' + id, { method: 'DELETE', headers: { 'x-api-key': 'session' } }))))`;
  await page.read(revoke);
}
