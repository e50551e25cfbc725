/** The page `/docs`: lines that run in the guide, and the reference below it. */
import {
  enter,
  isOpen,
  leave,
  mayRead,
  onAccess,
  problemOfAccess,
  signIn,
  who,
} from '../app/access.ts';
import { byId, setText } from '../app/dom.ts';
import { guideSearch } from './guides.ts';
import { panel } from './panel.ts';
import { errorCodes, reference, tableRow } from './reference.ts';
import { parse } from './request.ts';
import type { Description } from './types.ts';

/** The way in and out, which is that of the dashboard. */
async function bindAccess() {
  const [way, out] = [byId('way-in', HTMLFormElement), byId('account', HTMLButtonElement)];
  const [box, words] = [byId('key', HTMLInputElement), byId('refusal', HTMLElement)];
  const show = () => {
    way.hidden = isOpen || mayRead();
    out.hidden = isOpen || !mayRead();
    out.title = `Signed in as ${who()}`;
    setText(words, problemOfAccess() ?? '');
  };
  way.addEventListener('submit', (event) => {
    event.preventDefault();
    void signIn(box.value).then((problem) => setText(words, problem));
  });
  out.addEventListener('click', () => void leave().catch(() => {}));
  onAccess(show);
  await enter();
  show();
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
  const turn = (open: boolean) => {
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

function bindSearch(search: (text: string) => { found: number; all: number }) {
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

function show(description: Description) {
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

void bindAccess();
bindMenu();
bindExamples();
showAddress();
addEventListener('hashchange', openTarget);
load().catch((error) => {
  byId('operations', HTMLElement).textContent = `The description cannot be read: ${error.message}`;
});
