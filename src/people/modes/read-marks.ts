import type { Mode } from '../../core/schema/modes/mode.ts';
import type { DocumentReader } from '../../stores/documents/document-store.ts';
import { markKind } from '../../stores/kinds/mode.ts';
import { countedFor, type CountedMode, type Modes } from './read-modes.ts';

/** A mark as its columns say it. */
interface MarkHead {
  readonly id: string;
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
  const read = await Promise.all(
    sources.map(async (mode) => await documents.heads(markKind, columns, { where: { mode } })),
  );
  const byMode = new Map(read.map((heads, place) => [sources[place], inForce(heads)]));
  return new Map(Array.from(parts, ([id, own]) => [id, marksOf(own, (source) => byMode.get(source) ?? [])]));
}

function inForce(heads: readonly MarkHead[]): readonly MarkHead[] {
  const replaced = new Set(heads.flatMap(({ replaces }) => replaces ?? []));
  return heads.filter(({ id, present }) => present !== null && !replaced.has(id));
}

/** A mark with the part of the mode that it counts for. */
interface CountedMark {
  readonly part: CountedMode;
  readonly head: MarkHead;
}

function marksOf(parts: readonly CountedMode[], of: (mode: string) => readonly MarkHead[]): MarksOfMode {
  const byAnswer = new Map<string, CountedMark[]>();
  for (const part of parts)
    for (const head of of(part.id)) {
      if (!part.versions.has(head.mode_version)) continue;
      const answer = `${head.case_hash} ${head.answer_hash}`;
      const own = byAnswer.get(answer);
      if (own === undefined) byAnswer.set(answer, [{ part, head }]);
      else own.push({ part, head });
    }
  const marks = new Map<string, MarkedAnswer>();
  for (const [answer, own] of byAnswer) {
    const marked = settle(parts, own);
    if (marked !== undefined) marks.set(answer, marked);
  }
  return marks;
}

/** Returns what the people who marked an answer say together; undefined where none has looked at all parts of the mode. */
function settle(parts: readonly CountedMode[], marks: readonly CountedMark[]): MarkedAnswer | undefined {
  const people = new Map<string, boolean>();
  let isFirst = false;
  const byPerson = marks.length === 1 ? [marks] : Map.groupBy(marks, ({ head }) => head.person).values();
  for (const own of byPerson) {
    const value = valueOf(parts, own);
    if (value === undefined) continue;
    people.set((own[0] as CountedMark).head.person, value);
    isFirst ||= value && own.some(({ head }) => head.present === 1 && head.is_first === 1);
  }
  const [first, ...others] = people.values();
  if (first === undefined) return undefined;
  const isDisputed = others.some((each) => each !== first);
  return { value: isDisputed ? 'disputed' : yesOrNo(first), isFirst, people };
}

function yesOrNo(value: boolean): MarkedValue {
  return value ? 'yes' : 'no';
}

/**
 * Returns what a person says of a mode: yes of any of its parts is yes; no of all is no. A mark of the mode itself that is younger than a
 * merge speaks for the merged mode too. Undefined where a part was not looked at.
 */
function valueOf(parts: readonly CountedMode[], marks: readonly CountedMark[]): boolean | undefined {
  let last: MarkHead | undefined;
  for (const { part, head } of marks)
    if (part.mergedAt === undefined && (last === undefined || last.given_at <= head.given_at)) last = head;
  const lastAt = last?.given_at ?? '';
  const isPast = (mergedAt: string) => lastAt > mergedAt;
  const isMerged = ({ part: { mergedAt } }: CountedMark) => mergedAt !== undefined && !isPast(mergedAt);
  if (last?.present === 1 || marks.some((mark) => isMerged(mark) && mark.head.present === 1)) return true;
  const isOpen = parts.some(
    (part) =>
      part.mergedAt !== undefined && !isPast(part.mergedAt) && !marks.some((mark) => mark.part === part),
  );
  return last === undefined || isOpen ? undefined : false;
}
