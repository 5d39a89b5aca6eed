import { formatPlace, type Place, TouchstoneError } from '../../errors.ts';
import { hashText } from '../../lib/content-hash.ts';
import type { RecordedRow } from './recorded-row.ts';

/** Where the answer of a trial is. */
export interface Entry {
  readonly place: Place;
  /** As it stands in the file, or `first`; undefined for a trace that is the next attempt after those before it. */
  readonly attempt: number | undefined;
  readonly hasId: boolean;
  /** What the caller knows the row by. */
  readonly handle: number;
}

/** The attempt of a row that says nothing of it, whether the others count from 0 or from 1. */
const first = Number.NEGATIVE_INFINITY;

/** What of a trial is looked for. */
export interface Wanted {
  readonly caseId: string;
  readonly input: string;
  /** Counts from 1. */
  readonly attempt: number;
}

/** Recorded answers by the names of their cases and by their questions. */
export class RecordingIndex {
  readonly #byId = new Map<string, Entry[]>();
  readonly #byQuestion = new Map<string, Entry[]>();
  /** The names of cases, without those that a trace goes by besides. */
  readonly #cases = new Set<string>();
  #least = 1;

  /** Takes a row in. Throws `target-invalid` when it answers the same trial as another. */
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

  /** The answers of a trial: by the id of its case, else by its question; several when a question leads to several. */
  find({ caseId, input, attempt }: Wanted): readonly Entry[] {
    const named = this.#pick(this.#byId.get(caseId) ?? [], attempt);
    return named.length > 0 ? named : this.#pick(this.#byQuestion.get(questionKey(input)) ?? [], attempt);
  }

  /** How many attempts at a case are recorded, those left out between others included. */
  attemptsAt({ caseId, input }: Omit<Wanted, 'attempt'>): number {
    const entries = this.#byId.get(caseId) ?? this.#byQuestion.get(questionKey(input)) ?? [];
    return this.#countOf(entries);
  }

  /** The most attempts that are recorded at any case, by the name of the case. */
  get mostAttempts(): number {
    return this.#lists().reduce((most, entries) => Math.max(most, this.#countOf(entries)), 1);
  }

  /** Cases at which fewer attempts are recorded than at others, and how many attempts are missing in all. */
  get gaps(): { readonly cases: number; readonly attempts: number } {
    const most = this.mostAttempts;
    const counts = this.#lists().map(({ length }) => length);
    const short = counts.filter((count) => count < most);
    return { cases: short.length, attempts: short.reduce((sum, count) => sum + most - count, 0) };
  }

  /** The answers case by case: by name, or by question where nothing has a name. */
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

  /** Counts from 1. */
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

/** Questions can be long, and an index holds all of them. */
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
  // Rows with ids of their own may share a question; without ids nothing would tell them apart.
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
