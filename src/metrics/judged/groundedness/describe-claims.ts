import type { Ballot, JudgeMaterial } from '../../../judges/judge.ts';
import type { Json } from '../../../schema/json.ts';
import type { Verdict } from '../../../schema/verdict.ts';
import { perSample } from '../count-ballots.ts';
import { searchPassages } from './nearest-passage.ts';

/** What the judge said of the claims of one answer. */
export interface CheckedClaims {
  readonly claims: readonly string[];
  readonly ballots: readonly Ballot<'checks'>[];
  readonly sources: readonly JudgeMaterial[];
  /** Ids of the judgements that found the claims. */
  readonly foundBy: readonly string[];
  readonly threshold: number | undefined;
}

/** The verdict: the share of claims that are supported, with every other by name and the passage nearest to it. */
export function verdictOfChecks({ claims, ballots, sources, foundBy, threshold }: CheckedClaims): Verdict {
  const search = searchPassages(sources);
  const checked = claims.map((claim, index) => {
    const checks = ballots.map(({ answer }) => answer.checks[index]).filter((check) => check !== undefined);
    const support = checks.filter(({ supported }) => supported).length / checks.length;
    const [first] = checks;
    const passage = first?.passage ?? '';
    return {
      claim,
      support,
      reason: first?.reason ?? '',
      ...(passage !== '' && { passage, isQuoted: search.holds(passage) }),
      ...(support <= 0.5 && { nearest: (search.nearestTo(claim) ?? null) as Json }),
    };
  });
  const value = checked.reduce((sum, { support }) => sum + support, 0) / checked.length;
  const unsupported = checked.filter(({ support }) => support <= 0.5).map(({ claim }) => claim);
  return {
    status: 'scored',
    value,
    passed: threshold === undefined ? undefined : value >= threshold - 1e-9,
    explanation: explain(checked.length, unsupported),
    evidence: { unsupported, claims: checked },
    ...perSample(ballots, (sample) =>
      verdictOfChecks({ claims, ballots: sample, sources, foundBy, threshold }),
    ),
    judgements: [...foundBy, ...ballots.map(({ judgement }) => judgement)],
  };
}

function explain(claims: number, unsupported: readonly string[]): string {
  const supported = `${claims - unsupported.length} of ${claims} claims are supported`;
  return unsupported.length === 0 ? supported : `${supported}; not: ${unsupported.join(' · ')}`;
}
