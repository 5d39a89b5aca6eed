import type { PreferenceRuleRecord } from '../../core/schema/api/preference/report.ts';
import { createJudge } from './asking/create-judge.ts';
import { type Judge, notAskedCode } from './judge.ts';
import { createPanel } from './panel.ts';

/** The record of a judge, by which its stored judgements are found. */
type JudgeRecord = PreferenceRuleRecord['judge'];

/**
 * Creates a judge from its record, which answers with stored judgements alone. A question without one fails with
 * `judge-not-asked`; nothing is called and nothing is stored.
 */
export function createStoredJudge({ members, ...record }: JudgeRecord): Judge {
  if (members === undefined) return createSilent(record);
  return { ...createPanel(members.map(createSilent)), name: record.name };
}

function createSilent({
  name,
  fingerprint,
  isSteady,
  models = [],
}: Omit<JudgeRecord, 'members' | 'models'> & Partial<Pick<JudgeRecord, 'models'>>): Judge {
  const outcome = { status: 'failed', code: notAskedCode, reason: 'no judgement is stored' } as const;
  return createJudge({
    name,
    fingerprint,
    concurrency: 8,
    models,
    isSteady,
    together: false,
    consult: async (questions) => questions.map(() => ({ outcome, calls: [] })),
    estimate: async () => ({ calls: 0, inputTokens: 0, outputTokens: 0, cost: 0 }),
  });
}

/** Returns the record of a judge. */
export function recordJudge({ name, fingerprint, models, isSteady, members }: Judge): JudgeRecord {
  return {
    name,
    fingerprint,
    models: [...models],
    ...(isSteady === true && { isSteady }),
    ...(members !== undefined && {
      members: members.map((member) => ({
        name: member.name,
        fingerprint: member.fingerprint,
        ...(member.isSteady === true && { isSteady: member.isSteady }),
      })),
    }),
  };
}
