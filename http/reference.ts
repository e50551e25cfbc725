import { readFile } from 'node:fs/promises';
import { fileBody, versionOf } from './body.ts';
import { type Raw, type Route, route } from './routes/route.ts';

const scriptPath = '/docs/reference.js';

/** Starts Swagger UI; a file of its own, because the page allows no inline script. */
const script = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  presets: [SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
  deepLinking: true,
  displayRequestDuration: true,
  // The badge would send the address of this server to validator.swagger.io.
  validatorUrl: null,
});
`;

const noScript =
  'This page needs JavaScript. The description of the API is at <a href="openapi.json">openapi.json</a>.';

/** URLs are relative, so that a proxy may serve the page under a prefix, and contain the version of their file. */
const pageOf = (versions: Readonly<Record<string, string>>): string => {
  const at = (path: string) => `${path.slice(1)}?v=${versions[path]}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tidemark API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${at('/docs/swagger-ui.css')}">
</head>
<body>
<div id="reference"></div>
<noscript>${noScript}</noscript>
<script src="${at('/docs/swagger-ui-bundle.js')}"></script>
<script src="${at(scriptPath)}"></script>
</body>
</html>
`;
};

/**
 * The page may load its own files and nothing else. Swagger UI draws its icons from data: URLs, and sets styles through
 * the DOM, which a policy does not count as inline.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const security = { 'content-security-policy': policy, 'referrer-policy': 'no-referrer' };

interface File {
  contentType: string;
  read(): Promise<Buffer>;
}

const packaged = (name: string) => () =>
  readFile(new URL(name, import.meta.resolve('swagger-ui-dist/package.json')));

/** All files of the page. */
const files: Readonly<Record<string, File>> = {
  '/docs/swagger-ui.css': {
    contentType: 'text/css; charset=utf-8',
    read: packaged('swagger-ui.css'),
  },
  '/docs/swagger-ui-bundle.js': {
    contentType: 'text/javascript; charset=utf-8',
    read: packaged('swagger-ui-bundle.js'),
  },
  [scriptPath]: {
    contentType: 'text/javascript; charset=utf-8',
    read: async () => Buffer.from(script),
  },
};

/** A year: the URL contains the version. */
const immutable = 'public, max-age=31536000, immutable';

const answerOf = (contentType: string, bytes: Buffer, cache: string): Raw => ({
  contentType,
  body: fileBody(bytes),
  cache,
  headers: security,
});

/** Calls `make` at the first use and stores its result; a failure is not stored. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

const group = 'Service' as const;

const fileRoutes = (answers: Readonly<Record<string, () => Promise<Raw>>>): Route[] =>
  Object.entries(answers).map(([path, raw]) =>
    route({
      method: 'GET',
      path,
      group,
      summary: 'A file of the reference page',
      params: {},
      answer: null,
      access: 'open',
      free: true,
      from: { raw },
    }),
  );

/**
 * The reference page: Swagger UI on `/openapi.json`, served by this process alone. The files are read at the first
 * request and stay in memory.
 */
export function referenceRoutes(): { page: Route; files: Route[] } {
  const answers = Object.fromEntries(
    Object.entries(files).map(([path, { contentType, read }]) => [
      path,
      once(async () => answerOf(contentType, await read(), immutable)),
    ]),
  );
  const html = once(async () => {
    const versions = Object.entries(files).map(async ([path, { read }]) => [
      path,
      versionOf(await read()),
    ]);
    const text = pageOf(Object.fromEntries(await Promise.all(versions)));
    return answerOf('text/html; charset=utf-8', Buffer.from(text), 'no-cache');
  });
  const page = route({
    method: 'GET',
    path: '/docs',
    group,
    summary: 'This API as a page to read and to try',
    params: {},
    answer: null,
    produces: 'text/html',
    access: 'open',
    free: true,
    from: { raw: html },
  });
  return { page, files: fileRoutes(answers) };
}
