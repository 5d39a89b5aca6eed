const maxCharacters = 16 * 1024;

/**
 * Keeps the end of what is appended to it: the last 16 Ki characters, without secrets. These are taken out before anything
 * is cut off, or half of one could stay.
 */
export class RecentText {
  readonly #redact: (text: string) => string;
  #text = '';

  /** @param redact - Takes secrets out of a text. */
  constructor(redact: (text: string) => string) {
    this.#redact = redact;
  }

  append(text: string): void {
    this.#text += text;
    if (this.#text.length > 2 * maxCharacters) this.#text = this.#lastPart();
  }

  get text(): string {
    return this.#lastPart().toWellFormed().trimEnd();
  }

  /** The last lines, for the end of a message; empty when there is no text. */
  lastLines(count: number = 5): string {
    return this.text.split('\n').slice(-count).join('\n').slice(-500).toWellFormed();
  }

  #lastPart(): string {
    // Most processes write nothing, and to look for secrets takes some getting ready.
    return this.#text === '' ? '' : this.#redact(this.#text).slice(-maxCharacters);
  }
}
