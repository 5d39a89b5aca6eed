import { TouchstoneError } from '../../core/errors.ts';
import { randomId } from '../../core/lib/random-id.ts';
import { type Label, labelsInForce, type Subject, type WrittenBy } from '../../core/schema/review/label.ts';
import type { Mark } from '../../core/schema/modes/mark.ts';
import { type Mode, notesRubricId } from '../../core/schema/modes/mode.ts';
import { findRun } from '../../look/queries/runs.ts';
import { ordinalOf } from '../../look/queries/trials.ts';
import { labelKind } from '../../stores/kinds/label.ts';
import { markKind } from '../../stores/kinds/mode.ts';
import type { Store } from '../../stores/store.ts';
import { subjectOf } from '../reviews/frame.ts';
import { openModes, readModes, requireOpen } from './read-modes.ts';

/** The answer that is marked: by the note of the person who read it, or by its place in a run. */
export type MarkedPlace =
  | { readonly note: string }
  | {
      /** A run by its id, `latest` or its name; `latest` by default. */
      readonly run?: string;
      readonly case: string;
      /** The first target of the run, and the first attempt, by default. */
      readonly target?: string;
      readonly attempt?: number;
    };

/** The statement of a person about the modes of an answer. */
export interface GivenMarks {
  readonly answer: MarkedPlace;
  /** By the ids of open modes: whether the answer has it; null takes the own mark back. */
  readonly modes: Readonly<Record<string, boolean | null>>;
  /** All other open modes: false for "none of the others". Without it they stay as they are, never "no". */
  readonly others?: false;
  /** The mode of what went wrong first; the only one that the answer has by default. */
  readonly first?: string;
  /** The words of the answer that show a mode, by its id. */
  readonly spans?: Readonly<Record<string, Label['spans']>>;
}

/**
 * Stores what a person says of the modes of an answer, all of it or nothing; what was said before and is the same adds nothing. Returns
 * the new marks.
 * @throws TouchstoneError `mode-conflict` for a mode that is not open, `review-not-found` for a note, `run-not-found` or `case-not-found` for an
 * answer that is not there, `usage-invalid` for a first mode that the answer has not.
 */
export async function markModes(
  store: Store,
  given: GivenMarks,
  { by, now = new Date() }: { readonly by: WrittenBy; readonly now?: Date },
): Promise<Mark[]> {
  const modes = await readModes(store.documents);
  // Later than the modes, so that it speaks of them as they are now.
  const known = Math.max(0, ...[...modes.current.values()].map(({ at }) => Date.parse(at)));
  const named = Object.keys(given.modes).map((id) => requireOpen(modes, id));
  const isNamed = new Set(named.map(({ id }) => id));
  const rest = given.others === false ? openModes(modes).filter(({ id }) => !isNamed.has(id)) : [];
  const read = await findAnswer(store, given.answer, by.person);
  return await store.documents.change([markKind], async (change) => {
    const where = {
      answer_hash: read.subject.answerHash,
      case_hash: read.subject.caseHash,
      person: by.person,
    };
    const heads = await change.heads(markKind, ['id'], { where });
    const all = await Promise.all(heads.map(async ({ id }) => await change.get(markKind, [id])));
    const before = inForce(all.filter((mark) => mark !== undefined));
    const present = (mode: Mode) => (isNamed.has(mode.id) ? (given.modes[mode.id] ?? null) : false);
    const first = firstOf(given, before);
    const make = (mode: Mode): Mark[] => {
      const own = before.get(mode.id);
      const value = present(mode);
      const isFirst = value === true && first === mode.id;
      const spans = given.spans?.[mode.id] ?? (value === true ? own?.spans : undefined);
      const isKept = own === undefined ? value === null : isSame(own, mode, { value, isFirst, spans });
      if (isKept) return [];
      const time = Math.max(now.getTime(), known + 1, own === undefined ? 0 : Date.parse(own.at) + 1);
      const mark: Mark = {
        id: randomId(),
        ...read,
        mode: { id: mode.id, version: mode.version },
        present: value ?? own?.present ?? false,
        first: isFirst,
        spans,
        by,
        at: new Date(time).toISOString(),
        replaces: own?.id,
        withdrawn: value === null ? true : undefined,
      };
      return [mark];
    };
    const demoted = [...before.values()].flatMap((own): Mark[] => {
      const isOld = own.first && first !== undefined && own.mode.id !== first;
      if (!isOld || isNamed.has(own.mode.id) || rest.some(({ id }) => id === own.mode.id)) return [];
      return [{ ...own, id: randomId(), first: false, by, at: now.toISOString(), replaces: own.id }];
    });
    const marks = [...[...named, ...rest].flatMap(make), ...demoted];
    await change.add(markKind, marks);
    return marks;
  });
}

