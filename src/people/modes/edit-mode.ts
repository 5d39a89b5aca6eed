import { TouchstoneError } from '../../core/errors.ts';
import { randomId } from '../../core/lib/random-id.ts';
import type { WrittenBy } from '../../core/schema/review/label.ts';
import { type Mode, modeSchema, type ModeWords } from '../../core/schema/modes/mode.ts';
import type { DocumentStore } from '../../stores/documents/document-store.ts';
import { modeKind } from '../../stores/kinds/mode.ts';
import { currentModes, describeState, type Modes, modeVersionOf, requireOpen } from './read-modes.ts';

/** A new mode: its id, and what belongs to it. */
export interface NewMode {
  readonly id: string;
  /** The id by default. */
  readonly name?: string;
  readonly definition: string;
  /** Sentences about what belongs to it, and what does not. */
  readonly includes?: readonly string[];
  readonly excludes?: readonly string[];
}

/** A change of the failure modes. */
export type ModeEdit =
  | ({ readonly type: 'add' } & NewMode)
  | { readonly type: 'rename'; readonly id: string; readonly name: string }
  | ({
      /** Other words: marks of the earlier ones no longer count, unless `sameMeaning`. */
      readonly type: 'redefine';
      readonly id: string;
      readonly sameMeaning?: boolean;
    } & Partial<ModeWords>)
  /** The marks of the mode `id` count for `into` from now on. */
  | { readonly type: 'merge'; readonly id: string; readonly into: string }
  /** New modes take the place of one; its marks count for the modes of `sameMeaning` alone. */
  | {
      readonly type: 'split';
      readonly id: string;
      readonly into: readonly NewMode[];
      readonly sameMeaning?: readonly string[];
    }
  | { readonly type: 'retire'; readonly id: string }
  /** States that a mode means the same as another one did, or as its own earlier version: those marks count. */
  | { readonly type: 'same-meaning'; readonly id: string; readonly as: string; readonly version?: string }
  /** Takes the last change of a mode back; of a split, the modes that it made are retired. */
  | { readonly type: 'undo'; readonly id: string };

/**
 * Changes the failure modes by new records, all of them or none; no record changes. Returns the modes that have changed.
 * @throws TouchstoneError `mode-conflict` for a name in use, a mode that is not there or not open, and for what would be a circle; `usage-invalid`
 * for words that cannot be used.
 */
export async function editMode(
  documents: DocumentStore,
  edit: ModeEdit,
  { by, now = new Date() }: { readonly by: WrittenBy; readonly now?: Date },
): Promise<Mode[]> {
  return await documents.change([modeKind], async (change) => {
    const heads = await change.heads(modeKind, ['entry']);
    const known = await Promise.all(heads.map(async ({ entry }) => await change.get(modeKind, [entry])));
    const modes = currentModes(known.filter((mode) => mode !== undefined));
    const last = Math.max(0, ...[...modes.records.values()].map(({ at }) => Date.parse(at)));
    const write = (mode: Draft, place: number): Mode => {
      const before = modes.current.get(mode.id);
      // Later than all that is known, whatever the clocks of two machines say.
      const time = Math.max(now.getTime(), last + 1) + place;
      const at = new Date(time).toISOString();
      return check({
        ...mode,
        entry: randomId(),
        version: modeVersionOf(mode),
        by,
        at,
        replaces: before?.entry,
      });
    };
    const written = draftsOf(modes, edit).map(write);
    await change.add(modeKind, written);
    return written;
  });
}

/** A mode before its record is written. */
type Draft = Pick<Mode, 'id' | 'name' | 'definition' | 'includes' | 'excludes' | 'state' | 'sameAs'>;

function draftsOf(modes: Modes, edit: ModeEdit): Draft[] {
  switch (edit.type) {
    case 'add':
      return [newMode(modes, edit)];
    case 'rename':
      requireFree(modes, edit.name, edit.id);
      return [{ ...requireOpen(modes, edit.id), name: edit.name }];
    case 'redefine':
      return [redefined(requireOpen(modes, edit.id), edit)];
    case 'merge':
      return [merged(modes, edit.id, edit.into)];
    case 'split':
      return split(modes, edit);
    case 'retire':
      return [{ ...requireOpen(modes, edit.id), state: { status: 'retired' } }];
    case 'same-meaning':
      return [sameMeaning(modes, edit)];
    case 'undo':
      return undone(modes, edit.id);
  }
}

function newMode(modes: Modes, { id, name = id, definition, includes = [], excludes = [] }: NewMode): Draft {
  const taken = modes.current.get(id);
  if (taken !== undefined) {
    const what =
      taken.state.status === 'open' ? 'is in use' : `is that of a mode that is ${describeState(taken)}`;
    throw new TouchstoneError('mode-conflict', `The id ${id} ${what}; an id names one mode for ever.`, {
      remedy: `Choose another id, or change the mode: \`touchstone modes redefine ${id} --definition "…"\`.`,
    });
  }
  requireFree(modes, name, id);
  const words = { definition, includes: [...includes], excludes: [...excludes] };
  return { id, name, ...words, state: { status: 'open' }, sameAs: [] };
}

