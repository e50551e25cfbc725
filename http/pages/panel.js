/** A request in three languages, which can be copied and run. */
import { coloured } from './colours.js';
import { element } from './dom.js';
import { keepTag, masked, sentHeaders, urlOf } from './request.js';
import { change, onChange, setting } from './settings.js';
import { snippets } from './snippets.js';

/** @import { Request } from './types.ts' */

/** Most characters of an answer that are shown, and of a stream, of which the newest stay. */
const most = { answer: 20_000, stream: 10_000 };

/** Headers of an answer that are shown. */
const shownHeaders = ['age', 'etag', 'ratelimit', 'ignored-parameters'];

/** @param {string} text */
function pretty(text) {
  let shown = text;
  try {
    shown = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // CSV, metrics, an event: as they are.
  }
  if (shown.length <= most.answer) return shown;
  return `${shown.slice(0, most.answer)}\n… ${text.length.toLocaleString('en')} characters in all`;
}

/** @param {Response} response @param {number} took ms */
function outcome({ status, statusText, headers, ok }, took) {
  const good = ok || status === 304;
  const given = [...shownHeaders, ...(good ? [] : ['retry-after'])].flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [element('span', {}, `${name}: ${value}`)];
  });
  const result = element(
    'strong',
    { class: good ? 'good' : 'bad' },
    `${status} ${statusText}`.trim(),
  );
  return element(
    'p',
    { class: 'outcome' },
    result,
    element('span', {}, `${Math.round(took)} ms`),
    ...given,
  );
}

/** @param {ReadableStream<Uint8Array<ArrayBuffer>>} body @param {HTMLElement} into */
async function follow(body, into) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    into.textContent = `${into.textContent}${part.value}`.slice(-most.stream);
    into.scrollTop = into.scrollHeight;
  }
}

/**
 * Sends the request and shows the answer.
 *
 * @param {Request} request
 * @param {HTMLElement} output
 * @param {AbortSignal} signal
 */
async function run(request, output, signal) {
  const { method, path, body, form } = request;
  const init = { method, headers: sentHeaders(request), signal, ...(body !== '' && { body }) };
  const text = element('pre', { tabindex: '0' });
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
    output.append(element('p', { class: 'outcome' }, reason));
  }
}

/** @param {() => string} read The lines with the credentials. @param {HTMLElement} code Where they are shown without. */
function copyButton(read, code) {
  const button = element('button', { type: 'button', class: 'quiet' }, 'Copy');
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

/** @param {() => Request} read @param {HTMLElement} output @param {() => void} refresh After an answer. */
function runButton(read, output, refresh) {
  const button = element('button', { type: 'button', class: 'run' }, 'Run');
  /** @type {AbortController | null} */
  let running = null;
  button.addEventListener('click', async () => {
    if (running !== null) return running.abort();
    running = new AbortController();
    button.textContent = 'Stop';
    output.hidden = false;
    output.replaceChildren(element('p', { class: 'outcome' }, 'Waiting for the answer …'));
    await run(read(), output, running.signal);
    running = null;
    button.textContent = 'Run';
    refresh();
  });
  return button;
}

/**
 * @param {() => Request} read The request as it is at present.
 * @returns {{ node: HTMLElement, refresh: () => void }} `refresh` after the request has changed.
 */
export function panel(read) {
  const code = element('code');
  const tabs = Object.keys(snippets).map((language) => {
    const tab = element('button', { type: 'button', class: 'tab' }, language);
    tab.addEventListener('click', () => change('language', language));
    return tab;
  });
  const language = () => (setting('language') in snippets ? setting('language') : 'curl');
  const lines = (/** @type {Request} */ request) => snippets[language()]?.(request) ?? '';
  const refresh = () => {
    for (const tab of tabs)
      tab.setAttribute('aria-pressed', String(tab.textContent === language()));
    code.textContent = lines(masked(read()));
  };
  const output = element('div', { class: 'answer', 'aria-live': 'polite' });
  output.hidden = true;
  const copy = copyButton(() => lines(read()), code);
  const bar = element('div', { class: 'bar' }, ...tabs, element('span', { class: 'gap' }));
  bar.append(copy, runButton(read, output, refresh));
  onChange(refresh);
  refresh();
  const node = element(
    'div',
    { class: 'panel' },
    bar,
    element('pre', { tabindex: '0' }, code),
    output,
  );
  return { node, refresh };
}
