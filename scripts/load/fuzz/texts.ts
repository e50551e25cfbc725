/** The words of a text. */
const words = (text: string): string[] => text.trim().split(/\s+/);

/** Values that parsers trip over. Visible ASCII only: in a URL they leave the request well formed. */
export const oddValues: readonly [string, ...string[]] = [
  '',
  ...words(`
    % %z %zz %00 %0d%0aset-cookie:%20a=b %c0%ae%c0%ae %ff%fe %ed%a0%80 %F0%9F%92%A9 %u0041 %2525252e
    ..%2f..%2fetc%2fpasswd '%20OR%201=1-- <script>alert(1)</script> {{7*7}} -0 -1 0 00 1. .5 1e309 -1e-400
    0x10 1_000 NaN Infinity null undefined true [] {} [object%20Object] __proto__ constructor toString
    hasOwnProperty ; + %20 %09 *`),
  '$' + '{7*7}',
  '9'.repeat(400),
  'a'.repeat(2_000),
];

/** Bytes that may not stand in a URL or a header as they are. */
export const rawBytes: readonly [string, ...string[]] = [
  '\0',
  '\r',
  '\n',
  '\t',
  ' ',
  '\x7f',
  '\x80',
  '\xff\xfe',
  Buffer.from('é\u{1f4a9}\u202e').toString('latin1'),
];

export const oddMethods: readonly [string, ...string[]] = [
  '',
  ...words('PUT PATCH TRACE CONNECT PROPFIND PRI get Get G GETT __proto__'),
  'X'.repeat(300),
];

export const oddPaths: readonly [string, ...string[]] = [
  '/',
  ...words(`
    // /. /.. /../../../etc/passwd /%2e%2e/%2e%2e/etc/passwd /v1 /v1/ /v1//prices /v1/./prices /V1/PRICES
    /v1/prices/ /v1/prices;a=b /v1/%70rices /v1/prices%00 /: /* /__proto__ /constructor/prototype
    /.well-known/ /docs/..%2fpackage.json /docs/../package.json`),
  `/${'a/'.repeat(900)}`,
  `/${'%61'.repeat(900)}`,
  `/${'a'.repeat(6_000)}`,
];

export const versions: readonly [string, ...string[]] = [
  '',
  ...words('HTTP/1.0 HTTP/0.9 HTTP/1.2 HTTP/2.0 HTTP/11 http/1.1 HTTP/1. ICY'),
  'HTTP/1.1 ',
];

export const oddBodies: readonly [string, ...string[]] = [
  '',
  '{',
  '{"name":',
  '{"name":"a","name":"b"}',
  '{"__proto__":{"polluted":true},"name":"a"}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"name":null}',
  '{"name":1e400}',
  '{"name":"\\ud800"}',
  '{"name":"\\u0000"}',
  `{"name":"${'a'.repeat(3_000)}"}`,
  '[]',
  'null',
  '"text"',
  'NaN',
  '\xff\xfe{"a":1}',
  `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
  'x'.repeat(70_000),
];

export const oddLengths: readonly [string, ...string[]] = [
  '',
  ...words('-1 +5 0x5 1e3 abc 99999999999999999999 4294967296 65537'),
  '5, 5',
  '5 5',
];

export const oddChunks: readonly [string, ...string[]] = [
  'zz\r\nabc\r\n0\r\n\r\n',
  '-1\r\nabc\r\n0\r\n\r\n',
  'ffffffffffffffff1\r\nabc\r\n0\r\n\r\n',
  '3;ext=1\r\nabc\r\n0\r\n\r\n',
  '3\nabc\n0\n\n',
  '3\r\nabcdef\r\n0\r\n\r\n',
  '0\r\ntrailer: x\r\n\r\n',
  `${'1\r\na\r\n'.repeat(500)}0\r\n\r\n`,
  '20000\r\n',
];

/** Header lines, each whole. */
export const oddHeaders: readonly [string, ...string[]] = [
  'host: y',
  'Host : z',
  ': nameless',
  'no colon',
  ' folded: line',
  'a:',
  '\xe9: \xe9',
  'nul: a\0b',
  'cr: a\rb',
  'lf: a\nb',
  'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
  'expect: 100-continue',
  'range: bytes=0-9999999999',
  'if-none-match: *',
  'if-none-match: W/"',
  `if-none-match: ${'"a",'.repeat(500)}`,
  'origin: null',
  'origin: http://\xff',
  'x-api-key: tm_live_0',
  `x-api-key: ${'k'.repeat(2_000)}`,
  'x-api-key: __proto__',
  'authorization: Bearer',
  'authorization: Bearer a.b.c',
  'authorization: Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.',
  `authorization: Basic ${'A'.repeat(1_500)}`,
  `idempotency-key: ${'i'.repeat(1_000)}`,
  'accept-encoding: gzip;q=nan, br;q=-1, *;q=999',
  'x-forwarded-for: 1.2.3.4, ::1, <script>',
  'forwarded: for="[::1',
  'content-length: 3',
  'transfer-encoding: identity',
];
