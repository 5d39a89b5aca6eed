import { disagreementKinds } from '../../../decide/analysis/disagreement-kinds.ts';
import { createDisagreementTally } from '../../../decide/analysis/disagreements.ts';
import { TouchstoneError } from '../../../core/errors.ts';
import { didYouMean } from '../../../core/lib/text/nearest-name.ts';
import { parseTrialFilter } from '../../../look/queries/filters.ts';
import { findTrials } from '../../../look/queries/trials.ts';
import { withoutConditions } from '../../../core/schema/condition.ts';
import type { Outcome } from '../../../core/schema/result.ts';
import type { Disagreement } from '../../../core/schema/summary.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { Store } from '../../../stores/store.ts';

/** The part of a run that a report lists. */
export interface RunPart {
  /** The selection as it was typed on the command line. */
  readonly narrowing: string;
  /** The ordinals of its trials in rising order. There may be no trial for an ordinal. */
  readonly ordinals: readonly number[];
  /** The contradictions between metrics, when the part is selected by them. */
  readonly disagreements?: readonly Disagreement[];
}

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

/** The choices that select a part of a run; all of them must hold. */
export interface PartChoices {
  /** Terms such as `category=hybrid`, `tag!=slow`, `passed=false` and `total<0.7`. */
  readonly filter?: readonly string[];
  /** Ids of cases. */
  readonly cases?: readonly string[];
  /** True for what did not pass alone. */
  readonly failed?: boolean;
}

/** Finds the selected part of a run; undefined for the whole run. Throws `usage-invalid` for an invalid filter, and `case-not-found`. */
export async function findPart(
  run: Run,
  store: Store,
  { filter = [], cases = [], failed = false }: PartChoices,
): Promise<RunPart | undefined> {
  const where = parseTrialFilter(filter, run);
  const ordinals = await findTrials(store, run, { where, cases, failed });
  if (ordinals === undefined) return undefined;
  const named =
    cases.length === 0 ? [] : [`${cases.length === 1 ? 'question' : 'questions'} ${cases.join(', ')}`];
  const narrowing = [...named, ...filter, ...(failed ? ['what did not pass'] : [])].join(', ');
  return { narrowing, ordinals };
}
