import type { Evaluation } from './evaluation.ts';

/** Whatever a run talks to: its targets and judges. */
interface Partner {
  open?(): Promise<void>;
  close?(): Promise<void>;
}

/**
 * Makes sure that all targets and judges can be reached before the first question, and ends all of them after the last.
 * Throws what the first that cannot be reached throws.
 */
export async function withPartnersOpen<Result>(
  { targets, metrics }: Pick<Evaluation, 'targets' | 'metrics'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const judges = new Set(metrics.flatMap(({ metric }) => metric.judge ?? []));
  const partners: Partner[] = [...targets.map(({ target }) => target), ...judges];
  try {
    const opened = await Promise.allSettled(partners.map(async (partner) => await partner.open?.()));
    const failure = opened.find((result) => result.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
    return await work();
  } finally {
    await Promise.allSettled(partners.map(async (partner) => await partner.close?.()));
  }
}
