import { formatPlace, type Place, TouchstoneError } from '../../../core/errors.ts';
import { hashText } from '../../../core/lib/content-hash.ts';
import type { RecordedRow } from './recorded-row.ts';

/** The location of a recorded answer. */
export interface Entry {
  readonly place: Place;
  /**
   * The attempt as numbered in the file, or `first`; undefined for a trace, which is the next attempt after those before it.
   */
  readonly attempt: number | undefined;
  readonly hasId: boolean;
  /** The handle by which the caller finds the row. */
  readonly handle: number;
}

/** The attempt of a row that does not state one, whether the other rows count from 0 or from 1. */
const first = Number.NEGATIVE_INFINITY;

/** The trial that is looked for. */
export interface Wanted {
  readonly caseId: string;
  readonly input: string;
  /** Counts from 1. */
  readonly attempt: number;
}

/** An index of recorded answers by the names of their cases and by their questions. */
export class RecordingIndex {
  readonly #byId = new Map<string, Entry[]>();
  readonly #byQuestion = new Map<string, Entry[]>();
  /** The names of cases, without the additional names of traces. */
  readonly #cases = new Set<string>();
  #least = 1;

  /** Adds a row. Throws `target-invalid` when it answers the same trial as another. */
  add(row: RecordedRow, handle: number): void {
    const { place, ids, question, isTrace } = row;
    const attempt = row.attempt ?? (isTrace ? undefined : first);
    if (row.attempt === 0) this.#least = 0;
    const entry: Entry = { place, attempt, hasId: ids.length > 0 && !isTrace, handle };
    if (ids[0] !== undefined) this.#cases.add(ids[0]);
    for (const id of new Set(ids)) insert(this.#byId, id, { entry, what: `the id "${id}"` });
    if (question !== undefined)
      insert(this.#byQuestion, questionKey(question), { entry, what: 'the same question' });
  }

  /**
   * Returns the answers of a trial: by the id of its case, else by its question. They are several when the question
   * matches several.
   */
  find({ caseId, input, attempt }: Wanted): readonly Entry[] {
    const named = this.#pick(this.#byId.get(caseId) ?? [], attempt);
    return named.length > 0 ? named : this.#pick(this.#withQuestion(input), attempt);
  }

  /** Returns the number of attempts recorded for a case, including those missing between others. */
  attemptsAt({ caseId, input }: Omit<Wanted, 'attempt'>): number {
    const entries = this.#byId.get(caseId) ?? this.#withQuestion(input);
    return this.#countOf(entries);
  }

  /** Returns the answers to a question. A file may have the choices of a question in columns of their own. */
  #withQuestion(input: string): readonly Entry[] {
    const found = this.#byQuestion.get(questionKey(input));
    return found ?? this.#byQuestion.get(questionKey(withoutChoices(input))) ?? [];
  }

  /** The largest number of attempts recorded for any case. */
  get mostAttempts(): number {
    return this.#lists().reduce((most, entries) => Math.max(most, this.#countOf(entries)), 1);
  }

  /** The number of cases with fewer recorded attempts than others, and the number of attempts missing in all. */
  get gaps(): { readonly cases: number; readonly attempts: number } {
    const most = this.mostAttempts;
    const counts = this.#lists().map(({ length }) => length);
    const short = counts.filter((count) => count < most);
    return { cases: short.length, attempts: short.reduce((sum, count) => sum + most - count, 0) };
  }

  /** Returns the answers case by case: by name, or by question when nothing has a name. */
  #lists(): (readonly Entry[])[] {
    if (this.#cases.size === 0) return [...this.#byQuestion.values()];
    return Array.from(this.#cases, (id) => this.#byId.get(id) ?? []);
  }

  #countOf(entries: readonly Entry[]): number {
    const numbered = entries.flatMap(({ attempt }) =>
      attempt === undefined ? [] : [this.#numberOf(attempt)],
    );
    return Math.max(0, entries.length - numbered.length, ...numbered);
  }

  /** Returns an attempt counted from 1. */
  #numberOf(attempt: number): number {
    return attempt === first ? 1 : attempt - this.#least + 1;
  }

  #pick(entries: readonly Entry[], attempt: number): Entry[] {
    const isMeant = (entry: Entry) =>
      entry.attempt !== undefined && this.#numberOf(entry.attempt) === attempt;
    const numbered = entries.filter(isMeant);
    if (numbered.length > 0) return numbered;
    return entries.filter((entry) => entry.attempt === undefined).slice(attempt - 1, attempt);
  }
}

/** Returns a question without the choices below it, `A) Paris`, each on a line of its own. */
function withoutChoices(question: string): string {
  const lines = question.split('\n');
  let end = lines.length;
  while (end > 0 && /^[A-Za-z\d]{1,2}\) /.test(lines[end - 1] ?? '')) end -= 1;
  return lines.slice(0, end).join('\n');
}

/** Returns the key of a question: a hash of a long one, since the index keeps all of them. */
function questionKey(question: string): string {
  const text = question.trim();
  return text.length > 64 ? hashText(text) : text;
}

function insert(
  index: Map<string, Entry[]>,
  key: string,
  { entry, what }: { readonly entry: Entry; readonly what: string },
): void {
  const others = index.get(key);
  if (others === undefined) {
    index.set(key, [entry]);
    return;
  }
  // Rows with ids of their own may share a question; rows without ids could not be distinguished.
  const isByQuestion = what === 'the same question';
  const same = others.find(
    (other) =>
      entry.attempt !== undefined &&
      other.attempt === entry.attempt &&
      !(isByQuestion && (entry.hasId || other.hasId)),
  );
  if (same !== undefined) throw duplicate(what, same, entry);
  others.push(entry);
}

function duplicate(what: string, one: Entry, other: Entry): TouchstoneError {
  const attempt = other.attempt === first ? '' : ` and attempt ${other.attempt}`;
  return new TouchstoneError(
    'target-invalid',
    `Two recorded answers have ${what}${attempt}: ${formatPlace(one.place)} and ${formatPlace(other.place)}.`,
    { remedy: 'Remove one of them, or number them with `attempt`.' },
  );
}
