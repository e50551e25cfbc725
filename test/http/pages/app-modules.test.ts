/** What the dashboard's scripts write: numbers, addresses, lines for a shell and files. */
import { execFileSync } from 'node:child_process';
import t from 'tap';

/** An element, as far as these scripts ask for one. */
class Element {
  readonly listeners = new Map<string, () => void>();
  textContent = '';
  append(): void {}
  setAttribute(): void {}
  addEventListener(name: string, listener: () => void): void {
    this.listeners.set(name, listener);
  }
  click(): void {
    this.listeners.get('click')?.();
  }
}
Object.assign(globalThis, {
  document: {
    baseURI: 'https://host/app',
    documentElement: { dataset: {} },
    createElement: () => new Element(),
    addEventListener() {},
  },
  sessionStorage: { getItem: () => null },
  location: { hash: '' },
  ResizeObserver: class {},
  matchMedia: () => new Element(),
  // The stream's own look at its connection must not keep the test.
  setInterval: () => 0,
});

const load = (name: string) =>
  import(new URL(`../../../http/pages/app/${name}.ts`, import.meta.url).href);
const format = await load('format');
const { placeOf, hashOf } = await load('place');
const { curlOf } = await load('api');
const { csvButton, fileOf } = await load('panel');

t.test('large amounts: what rounds to a thousand of a letter is one of the next', async (t) => {
  for (const [value, text] of [
    [999_960, '1.00 M'],
    [999_949, '999.9 K'],
    [-999_960, '−1.00 M'],
    [999_960_000, '1.00 B'],
    [999_970_000_000, '1.00 T'],
    [999.6, '1.00 K'],
    [999.4, '999'],
    [1_000, '1.00 K'],
    [99.5, '99.50'],
    [0, '0'],
  ] as const)
    t.equal(format.compact(value), text, String(value));
});

t.test('what a division by zero gives is a dash, and no number', async (t) => {
  for (const value of [NaN, Infinity, -Infinity, null])
    for (const form of [format.compact, format.percent, format.price])
      t.equal(form(value), format.dash, `${value}`);
  t.equal(format.fixed(0 / 0, 2), format.dash);
});

t.test('a strike has the digits that it has', async (t) => {
  for (const [strike, text] of [
    [0.525, '0.525'],
    [60_000, '60,000'],
    [2.25, '2.25'],
    [1e-7, '0.0000001'],
  ] as const)
    t.equal(format.plain(strike), text);
});

t.test('an address that is no encoded text is taken as it stands', async (t) => {
  t.match(placeOf('#/symbol/%'), { page: 'symbol', about: '%' });
  t.match(placeOf('#/symbol/%E5%B8%81?kind=spot'), { about: '币' });
  t.equal(placeOf(hashOf(placeOf('#/symbol/%'))).about, '%', 'and leads there again');
});

/** The words that a shell makes of a line, without running it. */
const wordsOf = (line: string): string[] =>
  execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\nKEY=k\n${line}`])
    .toString()
    .split('\0')
    .slice(0, -1);

t.test('a line for a shell: nothing in a path or a body is evaluated', async (t) => {
  // The module is that of the whole process: it keeps the address of the page that loaded it first.
  const [plain = ''] = wordsOf(curlOf('/v1/x', false));
  t.match(plain, /^https?:\/\/[\w.:]+\/v1\/x$/);
  for (const text of [
    `'; echo HACKED; '`,
    '$(id)',
    '`id`',
    '"x"',
    '\\',
    'a\nb',
    "it's",
    '&;|<>*',
  ]) {
    t.strictSame(wordsOf(curlOf(`/v1/x?exchange=${text}`, false)), [`${plain}?exchange=${text}`]);
    const sent = wordsOf(curlOf('/v1/x', true, text));
    t.strictSame(sent.slice(0, 2), ['-H', 'x-api-key: k']);
    t.strictSame(sent.slice(4), ['-d', text, plain]);
  }
});

t.test('a file has the fields of the answer in its units, and no formula', async (t) => {
  const rows = [
    { symbol: '=HYPERLINK("x")', rate_8h: 0.0001, change_percent: -1.5, long: { exchange: 'a' } },
    { symbol: '+1', change_percent: null, tags: ['x', 'y'], long: { exchange: 'b' } },
  ];
  const saved: Blob[] = [];
  // The file is given back later.
  t.intercept(globalThis, 'setTimeout', { value: () => 0 });
  t.intercept(URL, 'createObjectURL', {
    value: (blob: Blob) => {
      saved.push(blob);
      return '';
    },
  });
  csvButton('file', () => fileOf(rows)).click();
  const bytes = Buffer.from(await (saved[0] ?? new Response()).arrayBuffer());
  t.equal(bytes.toString('hex', 0, 3), 'efbbbf', 'Excel reads it as UTF-8');
  t.equal(
    bytes.toString('utf8', 3),
    [
      'symbol,rate_8h,change_percent,long.exchange,tags',
      `"'=HYPERLINK(""x"")",0.0001,-1.5,a,`,
      '+1,,,b,"[""x"",""y""]"',
      '',
    ].join('\r\n'),
  );
  t.strictSame(fileOf([]), [[]]);
});
