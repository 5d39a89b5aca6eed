import { disagreementKinds } from '../decide/analysis/disagreement-kinds.ts';
import { createDisagreementTally } from '../decide/analysis/disagreements.ts';
import { TouchstoneError } from '../core/errors.ts';
import { didYouMean } from '../core/lib/text/nearest-name.ts';
import { parseTrialFilter } from '../look/queries/filters.ts';
import { findTrials } from '../look/queries/trials.ts';
import { withoutConditions } from '../core/schema/condition.ts';
import type { Outcome } from '../core/schema/result.ts';
import type { Run } from '../core/schema/run.ts';
import type { Store } from '../stores/store.ts';
import type { RunPart } from './write-report.ts';

/** Answers of a kind that are listed in full: more than anyone reads, few enough to be sorted. */
const mostListed = 200;

/** Throws `usage-invalid` when the value of `--disagreements` is not a known kind. */
export function checkKind(kind: string | true): void {
  const known = disagreementKinds.map(({ name }) => name);
  if (kind === true || known.includes(kind)) return;
  const hint = didYouMean(kind, known);
  throw new TouchstoneError('usage-invalid', `There is no kind of disagreement "${kind}".${hint}`, {
    remedy: `Choose from ${known.join(', ')}; or leave the kind out to list all.`,
  });
}

/**
 * Finds the answers of a run, or of a part of it, on which metrics contradict each other, in one kind of disagreement
 * or in any. Throws `usage-invalid` when the run has no metrics that could.
 */
export async function partInDisagreement(
  run: Run,
  kind: string | true,
  { store, within }: { readonly store: Store; readonly within: RunPart | undefined },
): Promise<RunPart> {
  const kinds = disagreementKinds.filter(({ name }) => kind === true || name === kind);
  const plain = { ...run, targets: withoutConditions(run.targets) };
  const names = new Set(plain.targets.map(({ name }) => name));
  const wanted = within && new Set(within.ordinals);
  const tally = createDisagreementTally(plain, { kinds, most: mostListed, oncePerCase: false });
  const ordinals: number[] = [];
  const add = (outcome: Outcome): void => {
    const { target, ordinal } = outcome.trial;
    if (names.has(target) && wanted?.has(ordinal) !== false && tally.add(outcome)) ordinals.push(ordinal);
  };
  for await (const outcomes of store.readOutcomes(run.id)) outcomes.forEach(add);
  const disagreements = tally.summarize();
  if (disagreements === undefined) throw noMetrics(run, kind);
  const what = kind === true ? 'disagreements' : `disagreements ${kind}`;
  return {
    narrowing: [within?.narrowing ?? [], what].flat().join(', '),
    ordinals,
    disagreements: disagreements.filter(({ count }) => count > 0 || kind !== true),
  };
}

function noMetrics({ id, metrics }: Run, kind: string | true): TouchstoneError {
  const how = kind === true ? '' : ` as ${kind}`;
  const message = `The metrics of run ${id} cannot contradict each other${how}: ${metrics.map(({ name }) => name).join(', ')}.`;
  return new TouchstoneError('usage-invalid', message, {
    remedy: 'Add metrics of another family, such as one that asks a judge to one that compares words.',
  });
}

/** The choices that select a part of a run. */
export interface PartChoices {
  readonly filter?: readonly string[];
  /** Ids of the cases to keep. */
  readonly case?: readonly string[];
  /** True to keep only trials that did not pass. */
  readonly failed?: boolean;
}

/** A function that finds the selected part of a run; it returns undefined when the whole run is selected. */
type PartFinder = (run: Run, store: Store) => Promise<RunPart | undefined>;

/** Creates a finder of the selected part, which throws `usage-invalid` for an invalid filter. */
export function createPartFinder({ filter = [], case: ids = [], failed = false }: PartChoices): PartFinder {
  const named = ids.length === 0 ? [] : [`${ids.length === 1 ? 'question' : 'questions'} ${ids.join(', ')}`];
  const narrowing = [...named, ...filter, ...(failed ? ['what did not pass'] : [])].join(', ');
  return async (run, store) => {
    const where = parseTrialFilter(filter, run);
    const ordinals = await findTrials(store, run, { where, cases: ids, failed });
    return ordinals === undefined ? undefined : { narrowing, ordinals };
  };
}
