/** What a reader without a session sees: what is open to all, and how to get in. */
import { problemOfAccess, signIn } from './access.ts';
import { h, setText } from './dom.ts';

const code = (text: string) => h('code', {}, text);

/** A field for a key or a token; what is wrong with it is said in `words`. */
function form(words: HTMLElement): HTMLElement {
  const field = h('input', {
    id: 'key',
    type: 'password',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: 'tm_live_… or eyJ…',
    required: true,
  });
  const submit = (event: Event) => {
    event.preventDefault();
    if (field.value.trim() === '') return;
    setText(words, '');
    void signIn(field.value).then((problem) => setText(words, problem));
  };
  return h(
    'form',
    { class: 'key', submit },
    h('label', { for: 'key' }, 'API key or token'),
    field,
    h('button', { type: 'submit', class: 'main' }, 'Open'),
    h(
      'p',
      { class: 'soft' },
      'A key stays in this tab and is forgotten with it. A token (JWT) opens a session of this browser that ends with the token; it is kept nowhere.',
    ),
  );
}

export function signInPanel(): HTMLElement {
  const words = h('p', { class: 'problem', role: 'alert' }, problemOfAccess());
  return h(
    'section',
    { class: 'sign-in' },
    h('h1', {}, 'Markets need a session'),
    words,
    h(
      'ol',
      {},
      h(
        'li',
        {},
        'On the machine of the service, open the ',
        h('b', {}, 'Dashboard'),
        ' link that ',
        code('npm start'),
        ' has printed. ',
        code('npm run -s key -- --link'),
        ' prints another one. It signs this browser in once.',
      ),
      h(
        'li',
        {},
        'Elsewhere, use an API key, or the token that your identity provider gives you: with it you can manage keys too.',
        form(words),
      ),
    ),
    h(
      'p',
      { class: 'soft' },
      'Open to all: ',
      h('a', { href: '#/service' }, 'the state of the service'),
      ', ',
      h('a', { href: 'docs' }, 'the API'),
      ' and ',
      h('a', { href: 'v1/indicators/fear-greed' }, 'market indicators as JSON'),
      '.',
    ),
  );
}
