/** Chromium without a window, by its own protocol: https://chromedevtools.github.io/devtools-protocol/ */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './until.ts';

/** Longest wait for what a page shows, ms: a call may be the first of its kind on a machine with much to do. */
const patience = 60_000;

/** What the browser says of an event. */
export type EventParams = Readonly<Record<string, unknown>>;

interface Message {
  id?: number;
  method?: string;
  params?: EventParams & {
    exceptionDetails?: object;
    entry?: { source: string; level: string; text: string; url?: string };
  };
  result?: Record<string, unknown>;
  error?: { message: string };
}

/** The program; null where it is not installed. */
export function chromiumProgram(): string | null {
  try {
    const found = execFileSync('sh', ['-c', 'command -v chromium || command -v google-chrome']);
    return found.toString().trim();
  } catch {
    return null;
  }
}

/** A page of a running browser. Elements are named by CSS selectors. */
export class Page {
  /** Exceptions of its scripts, and what its policy has forbidden. */
  readonly faults: string[] = [];
  /** Errors of its console. */
  readonly errors: string[] = [];
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (answer: Message) => void>();
  readonly #listeners = new Map<string, (params: EventParams) => void>();
  #count = 0;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#take(JSON.parse(String(data))));
  }

  /** Calls back with each event of a name, such as `Network.loadingFinished`; its part has to be enabled. */
  on(method: string, listener: (params: EventParams) => void): void {
    this.#listeners.set(method, listener);
  }

  #take({ id, params, ...answer }: Message): void {
    if (id !== undefined) this.#waiting.get(id)?.(answer);
    if (params !== undefined) this.#listeners.get(answer.method ?? '')?.(params);
    if (params?.exceptionDetails) this.faults.push(JSON.stringify(params.exceptionDetails));
    if (params?.entry?.source === 'security') this.faults.push(params.entry.text);
    if (params?.entry?.level === 'error')
      this.errors.push(`${params.entry.text} ${params.entry.url ?? ''}`);
  }

  async send(method: string, params: object = {}): Promise<Record<string, unknown>> {
    this.#count += 1;
    const id = this.#count;
    const { promise, resolve } = Promise.withResolvers<Message>();
    this.#waiting.set(id, resolve);
    this.#socket.send(JSON.stringify({ id, method, params }));
    const { result = {}, error } = await promise;
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  /** The value of an expression in the page, as text. */
  async read(expression: string): Promise<string> {
    const asked = { expression: `String(${expression})`, awaitPromise: true };
    const { result } = await this.send('Runtime.evaluate', asked);
    return String(Object(result).value);
  }

  /** The text of an element; empty while there is none. */
  text = (selector: string): Promise<string> =>
    this.read(`document.querySelector(${JSON.stringify(selector)})?.textContent ?? ''`);

  /** The text of an element, once it matches. */
  async shows(selector: string, pattern: RegExp): Promise<string> {
    let text = '';
    const matches = async () => {
      text = await this.text(selector);
      return pattern.test(text);
    };
    await until(matches, `${selector} shows ${pattern}`, patience, 50);
    return text;
  }

  /** Opens an address, or the same one again. */
  async open(url: string): Promise<void> {
    await this.send('Page.navigate', { url });
    const loaded = `document.readyState === 'complete' && location.href === ${JSON.stringify(url)}`;
    await until(async () => (await this.read(loaded)) === 'true', url, patience, 50);
  }

  /** Presses and releases the mouse on an element, once it is there and uncovered. */
  async click(selector: string): Promise<void> {
    const place = `(() => {
      const found = document.querySelector(${JSON.stringify(selector)});
      if (found === null) return '';
      found.scrollIntoView({ block: 'center', behavior: 'instant' });
      const { x, y, width, height } = found.getBoundingClientRect();
      const at = [x + width / 2, y + height / 2];
      return found.contains(document.elementFromPoint(...at)) ? at.join() : '';
    })()`;
    let found = '';
    const isThere = async () => {
      found = await this.read(place);
      return found !== '';
    };
    await until(isThere, `${selector} can be clicked`, patience, 50);
    const [x = 0, y = 0] = found.split(',').map(Number);
    const at = { x, y, button: 'left', clickCount: 1 };
    await this.send('Input.dispatchMouseEvent', { ...at, type: 'mousePressed' });
    await this.send('Input.dispatchMouseEvent', { ...at, type: 'mouseReleased' });
  }

  /** Types into a field. */
  async type(selector: string, text: string): Promise<void> {
    await this.click(selector);
    await this.send('Input.insertText', { text });
  }

  /** Writes a picture (PNG) of what is seen. */
  async picture(file: string): Promise<void> {
    const { data } = await this.send('Page.captureScreenshot', { optimizeForSpeed: true });
    writeFileSync(file, Buffer.from(String(data), 'base64'));
  }
}

/** Its processes end with it when it is asked to end, and may write to its folder until they have. */
async function stop(child: ChildProcess, folder: string): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const last = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await gone;
  clearTimeout(last);
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}

/** Starts the browser with a page of a size and hands the page to `use`. */
export async function withPage(
  { program, width, height }: { program: string; width: number; height: number },
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-chromium-'));
  // Its sandbox does not work for root.
  const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0'];
  const child = spawn(program, [...flags, `--user-data-dir=${folder}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    await until(() => said.includes('listening on ws://'), 'the browser has started', patience);
    const host = /ws:\/\/([\d.:]+)/.exec(said)?.[1] ?? '';
    const made = await fetch(`http://${host}/json/new`, { method: 'PUT' });
    const { webSocketDebuggerUrl: url } = JSON.parse(await made.text());
    const socket = new WebSocket(url);
    await once(socket, 'open');
    const page = new Page(socket);
    for (const part of ['Page', 'Runtime', 'Log']) await page.send(`${part}.enable`);
    const size = { width, height, deviceScaleFactor: 1, mobile: width < 600 };
    await page.send('Emulation.setDeviceMetricsOverride', size);
    await use(page);
  } finally {
    await stop(child, folder);
  }
}
