import type { Ballot } from '../../judges/judge.ts';
import type { Json } from '../../schema/json.ts';
import type { Verdict, VerdictSample } from '../../schema/verdict.ts';

type Vote = {
  readonly judge: string;
  readonly sample: number;
  readonly value: number;
  readonly reason: string;
  /** What the judge said on another scale. */
  readonly given?: Given | undefined;
};

type Given = NonNullable<Ballot<'score'>['answer']['given']>;

/** The verdict of scores: their mean, with the spread when there are several. */
export function verdictOfScores(ballots: readonly Ballot<'score'>[], threshold: number | undefined): Verdict {
  const votes = ballots.map(({ answer, ...ballot }) => ({
    ...ballot,
    value: answer.score,
    reason: answer.reason,
    given: answer.given,
  }));
  const value = meanOf(votes);
  return {
    status: 'scored',
    value,
    passed: threshold === undefined ? undefined : value >= threshold - 1e-9,
    explanation: explain(votes, value),
    evidence: describeVotes(votes, value),
    ...perSample(ballots, (sample) => verdictOfScores(sample, threshold)),
    judgements: ballots.map(({ judgement }) => judgement),
  };
}

/** The verdict of yes and no: 1 or 0 by majority, 0.5 when both have as many. */
export function verdictOfVerdicts(ballots: readonly Ballot<'verdict'>[]): Verdict {
  const votes = ballots.map(({ answer, ...ballot }) => ({
    ...ballot,
    value: answer.verdict === 'yes' ? 1 : 0,
    reason: answer.reason,
  }));
  const share = meanOf(votes);
  const value = share === 0.5 ? 0.5 : Math.round(share);
  return {
    status: 'scored',
    value,
    passed: value > 0.5,
    explanation: explain(votes, value),
    evidence: describeVotes(votes, share),
    ...perSample(ballots, verdictOfVerdicts),
    judgements: ballots.map(({ judgement }) => judgement),
  };
}

/** The verdict that each sample would give by itself, of all judges; empty where there was only one. */
export function perSample<Cast extends Pick<Ballot, 'sample'>>(
  ballots: readonly Cast[],
  count: (ballots: readonly Cast[]) => Verdict,
): { readonly samples?: VerdictSample[] } {
  const bySample = [...Map.groupBy(ballots, ({ sample }) => sample).values()];
  if (bySample.length < 2) return {};
  const samples = bySample.flatMap((sample) => {
    const verdict = count(sample);
    if (verdict.status !== 'scored') return [];
    const { value, passed } = verdict;
    return [passed === undefined ? { value } : { value, passed }];
  });
  return { samples };
}

function meanOf(votes: readonly Vote[]): number {
  const sum = votes.reduce((total, { value }) => total + value, 0);
  // Rounding of the sum must not leave the range that all votes are in.
  return Math.min(1, Math.max(0, sum / votes.length));
}

function explain(votes: readonly Vote[], value: number): string {
  const nearest = votes.reduce((best, vote) =>
    Math.abs(vote.value - value) < Math.abs(best.value - value) ? vote : best,
  );
  const { given } = nearest;
  const scale = given === undefined ? '' : ` on the scale from ${given.least} to ${given.most}`;
  if (votes.length === 1)
    return given === undefined ? nearest.reason : `${given.score}${scale}. ${nearest.reason}`;
  const values = votes.map((vote) => vote.given?.score ?? vote.value);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const range = least === most ? `all ${format(least)}` : `from ${format(least)} to ${format(most)}`;
  const spread = `${range}${scale}`;
  return `${votes.length} ballots, ${spread}. ${nearest.reason}`;
}

/** Every ballot and how far they agree; of a single one, whose reason is the explanation, what was said on another scale. */
function describeVotes(votes: readonly Vote[], mean: number): Json | undefined {
  if (votes.length === 1) return votes[0]?.given === undefined ? undefined : { given: votes[0].given };
  const values = votes.map(({ value }) => value);
  const squares = values.reduce((total, value) => total + (value - mean) ** 2, 0);
  return {
    mean,
    standardDeviation: Math.sqrt(squares / (votes.length - 1)),
    least: Math.min(...values),
    most: Math.max(...values),
    ballots: votes.map(({ judge, sample, value, reason, given }) => ({
      judge,
      sample,
      value,
      reason,
      ...(given && { given }),
    })),
  };
}

function format(value: number): string {
  return String(Math.round(value * 100) / 100);
}
