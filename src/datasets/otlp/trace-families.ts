import type { Attributes, Span } from '../../schema/recorded-trace.ts';

/** The conversation that attributes say they belong to. */
export function conversationOf(attributes: Attributes): string | undefined {
  const id = attributes['gen_ai.conversation.id'];
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** The conversation that a span says it belongs to, itself or in what happened in it. */
export function conversationOfSpan({ attributes, events }: Span): string | undefined {
  const own = conversationOf(attributes);
  if (own !== undefined || events.length === 0) return own;
  return events.map((event) => conversationOf(event.attributes)).find((id) => id !== undefined);
}

/** Which traces belong together because they are of one conversation, and how many items of each are still to come. */
export class TraceFamilies {
  /** The number of each trace and each conversation. */
  readonly #numbers = new Map<string, number>();
  /** For each number one that it was joined to; its own when it stands for its family. */
  readonly #joined: number[] = [];
  readonly #left: number[] = [];

  /** Counts an item of a trace. */
  add(traceId: string, conversationId: string | undefined): void {
    const trace = this.#numberOf(`trace ${traceId}`);
    if (conversationId === undefined) {
      this.#count(this.#find(trace), 1);
      return;
    }
    const [one, other] = [this.#find(trace), this.#find(this.#numberOf(`conversation ${conversationId}`))];
    this.#count(one, 1);
    if (one === other) return;
    this.#joined[other] = one;
    this.#count(one, this.#left[other] ?? 0);
  }

  /** The number of the family that a trace is of. */
  familyOf(traceId: string): number {
    return this.#find(this.#numberOf(`trace ${traceId}`));
  }

  /** Takes an item off what is to come of a family; says whether it was the last. */
  isLast(family: number): boolean {
    this.#count(family, -1);
    return this.#left[family] === 0;
  }

  #numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const number = this.#joined.length;
    this.#numbers.set(name, number);
    this.#joined.push(number);
    this.#left.push(0);
    return number;
  }

  #count(family: number, items: number): void {
    this.#left[family] = (this.#left[family] ?? 0) + items;
  }

  #find(number: number): number {
    let found = number;
    while (this.#joined[found] !== found) found = this.#joined[found] ?? found;
    this.#joined[number] = found;
    return found;
  }
}
