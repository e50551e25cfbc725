/** Keys and tokens in the dashboard, in a real browser. */
import type { Test } from 'tap';
import type { Page } from './chromium.ts';
import { runCommand } from './command.ts';
import type { Service } from './service.ts';

/** A key is made, shown once, replaced and revoked; a link key has its address. */
export async function seeKeys(t: Test, page: Page, { url }: Service): Promise<void> {
  await page.click('#nav a[href="#/keys"]');
  await page.shows('.keys .facts', /Planlocal.*Session ends/);
  await page.shows('.keys tbody', /Browser session/);
  await page.type('#name', 'from the page');
  await page.click('.keys form .main');
  t.match(await page.shows('.keys .made code', /^tm_live_/), /^\w{46}$/);
  await page.shows('.keys tbody tr', /from the page.*active/);
  const press = async (button: string) => {
    for (const _ of ['asks', 'acts']) await page.click(`.keys tbody tr button:${button}-child`);
  };
  const first = await page.text('.keys .made code');
  await press('first');
  t.ok(await page.shows('.keys .made', /The one it replaces works until/), 'and replaced');
  t.not(await page.text('.keys .made code'), first);
  await page.shows('.keys tbody tr:nth-child(2)', /from the page.*ends/);
  await press('last');
  t.ok(await page.shows('.keys tbody', /from the page.*revoked/), 'and revoked');

  await page.type('#name', 'sheet');
  await page.read(`(() => {
    const kind = document.querySelector('.keys form select');
    kind.value = 'link';
    return kind.dispatchEvent(new Event('change'));
  })()`);
  await page.type('#paths', '/v1/prices?symbol=BTC');
  await page.click('.keys form .main');
  const link = /http\S+/.exec(await page.shows('.keys .made', /In a sheet: http/))?.[0] ?? '';
  t.match(link, /\/v1\/prices\?symbol=BTC&link=tm_link_\w+$/);
  t.equal((await fetch(link)).status, 200, 'the address answers without a header');
  t.equal((await fetch(link.replace('BTC', 'ETH'))).status, 403, 'and no other');
  t.equal(new URL(link).origin, url);
  t.match(await page.shows('.keys .legend', /Browser session/), /All keys \d/);
}

/** A token of the identity provider signs in; one that is over or wrong is refused in words. */
export async function seeToken(t: Test, page: Page, { folder }: Service): Promise<void> {
  const { out } = await runCommand('cmd/token.ts', ['--sub', 'alice'], { DATA_DIR: folder });
  const token = out.trim();
  const [head = '', claims = '', signature = ''] = token.split('.');
  const stated = JSON.parse(Buffer.from(claims, 'base64url').toString());
  const over = Buffer.from(JSON.stringify({ ...stated, exp: 1_700_000_000 })).toString('base64url');
  const tries = [
    [`${head}.${over}.${signature}`, /This token ended/],
    ['tm_link_abc', /A link key reads its own paths/],
  ] as const;
  for (const [text, words] of tries) {
    await page.read(`(document.querySelector('#key').value = '', 1)`);
    await page.type('#key', text);
    await page.click('.key button');
    t.ok(await page.shows('.sign-in .problem', words), String(words));
  }
  await page.read(`(document.querySelector('#key').value = '', 1)`);
  await page.type('#key', token);
  await page.click('.key button');
  t.ok(await page.shows('.keys .facts', /Planfree.*Session ends/), 'a token manages keys');
  t.ok(await page.shows('.keys tbody', /Browser session/));
  t.equal(
    await page.read('sessionStorage.length + document.cookie.length'),
    '0',
    'and is not kept',
  );
  await page.click('#nav a[href="#/markets"]');
  t.ok(await page.shows('.body .row .symbol a', /\w/), 'and opens data');
  t.ok(await page.shows('#link', /Live/), 'by streams');
}
