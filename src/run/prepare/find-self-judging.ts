import type { Evaluation } from '../evaluation.ts';

/** Warns of targets that are judged by the very model they run on: models are kind to themselves. One sentence each. */
export function findSelfJudging({ targets, metrics }: Pick<Evaluation, 'targets' | 'metrics'>): string[] {
  const judges = new Set(metrics.flatMap(({ metric }) => metric.judge?.models ?? []));
  return targets.flatMap(({ name, use }) => {
    const shared = [...modelsIn(use)].find((model) => judges.has(model));
    if (shared === undefined) return [];
    return [
      `${name} is judged by ${shared}, the model it runs on: such judges are kind to themselves. Take another.`,
    ];
  });
}

/** Names of the models that a target's options mention, however deep: whatever is called `model`. */
function* modelsIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (key === 'model' && typeof member === 'string') yield member;
    else yield* modelsIn(member);
  }
}
