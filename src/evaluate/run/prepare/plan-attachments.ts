import { formatPlace, TouchstoneError } from '../../../core/errors.ts';
import type { Case } from '../../../core/schema/case.ts';
import { type AttachmentKind, placeOf, untakenKinds, wordsOfKinds } from '../../../core/schema/message.ts';
import type { PlannedCase } from '../../../core/schema/result.ts';
import { inputMessages } from '../../../core/schema/trial.ts';
import type { Store } from '../../../stores/store.ts';
import type { Evaluation } from '../evaluation.ts';
import type { LoadedCase, LoadNotice } from './load.ts';

/** The methods of a store by which a plan is stored. */
export interface PlanStore extends Pick<Store, 'addCases'> {
  readonly blobs: Pick<Store['blobs'], 'keep'>;
  findCase(runId: string, id: string): Promise<Pick<PlannedCase, 'place'> | undefined>;
}

/** Stores the pictures and other files of a case before the case itself. Throws `dataset-invalid` for one that has changed meanwhile. */
export async function keepAttachments(
  { attachments = [], place }: LoadedCase,
  { runId, store, kept }: { runId: string; store: PlanStore; kept: Set<string> },
): Promise<void> {
  const added = attachments.filter(({ hash }) => !kept.has(hash));
  if (added.length === 0) return;
  try {
    await store.blobs.keep(runId, added);
  } catch (error) {
    if (!(error instanceof TouchstoneError)) throw error;
    const { code, message, remedy } = error;
    if (code === 'dataset-invalid')
      throw new TouchstoneError(code, `${formatPlace(place)}: ${message}.`, { remedy });
    if (code !== 'blob-changed') throw error;
    throw new TouchstoneError(
      'blob-changed',
      `${formatPlace(place)}: a file of the question changed while it was read.`,
    );
  }
  for (const { hash } of added) kept.add(hash);
}

const defaultHint = 'If it does, write `takes` in the target or its model.';
const hintOfPlace = 'Its API has no place for them there.';

/** Counts the questions whose pictures and other files targets do not take. */
export class UntakenCounter {
  readonly #targets: Evaluation['targets'];
  readonly #counts = new Map<string, { cases: number; readonly kinds: Set<AttachmentKind> }>();
  #cases = 0;

  constructor(targets: Evaluation['targets']) {
    this.#targets = targets;
  }

  /** Counts a question. */
  add({ input }: Pick<Case, 'input'>): void {
    this.#cases += 1;
    if (typeof input === 'string') return;
    for (const { name, target } of this.#targets) {
      const kinds = untakenKinds(inputMessages(input), target);
      if (kinds.length === 0) continue;
      const count = this.#counts.get(name) ?? { cases: 0, kinds: new Set() };
      count.cases += 1;
      for (const kind of kinds) count.kinds.add(kind);
      this.#counts.set(name, count);
    }
  }

  /** Says it for each target that does not take some of them, before anything is asked. */
  report(onNotice: (notice: LoadNotice) => void): void {
    for (const { name, target } of this.#targets) {
      const { cases, kinds } = this.#counts.get(name) ?? { cases: 0, kinds: [] };
      if (cases === 0) continue;
      const have = cases === 1 ? 'has' : 'have';
      const where = placeOf([...kinds], target);
      const hint = target.takesHint ?? (where === '' ? defaultHint : hintOfPlace);
      onNotice({
        message: `${cases} of ${this.#cases} questions ${have} ${wordsOfKinds([...kinds])}${where} that \`${name}\` does not take: not asked, and not measured. ${hint}`,
      });
    }
  }
}
