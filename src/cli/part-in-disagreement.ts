import { TouchstoneError } from '../errors.ts';
import { didYouMean } from '../lib/nearest-name.ts';
import { disagreementKinds } from '../analysis/disagreements/disagreement-kinds.ts';
import { createDisagreementTally } from '../analysis/disagreements/disagreements.ts';
import { withoutConditions } from '../schema/condition.ts';
import type { Outcome } from '../schema/result.ts';
import type { Run } from '../schema/run.ts';
import type { Store } from '../stores/store.ts';
import type { RunPart } from './write-report.ts';

/** Answers of a kind that are listed in full: more than anybody reads, few enough to be sorted. */
const mostListed = 200;

/** Makes sure that `--disagreements` names a kind, or none for all. Throws `usage-invalid`. */
export function checkKind(kind: string | true): void {
  const known = disagreementKinds.map(({ name }) => name);
  if (kind === true || known.includes(kind)) return;
  const hint = didYouMean(kind, known);
  throw new TouchstoneError('usage-invalid', `There is no kind of disagreement "${kind}".${hint}`, {
    remedy: `Choose from ${known.join(', ')}; or leave it out for all.`,
  });
}

/** The answers of a run, or of a part of it, on which metrics contradict each other; of one kind, or of any. */
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
    remedy: 'Add metrics of another family, such as one that asks a judge beside one that compares words.',
  });
}
