import { TouchstoneError } from '../../core/errors.ts';
import { withoutConditions } from '../../core/schema/condition.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Evaluation, RunLabel } from '../../evaluate/run/evaluation.ts';
import { readFailedCases } from '../../evaluate/run/failed-cases.ts';
import { findRun } from '../../look/queries/runs.ts';
import { baselineKind } from '../../stores/kinds/baseline.ts';
import type { Store } from '../../stores/store.ts';

/** The purpose of a run, beside its config. */
export interface RunPurpose {
  /** The name of the run, by which it can be found; the newest of several that have it. */
  readonly name?: string;
  /** A remark that is shown with the run. */
  readonly note?: string;
  /** The tags of the run, by which lists are filtered: `{ prompt: 'v7' }`. */
  readonly tags?: Readonly<Record<string, string>>;
  /** An earlier run, named as every run is: only its cases that failed or were not measured are asked, again. */
  readonly failedOf?: string;
}

/**
 * Gives an evaluation the name, the note and the tags of its run, and narrows it to what failed in an earlier one. A run that is resumed keeps those that are not
 * given. Throws `usage-invalid` for a name that would find another run than this one, and `nothing-failed`.
 */
export async function withPurpose(
  evaluation: Evaluation,
  store: Store,
  { resumed, failedOf, ...given }: RunPurpose & { readonly resumed?: Run },
): Promise<Evaluation> {
  const { name, note = resumed?.note, tags } = given;
  if (note !== undefined) checkNote(note);
  const notices = name === undefined ? [] : await checkName(name, store, resumed);
  const label = {
    name: name ?? resumed?.name,
    note,
    tags: joinTags(resumed?.tags, tags),
  } satisfies RunLabel;
  const labelled = { ...evaluation, label, notices: [...(evaluation.notices ?? []), ...notices] };
  const named = resumed === undefined ? failedOf : resumed.failedOf;
  return named === undefined ? labelled : await onlyFailed(labelled, await findRun(store, named), store);
}

/** Narrows an evaluation to the cases that any of its targets failed in an earlier run. Throws `nothing-failed`. */
async function onlyFailed(evaluation: Evaluation, earlier: Run, store: Store): Promise<Evaluation> {
  const failed = await readFailedCases(earlier, store);
  const names = withoutConditions(evaluation.targets).map(({ name }) => name);
  if (!names.some((name) => failed.has(name))) {
    const known = [...failed.keys()].join(', ');
    throw new TouchstoneError('usage-invalid', `Run ${earlier.id} did not ask ${names.join(', ')}.`, {
      remedy: `Its targets are ${known}: ask one of them, or name another run: \`--failed RUN\`.`,
    });
  }
  const ids = new Set(names.flatMap((name) => [...(failed.get(name)?.keys() ?? [])]));
  if (ids.size === 0)
    throw new TouchstoneError(
      'nothing-failed',
      `Nothing to ask again: every question of run ${earlier.id} passed.`,
    );
  return {
    ...evaluation,
    failedOf: earlier.id,
    // The gate is about the whole set: it decides nothing here, and ends nothing early.
    gate: { ...evaluation.gate, sequential: false },
    selects: (testCase) => ids.has(testCase.id) && evaluation.selects(testCase),
  };
}

/** The longest name and note, in characters: they stand in tables and titles. */
const longestName = 80;
const longestNote = 1000;

/** Texts that are read as something else where a run is named, each with what it is read as. */
const otherMeanings: readonly (readonly [pattern: RegExp, meaning: string])[] = [
  [/^latest(~.*)?$/i, '`latest` is the newest run'],
  [/^\d{8}-\d{6}-[a-z0-9]{4}$/i, 'it reads as the id of a run'],
  [/^\d{8}(-\d{0,6})?-?$/, 'it reads as the beginning of the id of a run'],
  [/\.jsonl?$/i, 'it reads as a file'],
  [/^-/, 'it reads as an option'],
];

/** Throws `usage-invalid` for a name that does not find its run. Returns a notice when another run has it, too. */
async function checkName(name: string, store: Store, resumed: Run | undefined): Promise<string[]> {
  const [, meaning] = otherMeanings.find(([pattern]) => pattern.test(name)) ?? [];
  if (meaning !== undefined) throw notAName(name, meaning);
  if (name.trim() === '') throw notAName(name, 'the name is empty');
  if (name !== name.trim() || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name))
    throw notAName(name, 'it begins or ends with a space, or has characters that cannot be seen');
  if (name.length > longestName) throw notAName(name, `it has more than ${longestName} characters`);
  if ((await store.documents.get(baselineKind, [name])) !== undefined)
    throw notAName(name, 'a baseline of this store has that name');
  const runs = await store.listRuns();
  const ending = runs.find(({ id }) => id.endsWith(`-${name}`));
  if (ending !== undefined) throw notAName(name, `that is the end of the id ${ending.id}`);
  const [other] = runs.filter((run) => run.name === name && run.id !== resumed?.id);
  return other === undefined
    ? []
    : [`Run ${other.id} is called "${name}" too: from now on the name means the newer one.`];
}

function notAName(name: string, reason: string): TouchstoneError {
  return new TouchstoneError('usage-invalid', `A run cannot be called "${name.slice(0, 100)}": ${reason}.`, {
    remedy: 'Choose another name, such as `--name prompt-v7`.',
  });
}

function checkNote(note: string): void {
  if (note.length <= longestNote) return;
  throw new TouchstoneError('usage-invalid', `The note has more than ${longestNote} characters.`, {
    remedy: 'Shorten it; put the rest into a file of the project.',
  });
}

/** Joins the tags of a resumed run with new ones. Throws `usage-invalid` for a key that a filter could not name. */
function joinTags(
  before: RunLabel['tags'] = {},
  added: RunLabel['tags'] = {},
): Readonly<Record<string, string>> | undefined {
  for (const [key, value] of Object.entries(added)) {
    if (/^[\w.-]{1,80}$/.test(key) && value.length <= 200) continue;
    throw new TouchstoneError('usage-invalid', `"${key.slice(0, 100)}" cannot be a tag.`, {
      remedy:
        'Write its key with letters, digits, `_`, `.` and `-`, and a value of at most 200 characters: `--tag prompt=v7`.',
    });
  }
  const tags = { ...before, ...added };
  return Object.keys(tags).length === 0 ? undefined : tags;
}
