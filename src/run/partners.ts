import type { Evaluation } from './evaluation.ts';
import { withoutSecretsInError } from './without-secrets.ts';

/** Whatever a run talks to or relies on: its targets and judges, who talks for it, what measures. */
interface Partner {
  open?(): Promise<void>;
  close?(): Promise<void>;
}

/**
 * Makes sure that all targets, users and judges can be reached, and all metrics are ready, before the first
 * question, and ends all of them after the last. Throws what the first that cannot be reached throws.
 */
export async function withPartnersOpen<Result>(
  {
    targets,
    users,
    metrics,
    secrets,
  }: Pick<Evaluation, 'targets' | 'metrics' | 'secrets'> & Partial<Pick<Evaluation, 'users'>>,
  work: () => Promise<Result>,
): Promise<Result> {
  const judges = new Set(metrics.flatMap(({ metric }) => metric.judge ?? []));
  const players = [users?.scripted ?? [], users?.simulated?.user ?? []].flat();
  const live = [...targets.map(({ target }) => target), ...metrics.map(({ metric }) => metric)];
  const partners: Partner[] = [...live, ...players, ...judges];
  try {
    const opened = await Promise.allSettled(partners.map(async (partner) => await partner.open?.()));
    const failure = opened.find((result) => result.status === 'rejected');
    if (failure !== undefined) {
      throw secrets === undefined ? failure.reason : withoutSecretsInError(failure.reason, secrets);
    }
    return await work();
  } finally {
    await Promise.allSettled(partners.map(async (partner) => await partner.close?.()));
  }
}
