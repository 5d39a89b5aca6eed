import type { Mode } from '../../core/schema/modes/mode.ts';
import type { DocumentReader } from '../../stores/documents/document-store.ts';
import { markKind } from '../../stores/kinds/mode.ts';
import { countedFor, type CountedMode, type Modes } from './read-modes.ts';

/** A mark as its columns say it. */
export interface MarkHead {
  readonly id: string;
  readonly mode: string;
  readonly mode_version: string;
  readonly person: string;
  readonly present: number | null;
  readonly is_first: number;
  readonly given_at: string;
  readonly replaces: string | null;
  readonly case_hash: string;
  readonly answer_hash: string;
}

/** The value that the people who marked an answer agree on; `disputed` where they differ. */
export type MarkedValue = 'yes' | 'no' | 'disputed';

/** The marks of an answer for a mode. */
export interface MarkedAnswer {
  readonly value: MarkedValue;
  /** True when a person says that it is what went wrong first. */
  readonly isFirst: boolean;
  /** The value of each person. */
  readonly people: ReadonlyMap<string, boolean>;
}

/** The answers of a mode that were marked, by `answerId`; an answer that is not among them is not measured. */
export type MarksOfMode = ReadonlyMap<string, MarkedAnswer>;

/** Returns the text by which an answer is found: a mark holds for the same answer to the same question, in any run. */
export function answerId(subject: { readonly caseHash: string; readonly answerHash: string }): string {
  return `${subject.caseHash} ${subject.answerHash}`;
}

const columns = [
  'id',
  'mode',
  'mode_version',
  'person',
  'present',
  'is_first',
  'given_at',
  'replaces',
  'case_hash',
  'answer_hash',
] as const;

/**
 * Reads the marks of open modes in force, by the id of the mode; marks of modes that were merged into one, and of words that mean the same,
 * count for it. It reads no documents.
 */
export async function readMarksOf(
  documents: Pick<DocumentReader, 'heads'>,
  modes: Modes,
  wanted: readonly Mode[],
): Promise<Map<string, MarksOfMode>> {
  const parts = new Map(wanted.map((mode) => [mode.id, countedFor(modes, mode)]));
  const sources = [...new Set([...parts.values()].flat().map(({ id }) => id))];
  const heads: MarkHead[] =
    sources.length === 0 ? [] : await documents.heads(markKind, columns, { where: { mode: sources } });
  const replaced = new Set(heads.map(({ replaces }) => replaces));
  const inForce = heads.filter(({ id, present }) => present !== null && !replaced.has(id));
  const byMode = Map.groupBy(inForce, ({ mode }) => mode);
  return new Map(Array.from(parts, ([id, own]) => [id, marksOf(own, (source) => byMode.get(source) ?? [])]));
}

/** The marks of one person and answer, by the parts of a mode. */
interface Said {
  readonly heads: Map<CountedMode, MarkHead>;
}

function marksOf(parts: readonly CountedMode[], of: (mode: string) => readonly MarkHead[]): MarksOfMode {
  const said = new Map<string, Map<string, Said>>();
  for (const part of parts) {
    for (const head of of(part.id)) {
      if (!part.versions.has(head.mode_version)) continue;
      const answer = `${head.case_hash} ${head.answer_hash}`;
      const people = said.get(answer) ?? new Map<string, Said>();
      said.set(answer, people);
      const own = people.get(head.person) ?? { heads: new Map() };
      people.set(head.person, own);
      const before = own.heads.get(part);
      if (before === undefined || before.given_at <= head.given_at) own.heads.set(part, head);
    }
  }
  const marks = new Map<string, MarkedAnswer>();
  for (const [answer, people] of said) {
    const values = new Map<string, boolean>();
    let isFirst = false;
    for (const [person, { heads }] of people) {
      const value = valueOf(parts, heads);
      if (value === undefined) continue;
      values.set(person, value);
      isFirst ||=
        value && [...heads.values()].some(({ present, is_first: first }) => present === 1 && first === 1);
    }
    const [first, ...others] = values.values();
    if (first === undefined) continue;
    const value = others.some((each) => each !== first) ? 'disputed' : first ? 'yes' : 'no';
    marks.set(answer, { value, isFirst, people: values });
  }
  return marks;
}

/**
 * Returns what a person says of a mode: yes of any of its parts is yes; no of all is no. A mark of the mode itself that is younger than a
 * merge speaks for the merged mode too. Undefined where a part was not looked at.
 */
function valueOf(
  parts: readonly CountedMode[],
  heads: ReadonlyMap<CountedMode, MarkHead>,
): boolean | undefined {
  const own = [...heads].filter(([{ mergedAt }]) => mergedAt === undefined).map(([, head]) => head);
  const last = own.toSorted((one, other) => (one.given_at < other.given_at ? -1 : 1)).at(-1);
  const isPast = (mergedAt: string) => last !== undefined && last.given_at > mergedAt;
  const merged = [...heads].filter(([{ mergedAt }]) => mergedAt !== undefined && !isPast(mergedAt));
  if (last?.present === 1 || merged.some(([, { present }]) => present === 1)) return true;
  const isOpen = parts.some(
    (part) => part.mergedAt !== undefined && !heads.has(part) && !isPast(part.mergedAt),
  );
  return last === undefined || isOpen ? undefined : false;
}
