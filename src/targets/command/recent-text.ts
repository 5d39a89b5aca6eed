const maxCharacters = 16 * 1024;

/** Keeps the end of what is appended to it: the last 16 Ki characters. */
export class RecentText {
  #text = '';

  append(text: string): void {
    this.#text = (this.#text + text).slice(-maxCharacters);
  }

  get text(): string {
    return this.#text.toWellFormed().trimEnd();
  }

  /** The last lines, for the end of a message; empty when there is no text. */
  lastLines(count: number = 5): string {
    return this.text.split('\n').slice(-count).join('\n').slice(-500).toWellFormed();
  }
}
