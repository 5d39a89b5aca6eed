import { type Fate, fates, type LedgerEntry } from '../../core/schema/api/imported-project.ts';

/** The note on values that nothing contains that was written. */
export const lossNote = 'It is in the file, and in nothing that was written of it.';

/** The most places of one entry. */
const mostPlaces = 5;

/** Remarks about a part besides its fate. */
export interface LedgerNote {
  readonly became?: string;
  readonly note?: string;
  readonly place?: string;
  readonly code?: string;
  /** Given for code that is a check: the case that it checks, or `all`. */
  readonly checks?: { readonly caseId: string } | 'all';
}

/** A check that is code in the file of another tool. */
export interface CheckInCode {
  /** The name of its kind, such as `assertion javascript`. */
  readonly part: string;
  readonly code: string;
  /** The case that it checks; undefined for one that checks all cases. */
  readonly caseId: string | undefined;
}

/** A value that an importer says it keeps. */
export interface KeptValue {
  readonly part: string;
  readonly value: unknown;
  readonly place: string | undefined;
}

/** An entry that is being counted. */
type Counted = { -readonly [Key in keyof LedgerEntry]: LedgerEntry[Key] };

/** Counts what became of every part of an imported file, so that nothing is dropped in silence. */
export class Ledger {
  readonly #entries = new Map<string, Counted>();
  readonly #checks: CheckInCode[] = [];
  readonly #claims: KeptValue[] = [];

  /** Counts a part that was taken over as it is. */
  take(part: string, became: string, place?: string): void {
    this.#add('taken', part, { became, place });
  }

  /** Counts a part that was approximated. The note says what differs. */
  approximate(part: string, said: LedgerNote & { readonly became: string; readonly note: string }): void {
    this.#add('approximated', part, said);
  }

  /**
   * Counts a part that is stored with the case or the run, where nothing reads it.
   * @param value - The value that is stored, which {@link settle} looks for in what is written.
   */
  keep(part: string, value?: unknown, place?: string): void {
    if (value === undefined) this.#addKept(part, place);
    else this.#claims.push({ part, value, place });
  }

  /** Counts the values that are said to be stored: as stored where they were written, as dropped otherwise. */
  settle(isWritten: (value: unknown) => boolean): void {
    for (const { part, value, place } of this.#claims.splice(0)) {
      if (isWritten(value)) this.#addKept(part, place);
      else
        this.leaveOut(part, {
          note: 'It has no place in the project.',
          place,
        });
    }
  }

  /** The values that are said to be stored and were not looked for yet. */
  claims(): readonly KeptValue[] {
    return this.#claims;
  }

  /** Counts a part that was not taken over. The note is the reason. */
  leaveOut(part: string, said: LedgerNote & { readonly note: string }): void {
    this.#add('left-out', part, said);
  }

  /**
   * Counts values that are in the file, and in nothing that was written of it, by their path. Values below a member that was dropped already,
   * which is named by its path or by its name in the file or in a record of it, are a part of that.
   */
  lose(part: string, count: number, place?: string): void {
    const path = part.replaceAll('[]', '');
    const tops = path.split('.').slice(0, 2);
    const isNamed = [...this.#entries.values()].some(
      ({ fate, note, part: other }) =>
        fate === 'left-out' &&
        note !== lossNote &&
        (tops.includes(other) || `${path}.`.startsWith(`${other.replaceAll('[]', '')}.`)),
    );
    if (!isNamed) this.#add('left-out', part, { note: lossNote, place }, count);
  }

  /** All entries: the dropped ones first, then by fate in the order of {@link fates}, from last to first. */
  entries(): LedgerEntry[] {
    return [...this.#entries.values()].toSorted(
      (a, b) => fates.indexOf(b.fate) - fates.indexOf(a.fate) || a.part.localeCompare(b.part),
    );
  }

  /** The checks that are code. */
  checksInCode(): readonly CheckInCode[] {
    return this.#checks;
  }

  #addKept(part: string, place: string | undefined): void {
    this.#add('metadata', part, { became: 'metadata', place });
  }

  #add(fate: Fate, part: string, { place, code, checks, ...said }: LedgerNote, count = 1): void {
    const key = JSON.stringify([fate, part, said.became, said.note]);
    const known = this.#entries.get(key) ?? { fate, part, ...said, count: 0, places: [] };
    this.#entries.set(key, known);
    known.count += count;
    if (place !== undefined && known.places.length < mostPlaces) known.places = [...known.places, place];
    if (code !== undefined) known.code = [...(known.code ?? []), code];
    if (code === undefined || checks === undefined) return;
    this.#checks.push({ part, code, caseId: checks === 'all' ? undefined : checks.caseId });
  }
}

/** The number of parts by fate. */
export function countFates(entries: readonly LedgerEntry[]): Record<Fate, number> {
  const counts: Record<Fate, number> = { taken: 0, approximated: 0, metadata: 0, 'left-out': 0 };
  for (const { fate, count } of entries) counts[fate] += count;
  return counts;
}
