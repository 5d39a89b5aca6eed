import { randomId } from '../../../core/lib/random-id.ts';
import { timeNow } from '../../../core/lib/time.ts';
import type { Grouping } from '../../../core/schema/modes/grouping.ts';
import { createAsker, createStoredReplies } from '../../../evaluate/judges/asking/create-asker.ts';
import { createJudgingTally } from '../../../evaluate/run/limits/judging-tally.ts';
import type { StopSignals } from '../../../evaluate/run/limits/run-control.ts';
import { neverStopped } from '../../../evaluate/run/run-needs.ts';
import { groupNotes, groupPrompts, type NoteGroups } from '../../../people/modes/suggest/group-notes.ts';
import { linkNotes, usualCut } from '../../../people/modes/suggest/link-notes.ts';
import { firstFault, readNotes } from '../../../people/modes/suggest/read-notes.ts';
import { halfOf } from '../../../people/reviews/calibrate/tuned-judge.ts';
import { findTask } from '../../../people/reviews/read-view.ts';
import { TouchstoneError } from '../../../core/errors.ts';
import type { Label } from '../../../core/schema/review/label.ts';
import { addReviewRecords } from '../../../stores/reviews/review-records.ts';
import type { Store } from '../../../stores/store.ts';
import { type StoreChoice, withWritableStore } from '../open-store.ts';
import { type JudgeModelChoice, loadJudgeModel } from './load-judge-model.ts';
import { loadVectors } from './load-vectors.ts';

/** Options of suggesting groups of notes. */
export interface SuggestModesOptions extends StoreChoice, Pick<JudgeModelChoice, 'model'> {
  /** The review task whose notes are grouped, by its id, a part of it, or `latest`; all notes by default. */
  readonly task?: string;
  /** True to group by the similarity of texts, with the embedder of the config, in place of asking a model. */
  readonly embed?: boolean;
  /** With `embed`: the distance at which groups are no longer joined, one minus the cosine; 0.35 by default. */
  readonly cut?: number;
  /** The cost in US dollars after which nothing more is asked. */
  readonly maxCost?: number;
  readonly signals?: StopSignals;
}

/** The suggested groups, with the notes that were not sent. */
export interface SuggestedModes {
  readonly grouping: Grouping;
  /** The notes by the id of their label. */
  readonly notes: Readonly<Record<string, string>>;
  /** Notes about conversations that are set aside for certifying judges: no model and no embedder sees them. */
  readonly heldBack: number;
  readonly spending: { readonly calls: number; readonly cost: number | null };
}

/**
 * Suggests groups of the notes of what went wrong, as `touchstone modes suggest` does, and stores them. They count for nothing: a
 * person makes modes of them. The judge's model is asked, or with `embed` notes are grouped by their similarity; both see notes of the
 * tune half alone, never answers.
 * @throws TouchstoneError `judge-missing` and `embedder-missing` without a model, `grouping-unreadable` for a reply that cannot be
 * used, and `review-not-found` without notes.
 */
export async function suggestModes(options: SuggestModesOptions = {}): Promise<SuggestedModes> {
  return await withWritableStore(options, async (store) => {
    const { documents } = store;
    const task = options.task === undefined ? undefined : (await findTask(documents, options.task)).id;
    const all = await readNotes(documents, task);
    if (all.length === 0) {
      throw new TouchstoneError('review-not-found', 'There are no notes yet of what went wrong.', {
        remedy: 'Read conversations first: `touchstone review create --notes`.',
      });
    }
    // The words of a group become a definition, and that a judge: neither a model nor an embedder sees what certifies it.
    const sent = all.filter(({ subject }) => halfOf(subject) === 'tune');
    const ask = options.embed === true ? groupByVectors : groupByModel;
    const { by, groups, spending } = await ask(sent, options, store);
    const grouping: Grouping = { id: randomId(), task: task ?? null, by, ...groups, at: timeNow() };
    await addReviewRecords(documents, { groupings: [grouping] });
    const notes = Object.fromEntries(sent.map((label) => [label.id, firstFault(label)]));
    return { grouping, notes, heldBack: all.length - sent.length, spending };
  });
}

interface Grouped extends Pick<SuggestedModes, 'spending'> {
  readonly by: Grouping['by'];
  readonly groups: NoteGroups;
}

async function groupByVectors(
  notes: readonly Label[],
  { config, folder, cut = usualCut }: SuggestModesOptions,
): Promise<Grouped> {
  const embedder = await loadVectors(config, folder);
  const texts = toTexts(notes);
  const vectors = await embedder.embed(texts.map(({ text }) => text));
  return {
    by: { type: 'embedder', name: embedder.name, cut },
    groups: linkNotes({ notes: texts, vectors, cut }),
    spending: { calls: 0, cost: null },
  };
}

async function groupByModel(
  sent: readonly Label[],
  { maxCost = Infinity, signals = neverStopped, ...choice }: SuggestModesOptions,
  store: Store,
): Promise<Grouped> {
  const model = await loadJudgeModel(choice, 'Group the notes by hand on the page, or with `--embed`.');
  const spending = createJudgingTally();
  const limit = new AbortController();
  const replies = createStoredReplies(store, (kept) => {
    spending.add(kept);
    if (spending.spent() >= maxCost) limit.abort();
  });
  await model.open?.();
  try {
    const asker = createAsker({
      model,
      purpose: 'modes',
      prompts: groupPrompts,
      environment: process.env,
      replies,
      seed: 0,
      concurrency: 1,
      signal: signals.abort,
      stop: AbortSignal.any([signals.stop, limit.signal]),
    });
    const groups = await groupNotes(toTexts(sent), asker);
    const { calls, cost } = spending.summarize();
    const by = { type: 'judge', name: model.name, fingerprint: model.fingerprint } as const;
    return { by, groups, spending: { calls, cost } };
  } finally {
    await model.close?.();
  }
}

function toTexts(notes: readonly Label[]) {
  return notes.map((label) => ({ id: label.id, text: firstFault(label) }));
}
