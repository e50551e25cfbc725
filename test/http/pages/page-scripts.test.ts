/** The scripts of `/docs` in a document that has only what they ask of one. */
import t from 'tap';
import { openapiDocument } from '../../../http/openapi/openapi.ts';
import { routes } from '../../../scripts/docs/routes.ts';

/** An element with its children, attributes and text. */
class Element {
  readonly tag: string;
  readonly attributes = new Map<string, string>();
  readonly children: (Element | string)[] = [];
  hidden = false;

  constructor(tag: string) {
    this.tag = tag;
  }

  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value);
  }

  append(...children: (Element | string)[]): void {
    this.children.push(...children);
  }

  addEventListener(): void {}

  get text(): string {
    return this.children.map((one) => (typeof one === 'string' ? one : one.text)).join('');
  }

  /** Its descendants with a tag that are shown. */
  shown(tag: string): Element[] {
    if (this.hidden) return [];
    const below = this.children.flatMap((one) => (typeof one === 'string' ? [] : one.shown(tag)));
    return this.tag === tag ? [this, ...below] : below;
  }
}

Object.assign(globalThis, {
  document: {
    baseURI: 'http://h/docs',
    documentElement: { dataset: {} },
    createElement: (tag: string) => new Element(tag),
  },
  sessionStorage: { getItem: () => 'tm_live_0123456789', removeItem() {} },
});

interface Reference {
  list: Element[];
  search(text: string): { found: number; all: number };
}
interface Asked {
  method: string;
  path: string;
  headers: [string, string][];
  body: string;
  form: 'json';
  shown: string[];
}
interface Scripts {
  leave(): Promise<void>;
  reference(description: object): Reference;
  masked(request: Asked): Asked;
  coloured(text: string): (Element | string)[];
}

const page = async (name: string): Promise<Partial<Scripts>> =>
  import(new URL(`../../../http/pages/${name}.ts`, import.meta.url).href);
const { reference } = await page('docs/reference');
const { leave } = await page('app/access');
const { masked } = await page('docs/request');
const { coloured } = await page('docs/colours');
const description = openapiDocument(routes, { version: '', streams: true });

t.test(
  'the list at the side has every operation, and the search finds by other words',
  async (t) => {
    const found = reference?.(description);
    if (!found) throw new Error('there is no reference');
    const paths = () =>
      found.list.flatMap((item) => item.shown('li').slice(1)).map(({ text }) => text);
    const methods = Object.values(description.paths).flatMap((item) => Object.keys(item ?? {}));
    const operations = methods.filter((name) => /^(get|post|patch|delete)$/.test(name));
    t.equal(paths().length, operations.length);
    // What a trader would look for, and where it is.
    const meant = {
      kline: '/v1/bars',
      candles: '/v1/bars',
      basis: '/v1/funding-arbitrage',
      whale: '/v1/futures/large-orders',
      vwap: '/v1/indicators',
      'liquidation map': '/v1/liquidations/map',
    };
    for (const [text, path] of Object.entries(meant)) {
      const { found: count, all } = found.search(text);
      t.ok(paths().includes(path), `${text}: ${paths().join(' ')}`);
      t.strictSame([count, all], [paths().length, operations.length], `${text} is counted`);
      t.ok(count < all / 2, `${text} leaves most out`);
    }
    t.match(found.search('zzz'), { found: 0 });
    t.strictSame(paths(), []);
    t.match(found.search(''), { found: operations.length });
  },
);

t.test('a key is hidden in what is shown', async (t) => {
  const headers: Asked['headers'] = [['X-API-Key', '$KEY']];
  const request: Asked = { method: 'GET', path: '/v1', headers, body: '', form: 'json', shown: [] };
  t.strictSame(masked?.(request).headers, [['X-API-Key', 'tm_live_0••••']]);
  await leave?.();
  t.strictSame(masked?.(request).headers, headers, 'without one it stays to be filled in');
});

t.test('an answer in colours is the same text', async (t) => {
  const text = '{\n  "a": [1, -2.5e3, true, null],\n  "b": "x: 1 \\" {true}"\n}';
  const parts = coloured?.(text) ?? [];
  t.equal(parts.map((one) => (typeof one === 'string' ? one : one.text)).join(''), text);
  const kinds = parts.flatMap((one) =>
    typeof one === 'string' ? [] : [[one.text, one.attributes.get('class')]],
  );
  t.strictSame(kinds, [
    ['"a"', 'json-name-of'],
    ['1', 'json-number'],
    ['-2.5e3', 'json-number'],
    ['true', 'json-word'],
    ['null', 'json-word'],
    ['"b"', 'json-name-of'],
    ['"x: 1 \\" {true}"', 'json-string'],
  ]);
  t.strictSame(coloured?.('a,b\n1,2'), ['a,b\n1,2'], 'what is no JSON has none');
});
