import type { JudgeQuestion, JudgeView } from '../../core/schema/api/judge-view.ts';
import { getOrCreate } from '../../core/lib/objects.ts';
import type { Judgement } from '../../core/schema/judgement.ts';
import { quantile } from '../../core/stats/quantile.ts';
import { createCompensatedSum } from '../../core/stats/compensated-sum.ts';

/** Creates a tally of judgements: the questions, the failures, the models, and the cost and time of their calls. */
export function createJudgementTally() {
  const questions = new Map<string, JudgeQuestion>();
  const models = new Map<string, { model: string; calls: number }>();
  const calls = new Set<string>();
  const latencies: number[] = [];
  const cost = { sum: createCompensatedSum(), reported: 0, unknown: 0 };
  const seen = new Set<string>();

  const addCall = (call: Judgement['calls'][number]): void => {
    if (calls.has(call.id)) return;
    calls.add(call.id);
    getOrCreate(models, call.model, () => ({ model: call.model, calls: 0 })).calls += 1;
    if (call.latencyMs !== undefined) latencies.push(call.latencyMs);
    // A call without any reply, for instance from a server that is down, is not charged.
    if (call.reply === null && call.usage === undefined) return;
    if (call.cost === undefined) cost.unknown += 1;
    else {
      cost.reported += 1;
      cost.sum.add(call.cost);
    }
  };

  return {
    /** Adds a judgement, once however many runs use it. */
    add: ({ id, question, outcome, calls: made }: Judgement): void => {
      if (seen.has(id)) return;
      seen.add(id);
      const row = getOrCreate(questions, `${question.id} ${question.shape}`, () => {
        return { id: question.id, shape: question.shape, judgements: 0, failures: [] };
      });
      row.judgements += 1;
      if (outcome.status === 'failed') addFailure(row, outcome);
      for (const call of made) addCall(call);
    },
    count: (): number => seen.size,
    summarize: (): Pick<JudgeView, 'questions' | 'models' | 'calls' | 'cost' | 'latency'> => ({
      questions: [...questions.values()].toSorted((one, other) => other.judgements - one.judgements),
      models: [...models.values()].toSorted((one, other) => other.calls - one.calls),
      calls: calls.size,
      cost: {
        sum: cost.reported === 0 ? null : cost.sum.total(),
        reported: cost.reported,
        unknown: cost.unknown,
      },
      latency: percentiles(latencies),
    }),
  };
}

function addFailure({ failures }: JudgeQuestion, { code, reason }: { code: string; reason: string }): void {
  const known = failures.find((failure) => failure.code === code);
  if (known === undefined) failures.push({ code, reason, judgements: 1 });
  else known.judgements += 1;
}

function percentiles(values: readonly number[]): JudgeView['latency'] {
  const of = (p: number) => quantile({ values, p, method: 'nearest-rank' }).value ?? 0;
  return values.length === 0 ? null : { p50: of(0.5), p90: of(0.9), p99: of(0.99) };
}