/** Returns the marks of one person and answer that hold, by their modes. */
function inForce(marks: readonly Mark[]): Map<string, Mark> {
  const replaced = new Set(marks.map(({ replaces }) => replaces));
  const own = marks.filter(({ id, withdrawn }) => withdrawn !== true && !replaced.has(id));
  return new Map(own.map((mark) => [mark.mode.id, mark]));
}

function isSame(
  own: Mark,
  { version }: Mode,
  {
    value,
    isFirst,
    spans,
  }: { readonly value: boolean | null; readonly isFirst: boolean; readonly spans: Mark['spans'] },
): boolean {
  const isQuoteSame = JSON.stringify(own.spans) === JSON.stringify(spans);
  return own.mode.version === version && own.present === value && own.first === isFirst && isQuoteSame;
}

/** Returns the mode of what went wrong first. Throws `usage-invalid` for one that the answer has not. */
function firstOf({ modes, first }: GivenMarks, before: ReadonlyMap<string, Mark>): string | undefined {
  const yes = Object.keys(modes).filter((id) => modes[id] === true);
  if (first !== undefined && !yes.includes(first) && before.get(first)?.present !== true)
    throw new TouchstoneError(
      'usage-invalid',
      `The answer has not the mode ${first}, which is to be what went wrong first.`,
      {
        remedy: `Mark it as well: \`--yes ${first}\`.`,
      },
    );
  if (first !== undefined) return first;
  const kept = [...before.values()].find(
    (mark) => mark.first && modes[mark.mode.id] !== false && modes[mark.mode.id] !== null,
  );
  return kept?.mode.id ?? (yes.length === 1 ? yes[0] : undefined);
}

/** The parts of a mark that say of which answer it is and how that came to be read. */
export type ReadAnswer = Pick<Mark, 'subject' | 'note' | 'task' | 'draw'>;

/** Finds an answer with the note of the person, or else of another, who read it. */
async function findAnswer(store: Store, place: MarkedPlace, person: string): Promise<ReadAnswer> {
  if ('note' in place) {
    const label = await store.documents.get(labelKind, [place.note]);
    if (label !== undefined && label.rubric.id === notesRubricId) return fromLabel(label);
    throw new TouchstoneError('review-not-found', `There is no note ${place.note}.`, {
      remedy: 'List what was read: `touchstone modes export notes.csv`.',
    });
  }
  const subject = await findSubject(store, place);
  const notes = await Array.fromAsync(
    store.documents.list(labelKind, { where: { answer_hash: subject.answerHash, rubric: notesRubricId } }),
  );
  const held = labelsInForce(notes.filter((label) => label.subject.caseHash === subject.caseHash));
  const own = held.find((label) => label.by.person === person) ?? held[0];
  return own === undefined ? { subject, note: null, task: null, draw: null } : fromLabel(own);
}

function fromLabel({ subject, id, task, draw }: Label): ReadAnswer {
  return { subject, note: id, task, draw };
}

/** Finds an answer by its place in a run. Throws `run-not-found` and `case-not-found`. */
export async function findSubject(
  store: Store,
  { run: runId, case: caseId, target, attempt = 1 }: Exclude<MarkedPlace, { readonly note: string }>,
): Promise<Subject> {
  const run = await findRun(store, runId);
  const planned = await store.findCase(run.id, caseId);
  const name = target ?? run.targets[0]?.name;
  const ordinal = planned && ordinalOf(run, { position: planned.position, target: name, attempt });
  const [result] = ordinal === undefined ? [] : await Array.fromAsync(store.readResults(run.id, [ordinal]));
  if (result !== undefined) return subjectOf(result, run);
  const what = `attempt ${attempt} of ${name} at a question "${caseId}"`;
  throw new TouchstoneError('case-not-found', `Run ${run.id} has no ${what}.`);
}
