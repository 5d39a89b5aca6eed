import type { Run } from '../../../core/schema/run.ts';

/** A part of the plan of a run that one process works through at a time: the cases of a range of positions. */
export interface PlanPart {
  /** The name under which it is claimed. */
  readonly name: string;
  readonly from: number;
  /** The position after its last case. */
  readonly to: number;
}

/** The most trials of a part: what is asked for again when a process dies, and what a process reads at a time. */
const mostTrials = 200;

/** The parts that a plan has at least, where it has as many cases, so that many processes end at about the same time. */
const fewestParts = 64;

/**
 * Divides the plan of a run into parts, which depend on the plan alone: every process finds the same ones. All attempts of all
 * targets at a case are in one part.
 */
export function planParts({
  dataset,
  targets,
  attempts,
}: Pick<Run, 'dataset' | 'targets' | 'attempts'>): PlanPart[] {
  const { cases } = dataset;
  const within = Math.max(1, Math.floor(mostTrials / (targets.length * attempts)));
  const size = Math.max(1, Math.min(within, Math.ceil(cases / fewestParts)));
  return Array.from({ length: Math.ceil(cases / size) }, (_, index) => {
    const [from, to] = [index * size, Math.min(cases, (index + 1) * size)];
    return { name: `${from}-${to}`, from, to };
  });
}

/** Returns the positions of the cases of a part, in ascending order. */
export function positionsOf({ from, to }: PlanPart): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

/** Returns the ordinals of the trials of a part, in ascending order. */
export function ordinalsOf(
  { from, to }: PlanPart,
  { targets, attempts }: Pick<Run, 'targets' | 'attempts'>,
): number[] {
  const ofCase = targets.length * attempts;
  return Array.from({ length: (to - from) * ofCase }, (_, index) => from * ofCase + index);
}
