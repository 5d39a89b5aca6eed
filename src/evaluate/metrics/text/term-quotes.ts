/** The most texts of which evidence says how they were found. */
const most = 20;
/** The most of them that an explanation names. */
const mostNamed = 3;

/** The words of an answer in which texts were found, or stand only as a part, where these are not the texts themselves. */
export class Quotes {
  readonly #quotes = new Map<string, string>();

  add(text: string, quote: string | undefined): void {
    if (quote !== undefined && this.#quotes.size < most) this.#quotes.set(text, quote);
  }

  /** Returns a text with its quote, such as `legal (only inside “illegal”)`; the text alone when it has none. */
  describe(text: string, how: string): string {
    const quote = this.#quotes.get(text);
    return quote === undefined ? text : `${text} (${how} “${quote}”)`;
  }

  /** Returns the first texts with their quotes: `1299 as “$1,299.00”`; undefined when there are none. */
  describeFirst(): string | undefined {
    const named = Array.from(this.#quotes, ([text, quote]) => `${text} as “${quote}”`).slice(0, mostNamed);
    return named.length === 0 ? undefined : named.join(', ');
  }

  /** Returns the quotes under a name, for evidence; nothing when there are none. */
  as(name: 'foundAs' | 'inside'): { readonly [name: string]: { readonly [text: string]: string } } {
    return this.#quotes.size === 0 ? {} : { [name]: Object.fromEntries(this.#quotes) };
  }
}
