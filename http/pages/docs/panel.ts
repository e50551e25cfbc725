/** A request in three languages, which can be copied and run. */
import { onAccess } from '../app/access.ts';
import { h } from '../app/dom.ts';
import { kept } from '../app/settings.ts';
import { coloured } from './colours.ts';
import { keepTag, masked, sentHeaders, urlOf } from './request.ts';
import { snippets } from './snippets.ts';
import type { Request } from './types.ts';

/** Most characters of an answer that are shown, and of a stream, of which the newest stay. */
const most = { answer: 20_000, stream: 10_000 };

/** Headers of an answer that are shown. */
const shownHeaders = ['age', 'etag', 'ratelimit', 'ignored-parameters'];

function pretty(text: string): string {
  let shown = text;
  try {
    shown = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // CSV, metrics, an event: as they are.
  }
  if (shown.length <= most.answer) return shown;
  return `${shown.slice(0, most.answer)}\n… ${text.length.toLocaleString('en')} characters in all`;
}

/** `took` in ms. */
function outcome({ status, statusText, headers, ok }: Response, took: number): HTMLElement {
  const good = ok || status === 304;
  const given = [...shownHeaders, ...(good ? [] : ['retry-after'])].flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [h('span', {}, `${name}: ${value}`)];
  });
  const result = h('strong', { class: good ? 'good' : 'bad' }, `${status} ${statusText}`.trim());
  return h('p', { class: 'outcome' }, result, h('span', {}, `${Math.round(took)} ms`), ...given);
}

async function follow(body: ReadableStream<Uint8Array<ArrayBuffer>>, into: HTMLElement) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    into.textContent = `${into.textContent}${part.value}`.slice(-most.stream);
    into.scrollTop = into.scrollHeight;
  }
}

/** Sends the request and shows the answer. */
async function run(request: Request, output: HTMLElement, signal: AbortSignal): Promise<void> {
  const { method, path, body, form } = request;
  const init = { method, headers: sentHeaders(request), signal, ...(body !== '' && { body }) };
  const text = h('pre', { tabindex: '0' });
  const began = performance.now();
  try {
    const response = await fetch(urlOf(request), init);
    const tag = response.headers.get('etag');
    if (tag !== null) keepTag(path, tag);
    output.replaceChildren(outcome(response, performance.now() - began), text);
    if (form === 'stream' && response.ok && response.body) await follow(response.body, text);
    else text.replaceChildren(...coloured(pretty(await response.text()) || 'No body.'));
  } catch (error) {
    const reason = signal.aborted ? 'Stopped.' : `No answer: ${error}`;
    output.append(h('p', { class: 'outcome' }, reason));
  }
}

/** `read` gives the lines with the key; in `code` they are shown without. */
function copyButton(read: () => string, code: HTMLElement): HTMLElement {
  const button = h('button', { class: 'quiet' }, 'Copy');
  button.addEventListener('click', async () => {
    // Only pages by https or of this machine have a clipboard; on others the reader copies the selected lines.
    if (navigator.clipboard === undefined) {
      code.textContent = read();
      getSelection()?.selectAllChildren(code);
      return;
    }
    await navigator.clipboard.writeText(read());
    button.textContent = 'Copied';
    setTimeout(() => button.replaceChildren('Copy'), 1500);
  });
  return button;
}

/** `refresh` is called after an answer. */
function runButton(read: () => Request, output: HTMLElement, refresh: () => void): HTMLElement {
  const button = h('button', { class: 'run' }, 'Run');
  let running: AbortController | null = null;
  button.addEventListener('click', async () => {
    if (running !== null) return running.abort();
    running = new AbortController();
    button.textContent = 'Stop';
    output.hidden = false;
    output.replaceChildren(h('p', { class: 'outcome' }, 'Waiting for the answer …'));
    await run(read(), output, running.signal);
    running = null;
    button.textContent = 'Run';
    refresh();
  });
  return button;
}

/** Refreshes of all panels, for when the language is another one. */
const refreshes = new Set<() => void>();
const chosen = kept('language', 'curl');

/** `read` gives the request as it is at present; `refresh` is for when that has changed. */
export function panel(read: () => Request): { node: HTMLElement; refresh(): void } {
  const code = h('code');
  const tabs = Object.keys(snippets).map((language) => {
    const tab = h('button', { class: 'tab' }, language);
    tab.addEventListener('click', () => {
      chosen.set(language);
      for (const one of refreshes) one();
    });
    return tab;
  });
  const language = () => (chosen.get() in snippets ? chosen.get() : 'curl');
  const lines = (request: Request) => snippets[language()]?.(request) ?? '';
  const refresh = () => {
    for (const tab of tabs)
      tab.setAttribute('aria-pressed', String(tab.textContent === language()));
    code.textContent = lines(masked(read()));
  };
  const output = h('div', { class: 'answer', 'aria-live': 'polite' });
  output.hidden = true;
  const copy = copyButton(() => lines(read()), code);
  const bar = h('div', { class: 'bar' }, ...tabs, h('span', { class: 'gap' }));
  bar.append(copy, runButton(read, output, refresh));
  refreshes.add(refresh);
  onAccess(refresh);
  refresh();
  const node = h('div', { class: 'panel' }, bar, h('pre', { tabindex: '0' }, code), output);
  return { node, refresh };
}
