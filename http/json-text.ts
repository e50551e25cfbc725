/**
 * Data that is JSON text already. Whoever knows this class takes `text`; to `JSON.stringify` it is the data itself, at
 * the price of parsing it.
 */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}