/** Throws `mode-conflict` for a name that another open mode has, in any letters. */
function requireFree(modes: Modes, name: string, id: string): void {
  const same = (text: string) => text.trim().toLowerCase() === name.trim().toLowerCase();
  const other = [...modes.current.values()].find(
    (mode) => mode.id !== id && mode.state.status === 'open' && (same(mode.name) || same(mode.id)),
  );
  if (other === undefined) return;
  throw new TouchstoneError(
    'mode-conflict',
    `The name ${name} is in use: ${other.id} has it, and ${id} cannot.`,
    {
      remedy: `Choose another name, or merge them: \`touchstone modes merge ${id} ${other.id}\`.`,
    },
  );
}

function redefined(mode: Mode, edit: ModeEdit & { readonly type: 'redefine' }): Draft {
  const { definition = mode.definition, includes = mode.includes, excludes = mode.excludes } = edit;
  const { id, version } = mode;
  // What was stated of the earlier words is found through them.
  const sameAs = edit.sameMeaning === true ? [{ id, version }] : [];
  return { ...mode, definition, includes, excludes, sameAs };
}

function merged(modes: Modes, id: string, into: string): Draft {
  if (id === into)
    throw new TouchstoneError('mode-conflict', `The mode ${id} cannot be merged into itself, ${into}.`, {
      remedy: 'Name two modes: `touchstone modes merge FROM INTO`.',
    });
  const target = modes.current.get(into);
  if (target?.state.status === 'merged' && target.state.into === id)
    throw new TouchstoneError(
      'mode-conflict',
      `${into} is merged into ${id}: the other way round as well, it would be a circle.`,
      {
        remedy: `Take that back first: \`touchstone modes undo ${into}\`.`,
      },
    );
  const { version } = requireOpen(modes, into);
  return { ...requireOpen(modes, id), state: { status: 'merged', into, version } };
}

function split(
  modes: Modes,
  { id, into, sameMeaning: same = [] }: ModeEdit & { readonly type: 'split' },
): Draft[] {
  const mode = requireOpen(modes, id);
  const ids = into.map((part) => part.id);
  if (ids.length < 2 || new Set(ids).size < ids.length)
    throw new TouchstoneError(
      'mode-conflict',
      `The mode ${id} is split into two or more different modes, not into ${ids.join(', ') || 'none'}.`,
      {
        remedy: `Name them: \`touchstone modes split ${id} --into one,two\`.`,
      },
    );
  const { version } = mode;
  const parts = into.map((part) => ({
    ...newMode(modes, part),
    sameAs: same.includes(part.id) ? [{ id, version }] : [],
  }));
  return [{ ...mode, state: { status: 'split', into: ids } }, ...parts];
}

function sameMeaning(modes: Modes, { id, as, version }: ModeEdit & { readonly type: 'same-meaning' }): Draft {
  const mode = requireOpen(modes, id);
  const known = [...modes.records.values()].filter(
    (each) => each.id === as && each.version.startsWith(version ?? ''),
  );
  const earlier = known.toReversed().find((each) => as !== id || each.version !== mode.version);
  if (earlier === undefined) {
    const what = as === id ? `${id} has no earlier words` : `there is no mode ${as} with such words`;
    throw new TouchstoneError('mode-conflict', `Nothing can mean the same as ${id}: ${what}.`, {
      remedy: 'List the modes with their versions: `touchstone modes --json`.',
    });
  }
  return { ...mode, sameAs: [...mode.sameAs, { id: as, version: earlier.version }] };
}

function undone(modes: Modes, id: string): Draft[] {
  const mode = modes.current.get(id) ?? requireOpen(modes, id);
  const before = mode.replaces === undefined ? undefined : modes.records.get(mode.replaces);
  // What was never there before is not removed: its records stay.
  if (before === undefined) return [{ ...mode, state: { status: 'retired' } }];
  const parts = mode.state.status === 'split' ? mode.state.into : [];
  const made = parts.flatMap((part) => modes.current.get(part) ?? []);
  return [before, ...made.map((part): Draft => ({ ...part, state: { status: 'retired' } }))];
}

function check(mode: Mode): Mode {
  const parsed = modeSchema.safeParse(mode);
  if (parsed.success) return parsed.data;
  const [problem] = parsed.error.issues;
  throw new TouchstoneError(
    'usage-invalid',
    `The ${problem?.path.join('.')} of the mode ${mode.id} ${problem?.message}.`,
    {
      remedy: 'Nothing was stored. An id is a short word such as wrong-date; a definition is a sentence.',
    },
  );
}
