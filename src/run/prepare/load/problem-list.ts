import { TouchstoneError } from '../../../errors.ts';

/** What is wrong at one place of a dataset. */
export interface Problem {
  /** Begins with the place. */
  readonly message: string;
  /** What to do about it, where there is more to say than "fix it". */
  readonly remedy?: string | undefined;
}

const mostShown = 10;
const mostRemedies = 3;

/** What is wrong with a dataset: the first problems in full, the others counted. */
export class ProblemList {
  readonly #messages: string[] = [];
  readonly #remedies = new Set<string>();
  #count = 0;

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** Adds problems in the order in which they are to be told. */
  add(...problems: readonly Problem[]): void {
    for (const { message, remedy } of problems) {
      this.#count += 1;
      if (this.#messages.length < mostShown) this.#messages.push(message);
      if (remedy !== undefined && this.#remedies.size < mostRemedies) this.#remedies.add(remedy);
    }
  }

  /** Throws `dataset-invalid` with a line for each problem, if there are any. */
  throwIfAny(): void {
    if (this.isEmpty) return;
    const remedy = this.#remedies.size === 0 ? {} : { remedy: [...this.#remedies].join(' ') };
    throw new TouchstoneError('dataset-invalid', this.#describe(), remedy);
  }

  #describe(): string {
    const [only] = this.#messages;
    if (this.#count === 1 && only !== undefined) return only;
    const more = this.#count - this.#messages.length;
    const lines = more === 0 ? this.#messages : [...this.#messages, `… and ${more} more`];
    return `The dataset has ${this.#count} problems:\n${lines.map((line) => `  ${line}`).join('\n')}`;
  }
}
