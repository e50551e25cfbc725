import t from 'tap';
import { pageRoutes } from '../../../http/pages/page-routes.ts';
import { call, startServer } from '../../support/http.ts';

const { pages, files } = pageRoutes({ open: false, exchanges: [], isSimulated: () => true });
const [, clients] = files;

/** What a page or a file loads. */
const loadedBy = (text: string) =>
  [...text.matchAll(/(?:src=|rel="\w+" href=|from |import\()["']([^"']+(?<!\.ts))["']/g)].map(
    ([, at]) => at ?? '',
  );

t.test('the pages', async (t) => {
  const server = await startServer(t, [...pages, ...files]);

  /** All that a page loads, and what that loads. */
  const filesOf = async (path: string) => {
    const seen = new Set<string>();
    const take = async (at: URL): Promise<void> => {
      const { text } = await call(at.href);
      for (const found of loadedBy(text).map((name) => new URL(name, at))) {
        if (seen.has(found.href)) continue;
        seen.add(found.href);
        await take(found);
      }
    };
    await take(new URL(path, server.url));
    return [...seen];
  };

  for (const path of ['/', '/app', '/docs']) {
    t.test(`${path} is HTML that loads files of this server and nothing else`, async (t) => {
      const { status, headers, text } = await call(server.url + path);
      t.match({ status, headers }, { status: 200, headers: { 'content-type': /^text\/html/ } });
      t.match(headers, { 'cache-control': /^no-cache$/, etag: /^W/ });
      t.equal(headers['referrer-policy'], 'no-referrer');
      t.notMatch(text, /<script(?! type="module" src)|<style|\son\w+=|style=|https?:/);
      const policy = String(headers['content-security-policy']);
      t.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/);
      t.match(policy, /frame-ancestors 'none'/);
      t.notMatch(policy, /unsafe|https?:|data:|\*/);
    });
  }

  t.test('their files, which may be kept for good', async (t) => {
    const all = new Set([...(await filesOf('/')), ...(await filesOf('/docs'))]);
    t.ok(all.size > 10);
    t.ok(all.size < 30, 'few files: a browser opens six connections');
    for (const url of all) {
      t.match(url.slice(server.url.length), /^\/app\/[\w-]+\.(js|css|svg)\?v=/);
      const { status, headers } = await call(url);
      t.match({ status, headers }, { status: 200, headers: { 'cache-control': /immutable/ } }, url);
      t.match(headers, {
        'content-type': /^(text\/(css|javascript); charset=utf-8|image\/svg\+xml)$/,
      });
    }
  });

  t.test('the guides and the packages of the clients, which the page names', async (t) => {
    const { text } = await call(`${server.url}/docs`);
    const named = [...text.matchAll(/href="(docs\/[\w-]+\.md)"/g)].map(([, path = '']) => path);
    const offered = text.match(/clients\/[\w.-]+/g) ?? [];
    t.ok(named.includes('docs/endpoints.md') && named.length > 20);
    t.strictSame(offered.map((path) => path.replace(/-\d.*?(?=-py3|\.tgz)/, '')).sort(), [
      'clients/tidemark-client.tgz',
      'clients/tidemark-py3-none-any.whl',
    ]);
    t.equal(clients?.params.file?.unlisted, 'not_found');
    for (const path of [...named, ...offered]) {
      const { status, headers } = await call(`${server.url}/${path}`);
      t.equal(status, 200, path);
      t.match(headers['content-type'], /^(text\/markdown|application\/(gzip|zip))/, path);
    }
  });

  t.test('a file of another version is not kept', async (t) => {
    const { headers } = await call(`${server.url}/app/app.css?v=old`);
    t.match(headers, { 'cache-control': /^no-cache$/, etag: /^W/ });
    t.strictSame(
      [...pages, ...files].map((row) => [row.path, row.group, row.access, row.free, row.produces]),
      [
        ...['/', '/app', '/docs'].map((path) => [path, 'Service', 'open', true, 'text/html']),
        ...['/docs/{file}', '/clients/{file}', '/app/{file}'].map((path) => [
          path,
          'Service',
          'open',
          true,
          undefined,
        ]),
      ],
    );
  });

  t.test('they are compressed, and 304 for the version that a client has', async (t) => {
    const url = `${server.url}/docs`;
    const { headers } = await call(url, { headers: { 'accept-encoding': 'gzip' } });
    t.match(headers, { 'content-encoding': 'gzip', vary: 'accept-encoding' });
    const again = await call(url, { headers: { 'if-none-match': String(headers.etag) } });
    t.match(again, { status: 304, text: '' });
    t.match(again.headers, { 'content-security-policy': /self/ });
  });

  t.test(
    'the scripts are modules without types, each of which is in one file, and which load each other by URLs that stay',
    async (t) => {
      const { text } = await call(`${server.url}/app/main.js`);
      t.match(text, /function patched\(before\s*, patch\s*\)/, 'without types');
      t.match(text, /^import { app_dom } from '\.\/base\.js\?v=[\w-]{16}';$/m);
      const texts = await Promise.all(
        (await filesOf('/')).map(async (url) => (await call(url)).text),
      );
      const names = texts
        .flatMap((one) => [...one.matchAll(/^export const (\w+) = \(/gm)])
        .map(([, name]) => name);
      t.ok(names.length > 50 && names.length === new Set(names).size, `${names.length} modules`);
      const page = await call(`${server.url}/app`);
      t.match(page.text, /data-access="keys"/);
      const said = /<p class="notice" role="note">Simulated data/;
      t.match(page.text, said, 'said in the first paint');
      t.match((await call(`${server.url}/docs`)).text, said);
      t.equal(new Set(page.text.match(/\?v=[\w-]{16}/g)).size, 1, 'one version');
    },
  );

  t.test('nothing else of the folder or the disk is served', async (t) => {
    const names = ['', 'docs.html', 'main.ts', 'tsconfig.json', '..%2fpages.ts'];
    for (const name of names) {
      t.equal((await call(`${server.url}/docs/${name}`)).status, 404, name);
      t.equal((await call(`${server.url}/app/${name}`)).status, 404, name);
    }
  });
});
