/** Ten tasks of a trader in a browser, each in at most three actions from the page that is named. */
import type { Test } from 'tap';
import type { Page } from './chromium.ts';
import { part, untilSeen } from './figures.ts';

/** A press on an element, a text that is typed where the focus is, a key, or a choice by the name of its control. */
type Action =
  | readonly ['press' | 'type' | 'key', string]
  | readonly ['choose', control: string, value: string];

interface Task {
  name: string;
  from: string;
  actions: readonly Action[];
  /** An expression of the page, whose text matches once the task is done. */
  shows: string;
  pattern: RegExp;
}

const text = (selector: string) => `document.querySelector('${selector}')?.textContent ?? ''`;
const address = 'decodeURIComponent(location.hash)';

const tasks: readonly Task[] = [
  {
    name: 'the chart of a coin by its name',
    from: 'service',
    actions: [
      ['press', '#find'],
      ['type', 'bitcoin'],
      ['key', 'Enter'],
    ],
    shows: text('h1'),
    pattern: /^BTC$/,
  },
  {
    name: 'the coins with the largest open interest',
    from: 'markets',
    actions: [['press', '.head [name="oi"]']],
    shows: text('.head [aria-sort="descending"]'),
    pattern: /^Open interest/,
  },
  {
    name: 'the order book of a coin on another exchange',
    from: 'symbol/BTC',
    actions: [['choose', 'Exchange', 'kraken']],
    shows: `${address} + (${text('.book .middle')})`,
    pattern: /exchange=kraken.*spread/s,
  },
  {
    name: 'two coins on one chart',
    from: 'symbol/BTC',
    actions: [
      ['press', '[popovertarget="compare"]'],
      ['type', 'ETH'],
      ['key', 'Enter'],
    ],
    shows: address,
    pattern: /compare=ETH@/,
  },
  {
    name: 'an indicator on the chart',
    from: 'symbol/BTC',
    actions: [
      ['press', '[popovertarget="indicators"]'],
      ['type', 'bollinger'],
      ['press', '.picks li:not([hidden]) button'],
    ],
    shows: address,
    pattern: /indicators=b/,
  },
  {
    name: 'two perpetuals whose funding differs most, and what that costs',
    from: 'markets',
    actions: [['press', '#nav a[href="#/funding"]']],
    shows: `${part('Arbitrage')}?.querySelector('tbody')?.textContent ?? ''`,
    pattern: /%.* days/,
  },
  {
    name: 'large liquidations as they happen',
    from: 'markets',
    actions: [
      ['press', '#nav a[href="#/liquidations"]'],
      ['choose', 'Value', '10000'],
    ],
    shows: `${address} + ${part('Live')}?.querySelector('tbody')?.textContent`,
    pattern: /least=10000.*(long|short)/s,
  },
  {
    name: 'where the options of the next expiry hurt least',
    from: 'markets',
    actions: [['press', '#nav a[href="#/options"]']],
    shows: `${part('Max pain')}?.querySelector('tbody')?.textContent ?? ''`,
    pattern: /\d\d\/\d\d\/\d{4}\d/,
  },
  {
    name: 'an alert on the funding of a coin',
    from: 'funding',
    actions: [
      ['press', '.panel a[href^="#/alerts"]'],
      ['press', '.alert-of input[type=number]'],
      ['type', '0.01'],
    ],
    shows: text('.alert-of [role=status]'),
    pattern: /^Now /,
  },
  {
    name: 'whether the data of an exchange are all right',
    from: 'markets',
    actions: [['press', '#nav a[href="#/service"]']],
    shows: text('.service tbody'),
    pattern: /Binance/,
  },
];

/** Chooses as a reader does: where the control is there, and by its event. */
const chosen = (control: string, value: string) => `((select) => {
  if (![...(select?.options ?? [])].some((one) => one.value === ${JSON.stringify(value)})) return false;
  select.value = ${JSON.stringify(value)};
  return select.dispatchEvent(new Event('change'));
})(document.querySelector('#content select[name="${control}"]'))`;

const isField = `document.activeElement.matches('input')`;

async function act(page: Page, action: Action): Promise<void> {
  const [kind, what, value = ''] = action;
  if (kind === 'press') await page.click(what);
  else if (kind === 'type') {
    await untilSeen(async () => (await page.read(isField)) === 'true', 'a field has the focus');
    await page.send('Input.insertText', { text: what });
  } else if (kind === 'key')
    for (const type of ['keyDown', 'keyUp'])
      await page.send('Input.dispatchKeyEvent', {
        type,
        key: what,
        text: type === 'keyDown' ? '\r' : undefined,
      });
  else
    await untilSeen(
      async () => (await page.read(chosen(what, value))) === 'true',
      `${what} has ${value}`,
    );
}

/** Opens a page anew. */
async function open(page: Page, name: string): Promise<void> {
  await page.read(`(document.querySelector('.page')?.classList.add('before'), 1)`);
  await page.read(`(location.hash = '#/${name}?', 1)`);
  const isNew = `document.querySelector('.page:not(.before)') !== null`;
  await untilSeen(async () => (await page.read(isNew)) === 'true', `${name} is open`);
}

export async function seeTasks(t: Test, page: Page): Promise<void> {
  t.equal(tasks.length, 10);
  for (const { name, from, actions, shows, pattern } of tasks) {
    await open(page, from);
    for (const action of actions) await act(page, action);
    const isDone = async () => {
      if (pattern.test(await page.read(shows))) return true;
      const [last] = actions.slice(-1);
      // What it is pressed for may not be there yet.
      if (last?.[0] === 'key' && (await page.read(isField)) === 'true') await act(page, last);
      return false;
    };
    await untilSeen(isDone, `${name}: ${pattern}`);
    t.ok(actions.length <= 3, `${name}: ${actions.length} of 3 actions`);
  }
}
