/** Chains, stablecoins, lending, pools, and what a wallet holds. */
import { choice, h, labelled } from '../dom.ts';
import { blank, chosenPart, type Part, Slot, showParts } from '../part.ts';
import { choose } from '../place.ts';
import { chainsPart, hotPart, stablecoinsPart, supplyPart } from './chains.ts';
import { exchanges, poolsPart, searchPart } from './dex.ts';
import { assetsPart, protocolsPart, ratesPart } from './lending.ts';
import { flowsPart, indicatorOf } from './past.ts';
import { chains, walletPart } from './wallet.ts';

/** A field with a button; what was asked stands in a place beside it. */
function question(
  words: string,
  {
    value,
    about,
    act,
    more = [],
  }: { value: string; about: string; act: string; more?: readonly Node[] },
  ask: (text: string) => void,
): HTMLElement {
  const field = h('input', { value, placeholder: about, spellcheck: 'false', required: true });
  return h(
    'form',
    {
      class: 'bar',
      submit: (event) => {
        event.preventDefault();
        if (field.value.trim() !== '') ask(field.value.trim());
      },
    },
    labelled(words, field),
    ...more,
    h('button', { type: 'submit', class: 'main' }, act),
  );
}

function wallet(chosen: URLSearchParams): { form: HTMLElement; place: Slot } {
  const asked = {
    address: chosen.get('address') ?? '',
    chain: chains.find((one) => one === chosen.get('chain')) ?? 'ethereum',
  };
  const place = new Slot(null, asked.address === '' ? 'small' : '');
  const show = () =>
    place.show(() =>
      asked.address === ''
        ? blank('Enter an address to see what it holds.')
        : walletPart(asked.address, asked.chain),
    );
  show();
  const names = chains.map((one) => [one, one] as const);
  const chain = choice('Chain', names, {
    chosen: asked.chain,
    choose(next) {
      asked.chain = next;
    },
  });
  const about = {
    value: asked.address,
    about: '0x…, bc1…, or of Solana',
    act: 'Read',
    more: [chain],
  };
  const form = question('Wallet', about, (address) => {
    asked.address = address;
    choose({ ...asked });
    show();
  });
  return { form, place };
}

function search(chosen: URLSearchParams): { form: HTMLElement; place: Slot } {
  const value = chosen.get('token') ?? '';
  const place =
    value === ''
      ? new Slot(() => blank('Enter a token to see its pairs on every chain.'), 'small')
      : new Slot(() => searchPart(value));
  const form = question('Token', { value, about: 'Name or address', act: 'Search' }, (token) => {
    choose({ token });
    place.show(() => searchPart(token));
  });
  return { form, place };
}

const pools = (): Part =>
  chosenPart('Exchange', exchanges, {
    name: 'dex',
    kind: 'whole',
    make: (dex, control) => poolsPart(dex, [control]),
  });

/** Shows the page in an element; ends with the function that is returned. */
export function open(into: HTMLElement, _about: string, chosen: URLSearchParams): () => void {
  into.append(h('h1', {}, 'On-chain and DeFi'));
  const ends = [
    showParts(into, [
      chainsPart(),
      stablecoinsPart(),
      supplyPart(),
      indicatorOf('stablecoin-mcap'),
      hotPart(),
      flowsPart(),
    ]),
  ];
  into.append(h('h2', {}, 'Lending'));
  ends.push(
    showParts(into, [
      assetsPart(),
      ratesPart(),
      indicatorOf('borrow-interest-rate'),
      protocolsPart(),
    ]),
  );
  const [held, found] = [wallet(chosen), search(chosen)];
  into.append(h('h2', {}, 'Pools, tokens and wallets'));
  ends.push(showParts(into, [pools()]));
  into.append(h('div', { class: 'bar' }, found.form, held.form));
  ends.push(showParts(into, [found.place, held.place]));
  return () => {
    for (const end of ends) end();
  };
}
