import { readFileSync } from 'node:fs';
import t from 'tap';
import { referenceRoutes } from '../../http/reference.ts';
import { call, startServer } from '../support/http.ts';

const { page, files } = referenceRoutes();

t.test('the reference page', async (t) => {
  const server = await startServer([page, ...files]);
  t.teardown(server.end);
  const html = await call(`${server.url}/docs`);
  const own = [...html.text.matchAll(/(?:src|href)="(docs\/[^"]+)"/g)].map(([, at]) => at ?? '');

  t.test('is HTML that loads nothing but its own files', async (t) => {
    t.match(html, { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
    const loaded = [...html.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, at]) => at);
    t.same(
      loaded.filter((at) => !own.includes(at ?? '')),
      ['data:,', 'openapi.json'],
    );
    t.equal(own.length, files.length);
    t.notMatch(html.text, /<script>|<style|\son\w+=|style=/, 'nothing inline');
    t.notMatch(html.text, /https?:/);
  });

  t.test('has a policy that allows its own origin only, and no inline script', async (t) => {
    const policy = String(html.headers['content-security-policy']);
    t.match(policy, /default-src 'none'/);
    t.match(policy, /script-src 'self';/);
    t.match(policy, /frame-ancestors 'none'/);
    t.notMatch(policy, /unsafe|https?:|\*/);
  });

  t.test('gets its files, which may be kept for good', async (t) => {
    for (const at of own) {
      const { status, headers, text } = await call(`${server.url}/${at}`);
      t.equal(status, 200, at);
      t.match(headers['content-type'], at.includes('.css') ? /^text\/css/ : /^text\/javascript/);
      t.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
      t.equal(
        `W/"${new URL(at, server.url).searchParams.get('v')}"`,
        headers.etag,
        'by its version',
      );
      t.ok(text.length > 100);
    }
    const bundle = readFileSync(
      new URL(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js')),
      'utf8',
    );
    t.ok((await call(`${server.url}/docs/swagger-ui-bundle.js`)).text === bundle, 'whole');
  });

  t.test('gets them compressed, and 304 for the version that it has', async (t) => {
    const url = `${server.url}/docs/swagger-ui.css`;
    const { headers } = await call(url, { headers: { 'accept-encoding': 'gzip' } });
    t.match(headers, { 'content-encoding': 'gzip', vary: 'accept-encoding' });
    const again = await call(url, { headers: { 'if-none-match': String(headers.etag) } });
    t.match(again, { status: 304, text: '' });
    t.match(again.headers, { 'cache-control': /immutable/, 'content-security-policy': /self/ });
  });

  t.test('starts Swagger UI on our description, without the validator badge', async (t) => {
    const { text } = await call(`${server.url}/docs/reference.js`);
    let given: Record<string, unknown> = {};
    const bundle = Object.assign(
      (options: Record<string, unknown>) => {
        given = options;
      },
      { presets: { apis: 'apis' } },
    );
    new Function('SwaggerUIBundle', text)(bundle);
    t.match(given, { url: 'openapi.json', dom_id: '#reference', validatorUrl: null });
    t.match(html.text, /id="reference"/);
  });

  t.test('serves nothing else of the package or the disk', async (t) => {
    const paths = ['/docs/', '/docs/index.html', '/docs/..%2fpackage.json', '/docs/package.json'];
    for (const path of paths) t.equal((await call(server.url + path)).status, 404, path);
  });
});
