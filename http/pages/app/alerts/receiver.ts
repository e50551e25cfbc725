/** Where an alert is sent to: the fields of the receiver that is chosen. */
import { h, labelled, selectOf, submitButton, textField } from '../dom.ts';
import type { PostAlertsRequest } from '../request.ts';
import { allowNotifications, canNotify, notifies } from './notify.ts';

type Delivery = NonNullable<PostAlertsRequest['deliver']>[number];

const receivers = [
  ['none', 'the list and the stream only'],
  ['webhook', 'a webhook'],
  ['telegram', 'Telegram'],
  ['discord', 'Discord'],
  ['slack', 'Slack'],
] as const;

/** Notifications of this browser, while a page of the dashboard is open. */
function browserChoice(): HTMLElement | null {
  if (!canNotify()) return null;
  const box = h('input', { type: 'checkbox' });
  box.checked = notifies();
  box.addEventListener('change', () => {
    void allowNotifications(box.checked).then((isAllowed) => {
      box.checked = isAllowed;
    });
  });
  return h('label', { class: 'field' }, box, h('span', {}, 'Notify in this browser'));
}

/** The choice of a receiver with its fields, the button of the form and `more`; `read` gives what was chosen. */
export function receiver(more: readonly Node[] = []): { node: HTMLElement; read(): Delivery[] } {
  const url = textField({ type: 'url', placeholder: 'https://…' });
  const token = textField({ type: 'password', placeholder: '123456:ABC…' });
  const chat = textField({ placeholder: '-100…' });
  const fields = {
    url: labelled('Address', url),
    token: labelled('Token of the bot', token),
    chat: labelled('Chat id', chat),
  };
  const select = selectOf(receivers);
  const chosen = () => receivers[select.selectedIndex]?.[0] ?? 'none';
  const show = () => {
    const isTelegram = chosen() === 'telegram';
    fields.token.hidden = !isTelegram;
    fields.chat.hidden = !isTelegram;
    fields.url.hidden = isTelegram || chosen() === 'none';
    token.required = isTelegram;
    chat.required = isTelegram;
    url.required = !fields.url.hidden;
  };
  select.addEventListener('change', show);
  show();
  const node = h(
    'div',
    { class: 'bar' },
    labelled('Send to', select),
    fields.url,
    fields.token,
    fields.chat,
    browserChoice(),
    submitButton('Make an alert'),
    ...more,
  );
  return {
    node,
    read() {
      const type = chosen();
      if (type === 'none') return [];
      if (type === 'telegram')
        return [{ type, token: token.value.trim(), chat_id: chat.value.trim() }];
      return [{ type, url: url.value.trim() }];
    },
  };
}
