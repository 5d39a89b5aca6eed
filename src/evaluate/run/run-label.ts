import { TouchstoneError } from '../../core/errors.ts';
import { canonicalJson } from '../../core/lib/content-hash.ts';
import { longestLabel, type RunLabelChange } from '../../core/schema/api/run-head.ts';
import type { Run } from '../../core/schema/run.ts';
import { baselineKind } from '../../stores/kinds/baseline.ts';
import { runEditKind, withEdits } from '../../stores/kinds/run-edit.ts';
import type { Store } from '../../stores/store.ts';
import type { RunLabel } from './evaluation.ts';

/** A name, a note and tags that a run may have, with what should be known of them. */
interface CheckedLabel {
  readonly label: RunLabel;
  readonly notices: readonly string[];
}

/**
 * Applies a change to the name, the note and the tags of a run. Throws `usage-invalid` for a name that would find another run
 * than this one, and for a note or a tag that no list could show.
 * @param run - The run as it is; undefined for one that is yet to be begun.
 */
export async function checkLabel(
  { name, note, tags }: RunLabelChange,
  run: (RunLabel & Pick<Run, 'id'>) | undefined,
  store: Pick<Store, 'documents' | 'listRuns'>,
): Promise<CheckedLabel> {
  const label = {
    name: changed(run?.name, name),
    note: changed(run?.note, note),
    tags: joinTags(run?.tags, tags),
  };
  if (label.note !== run?.note) checkNote(label.note ?? '');
  const isRemoved = run !== undefined && name === '';
  const isNew = typeof name === 'string' && name !== run?.name && !isRemoved;
  const notices = isNew ? await checkName(name, store, run) : [];
  return { label, notices };
}

/**
 * Changes the name, the note and the tags of a run next to its record, which stays as it is, and keeps who did so and when. Returns
 * what the run is called now. Throws `usage-invalid` as `checkLabel` does.
 */
export async function editRun(
  run: Run,
  change: RunLabelChange & { readonly by?: string },
  store: Pick<Store, 'documents' | 'listRuns'>,
): Promise<CheckedLabel> {
  const { by, ...changes } = change;
  const [current = run] = await withEdits([run], store.documents);
  const checked = await checkLabel(changes, current, store);
  const { label } = checked;
  const { name, note, tags } = current;
  if (canonicalJson(label) === canonicalJson({ name, note, tags })) return checked;
  await store.documents.change([runEditKind], async (documents) => {
    const { edits = [] } = (await documents.get(runEditKind, [run.id])) ?? {};
    const edit = { at: new Date().toISOString(), by, ...label };
    await documents.put(runEditKind, [{ run: run.id, edits: [...edits.slice(1 - mostEdits), edit] }]);
  });
  return checked;
}

/** The number of changes of a run that are stored, the newest ones. */
const mostEdits = 100;

/** Returns a text after a change: as it was when nothing is given, none for null and for an empty text. */
function changed(before: string | undefined, given: string | null | undefined): string | undefined {
  return given === undefined ? before : given?.trim() || undefined;
}

/** Texts that are read as something else where a run is named, each with what it is read as. */
const otherMeanings: readonly (readonly [pattern: RegExp, meaning: string])[] = [
  [/^latest(~.*)?$/i, '`latest` is the newest run'],
  [/^\d{8}-\d{6}-[a-z0-9]{4}$/i, 'it reads as the id of a run'],
  [/^\d{8}(-\d{0,6})?-?$/, 'it reads as the beginning of the id of a run'],
  [/\.jsonl?$/i, 'it reads as a file'],
  [/^-/, 'it reads as an option'],
];

/** Throws `usage-invalid` for a name that does not find its run. Returns a notice when another run has it, too. */
async function checkName(
  name: string,
  store: Pick<Store, 'documents' | 'listRuns'>,
  named: Pick<Run, 'id'> | undefined,
): Promise<string[]> {
  const [, meaning] = otherMeanings.find(([pattern]) => pattern.test(name)) ?? [];
  if (meaning !== undefined) throw notAName(name, meaning);
  if (name.trim() === '') throw notAName(name, 'the name is empty');
  if (name !== name.trim() || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name))
    throw notAName(name, 'it begins or ends with a space, or has characters that cannot be seen');
  if (name.length > longestLabel.name)
    throw notAName(name, `it has more than ${longestLabel.name} characters`);
  if ((await store.documents.get(baselineKind, [name])) !== undefined)
    throw notAName(name, 'a baseline of this store has that name');
  const runs = await withEdits(await store.listRuns(), store.documents);
  const ending = runs.find(({ id }) => id.endsWith(`-${name}`));
  if (ending !== undefined) throw notAName(name, `that is the end of the id ${ending.id}`);
  const [other] = runs.filter((run) => run.name === name && run.id !== named?.id);
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
  if (note.length <= longestLabel.note) return;
  throw new TouchstoneError('usage-invalid', `The note has more than ${longestLabel.note} characters.`, {
    remedy: 'Shorten it; put the rest into a file of the project.',
  });
}

/** Joins the tags of a run with new ones, without those that are removed. Throws `usage-invalid` for a key that a filter could not name. */
function joinTags(
  before: RunLabel['tags'] = {},
  added: RunLabelChange['tags'] = {},
): Readonly<Record<string, string>> | undefined {
  for (const [key, value] of Object.entries(added)) {
    if (value === null || value === before[key]) continue;
    if (/^[\w.-]{1,80}$/.test(key) && value.length <= longestLabel.tag) continue;
    throw new TouchstoneError('usage-invalid', `"${key.slice(0, 100)}" cannot be a tag.`, {
      remedy:
        'Write its key with letters, digits, `_`, `.` and `-`, and a value of at most 200 characters: `--tag prompt=v7`.',
    });
  }
  const tags = Object.entries({ ...before, ...added }).filter(
    (entry): entry is [string, string] => entry[1] !== null && entry[1] !== '',
  );
  return tags.length === 0 ? undefined : Object.fromEntries(tags);
}
