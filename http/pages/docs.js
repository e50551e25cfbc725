/** The page `/docs`: lines that run in the guide, and the reference below it. */
import { byId } from './dom.js';
import { guideSearch } from './guides.js';
import { panel } from './panel.js';
import { errorCodes, reference, tableRow } from './reference.js';
import { parse } from './request.js';
import { change, setting } from './settings.js';

/** @import { Description } from './types.ts' */

/** The fields for credentials. */
function bindCredentials() {
  for (const name of /** @type {const} */ (['key', 'token'])) {
    const box = byId(name, HTMLInputElement);
    box.value = setting(name);
    box.addEventListener('input', () => change(name, box.value.trim()));
  }
}

/** The requests of the guide become panels. */
function bindExamples() {
  for (const pre of document.querySelectorAll('pre.request')) {
    const shown = pre.getAttribute('data-headers')?.split(' ') ?? [];
    const request = parse(pre.textContent ?? '', shown);
    pre.replaceWith(panel(() => request).node);
  }
}

/** The lines that install the clients get the address of this service. */
function showAddress() {
  const lines = byId('install', HTMLElement);
  const base = new URL('.', location.href).href.replace(/\/$/, '');
  lines.textContent = (lines.textContent ?? '').replaceAll('BASE', base);
}

/** Opens and shows what the address names. */
function openTarget() {
  const target = document.getElementById(location.hash.slice(1));
  if (target instanceof HTMLDetailsElement) target.open = true;
  target?.scrollIntoView();
}

/** The list at the side, which a narrow screen shows on demand. */
function bindMenu() {
  const menu = byId('menu', HTMLButtonElement);
  const side = byId('side', HTMLElement);
  const turn = (/** @type {boolean} */ open) => {
    side.classList.toggle('open', open);
    menu.setAttribute('aria-expanded', String(open));
  };
  menu.addEventListener('click', () => turn(!side.classList.contains('open')));
  side.addEventListener('click', ({ target }) => {
    if (target instanceof HTMLAnchorElement) turn(false);
  });
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') turn(false);
  });
}

/** @param {(text: string) => { found: number, all: number }} search */
function bindSearch(search) {
  const box = byId('search', HTMLInputElement);
  const found = byId('found', HTMLElement);
  const showGuides = guideSearch(byId('guides-found', HTMLElement));
  const update = () => {
    showGuides(box.value);
    const { found: count, all } = search(box.value);
    const noun = count === 1 ? 'endpoint' : 'endpoints';
    found.textContent = count === all ? `${all} endpoints` : `${count} ${noun} of ${all}`;
  };
  box.addEventListener('input', update);
  update();
  document.addEventListener('keydown', (event) => {
    const { key, target } = event;
    if (key !== '/' || (target instanceof Element && target.matches('input, select, textarea')))
      return;
    event.preventDefault();
    box.focus();
  });
}

/** @param {Description} description */
function show(description) {
  const { sections, list, search } = reference(description);
  byId('version', HTMLElement).textContent = description.info.version;
  byId('error-codes', HTMLElement).replaceChildren(...errorCodes(description).map(tableRow));
  byId('operations', HTMLElement).replaceChildren(...sections);
  byId('groups', HTMLElement).replaceChildren(...list);
  bindSearch(search);
}

async function load() {
  const response = await fetch('openapi.json');
  if (!response.ok) throw new Error(`openapi.json: ${response.status}`);
  show(await response.json());
  openTarget();
}

bindCredentials();
bindMenu();
bindExamples();
showAddress();
addEventListener('hashchange', openTarget);
load().catch((error) => {
  byId('operations', HTMLElement).textContent = `The description cannot be read: ${error.message}`;
});
