/** The frame of the dashboard: who is signed in, which page is shown, and the state of the connection. */
import { enter, isOpen, leave, mayRead, onAccess, problemOfAccess, signIn, who } from './access.ts';
import { byId, h, refill, setText } from './dom.ts';
import { onLink } from './link.ts';
import { placeOf } from './place.ts';
import { kept, zone } from './settings.ts';
import { reconnect } from './stream.ts';

/** A page: it fills its element, and gives what ends it. */
interface PageModule {
  open(into: HTMLElement, about: string, chosen: URLSearchParams): () => void;
}

interface Page {
  name: string;
  shown: string;
  /** It shows something to a reader without a key. */
  open?: true;
  load(): Promise<PageModule>;
}

const pages: readonly Page[] = [
  { name: 'markets', shown: 'Markets', load: () => import('./markets/page.ts') },
  { name: 'symbol', shown: 'Symbol', load: () => import('./symbol/page.ts') },
  { name: 'funding', shown: 'Funding', load: () => import('./funding/page.ts') },
  { name: 'liquidations', shown: 'Liquidations', load: () => import('./liquidations/page.ts') },
  { name: 'options', shown: 'Options', load: () => import('./options/page.ts') },
  { name: 'market', shown: 'Market', open: true, load: () => import('./market/page.ts') },
  { name: 'onchain', shown: 'On-chain', load: () => import('./onchain/page.ts') },
  { name: 'service', shown: 'Service', open: true, load: () => import('./service/page.ts') },
  { name: 'alerts', shown: 'Alerts', load: () => import('./alerts/page.ts') },
  { name: 'keys', shown: 'Keys', load: () => import('./keys/page.ts') },
];

/** Pages of an account: where access is open there are none. */
const ofAccounts: ReadonlySet<string> = new Set(['alerts', 'keys']);

/** The page of a name; the first where none has it. */
const pageOf = (name: string): Page | undefined =>
  pages.find((one) => one.name === name) ?? pages[0];

const content = byId('content', HTMLElement);
let end: () => void = () => {};
/** Counts what was opened: a page that loads slowly does not replace a later one. */
let opened = 0;
/** The page that was shown last, and what it was about. */
let last = '';

function showNav(current: string): void {
  const shown = pages.filter((one) => !(isOpen && ofAccounts.has(one.name)));
  const links = shown.map(({ name, shown }) => {
    const attributes = { href: `#/${name}`, 'aria-current': name === current ? 'page' : false };
    return h('a', attributes, shown);
  });
  byId('nav', HTMLElement).replaceChildren(...links, h('a', { href: 'docs' }, 'API'));
  // Where the screen is narrow the bar scrolls. At the next frame, which lays out all the same.
  const own = links.find((link) => link.ariaCurrent !== null);
  requestAnimationFrame(() => own?.scrollIntoView({ block: 'nearest', inline: 'center' }));
}

/** What a reader without a session sees: what is open to all, and a field for a key or a token. */
function showWayIn(): void {
  content.replaceChildren(byId('sign-in', HTMLTemplateElement).content.cloneNode(true));
  const field = byId('key', HTMLInputElement);
  const words = content.querySelector('.problem') ?? content;
  setText(words, problemOfAccess() ?? '');
  field.form?.addEventListener('submit', (event) => {
    event.preventDefault();
    if (field.value.trim() === '') return;
    setText(words, '');
    void signIn(field.value).then((problem) => setText(words, problem));
  });
}

async function show(): Promise<void> {
  const { page: name, about, chosen } = placeOf(location.hash);
  const page = pageOf(name);
  if (page === undefined) return;
  opened += 1;
  const turn = opened;
  end();
  end = () => {};
  showNav(page.name);
  document.title = `${about === '' ? page.shown : about} · Tidemark`;
  if (!mayRead() && !page.open) {
    showWayIn();
    return;
  }
  const into = h('div', { class: `page ${page.name}` });
  try {
    const { open } = await page.load();
    if (turn !== opened) return;
    refill(content, () => {
      content.replaceChildren(into);
      end = open(into, about, chosen);
    });
    // Another page begins at its top; other choices on the same one leave the reader in place.
    const next = `${page.name} ${about}`;
    if (next !== last) content.scrollTop = 0;
    last = next;
  } catch (error) {
    if (turn !== opened) return;
    const why = error instanceof Error ? error.message : String(error);
    const again = h('button', { class: 'main', click: () => location.reload() }, 'Load again');
    content.replaceChildren(
      h(
        'div',
        { class: 'empty', role: 'alert' },
        h('h1', {}, 'This page did not load'),
        h('p', {}, why),
        again,
      ),
    );
  }
}

const links = { live: 'Live', connecting: 'Connecting…', offline: 'Offline' } as const;

function showLink(): void {
  const link = byId('link', HTMLElement);
  onLink((state) => {
    link.className = `link ${state}`;
    // Without a key there is no stream, and nothing to say while the service answers.
    setText(link, mayRead() || state === 'offline' ? links[state] : '');
  });
}

function showAccount(): void {
  const button = byId('account', HTMLButtonElement);
  const name = who();
  button.hidden = isOpen || name === null;
  setText(button, 'Sign out');
  button.title = `Signed in as ${name}`;
}

function showZone(): void {
  const button = byId('zone', HTMLButtonElement);
  setText(button, zone.get() === 'UTC' ? 'UTC' : 'Local');
  button.title =
    zone.get() === 'UTC' ? 'Times are UTC; show local ones' : 'Times are local; show UTC';
}

/** Opens the search for a symbol; the first time it is loaded. */
const find = (): void => void import('./switcher.ts').then(({ openSwitcher }) => openSwitcher());

/** `/` opens the search where the page has none of its own and nothing is written. */
function findByKey(event: KeyboardEvent): void {
  const { target, key, ctrlKey, metaKey, altKey } = event;
  const isField = target instanceof Element && target.matches('input, select, textarea');
  if (key !== '/' || isField || ctrlKey || metaKey || altKey || !mayRead()) return;
  if (event.defaultPrevented) return;
  event.preventDefault();
  find();
}

function showFind(): void {
  byId('find', HTMLButtonElement).hidden = !mayRead();
}

async function begin(): Promise<void> {
  showLink();
  showZone();
  byId('zone', HTMLButtonElement).addEventListener('click', () => {
    zone.set(zone.get() === 'UTC' ? 'local' : 'UTC');
    showZone();
    // The press is answered before the page is drawn anew.
    requestAnimationFrame(() => setTimeout(() => void show()));
  });
  byId('account', HTMLButtonElement).addEventListener('click', () => {
    void leave().catch(() => {});
  });
  byId('find', HTMLButtonElement).addEventListener('click', find);
  // After the page's own: the search of Markets is on it.
  addEventListener('keydown', findByKey);
  // Its scripts come while the service is asked who reads. Where they do not, showing it says so.
  void pageOf(placeOf(location.hash).page)
    ?.load()
    .catch(() => {});
  await enter();
  reconnect();
  onAccess(() => {
    showAccount();
    showFind();
    reconnect();
    void show();
  });
  showAccount();
  showFind();
  if (kept('notify', false).get() && mayRead())
    void import('./alerts/notify.ts').then(({ followFired }) => followFired());
  addEventListener('hashchange', () => {
    // A link that signs in, opened where the page is already.
    if (location.hash.startsWith('#code=')) location.reload();
    else void show();
  });
  await show();
}

// The address of the link that leads past the bar must not change the page.
document.querySelector('.skip')?.addEventListener('click', (event) => {
  event.preventDefault();
  content.focus();
});
void begin();
