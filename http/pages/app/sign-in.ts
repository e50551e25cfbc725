/** What a reader without a session sees: what is open to all, and how to get in. */
import { useKey } from './access.ts';
import { h } from './dom.ts';

const code = (text: string) => h('code', {}, text);

export function signInPanel(problem: string | null): HTMLElement {
  const field = h('input', {
    id: 'key',
    type: 'password',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: 'tm_live_…',
    required: true,
  });
  const form = h(
    'form',
    {
      class: 'key',
      submit: (event) => {
        event.preventDefault();
        if (field.value.trim() !== '') useKey(field.value);
      },
    },
    h('label', { for: 'key' }, 'API key'),
    field,
    h('button', { type: 'submit', class: 'main' }, 'Open'),
    h('p', { class: 'soft' }, 'It stays in this tab and is forgotten with it.'),
  );
  return h(
    'section',
    { class: 'sign-in' },
    h('h1', {}, 'Markets need a session'),
    problem === null
      ? null
      : h('p', { class: 'problem', role: 'alert' }, `The link did not work: ${problem}. `),
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
      h('li', {}, 'Elsewhere, use an API key.', form),
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
