import { hashText } from '../../core/lib/content-hash.ts';
import { hashAnswer } from '../../decide/analysis/hash-answer.ts';
import { outcomeOfTrial, type Result, type TrialOutcome } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Subject } from '../../core/schema/review/label.ts';
import type { Frame } from '../../core/schema/review/review-task.ts';
import { passedBy, type Verdict } from '../../core/schema/verdict.ts';
import type { Store } from '../../stores/store.ts';
import type { FrameEntry } from './draw/draw.ts';

/** Returns the subject of labels that a result of a run is. */
export function subjectOf({ case: testCase, trial }: Result, run: Pick<Run, 'id'>): Subject {
  const { category } = testCase;
  return {
    trialKey: trial.key,
    answerHash: hashAnswer(trial),
    caseHash: trial.caseHash,
    caseId: trial.caseId,
    category,
    target: trial.target,
    attempt: trial.attempt,
    run: run.id,
    ordinal: trial.ordinal,
  };
}

/** The answers of a run that may be drawn. */
export interface FrameChoice {
  /** The ordinals of the trials that match the filter; all by default. */
  readonly ordinals?: readonly number[];
  /** The filter as the user wrote it. */
  readonly filter: readonly string[];
  /** The metric whose verdict the draw depends on; an answer without a verdict is then not in the frame. */
  readonly metric?: string;
  /** True when the draw depends on the outcome of the scorecard; an answer without one is then not in the frame. */
  readonly isByOutcome?: boolean;
  /** The answers that an earlier task has, by `trialKey` and `answerHash`; they are not in the frame. */
  readonly without?: ReadonlySet<string>;
}

/** The frame of a draw with its answers, in the order of the plan. */
export interface ReadFrame {
  readonly frame: Frame;
  readonly entries: readonly FrameEntry[];
}

/** Returns the text by which an answer is found among the answers of an earlier task. */
export function answerKey({ trialKey, answerHash }: Pick<Subject, 'trialKey' | 'answerHash'>): string {
  return `${trialKey} ${answerHash}`;
}

/** Reads the answers of a run that may be drawn, and counts the others by the reason why they may not. */
export async function readFrame(store: Store, run: Run, choice: FrameChoice): Promise<ReadFrame> {
  const entries: FrameEntry[] = [];
  const excluded = new Map<string, number>();
  let hash = '';
  for await (const result of store.readResults(run.id, choice.ordinals)) {
    const subject = subjectOf(result, run);
    const verdict = choice.metric === undefined ? undefined : result.verdicts[choice.metric];
    const outcome = choice.isByOutcome === true ? outcomeOfTrial(run, result) : undefined;
    const reason = whyExcluded(result, { ...choice, subject, verdict, outcome });
    if (reason !== undefined) {
      excluded.set(reason, (excluded.get(reason) ?? 0) + 1);
      continue;
    }
    hash = hashText(`${hash} ${answerKey(subject)}`);
    const passed = outcome === undefined ? passedBy(verdict) : outcome === 'passed';
    entries.push({ subject, passed, uncertainty: uncertaintyOf(verdict) });
  }
  const counts = Array.from(excluded, ([reason, count]) => ({ reason, count }));
  const { filter } = choice;
  return {
    entries,
    frame: { run: run.id, filter: [...filter], count: entries.length, hash, excluded: counts },
  };
}

function whyExcluded(
  { trial }: Result,
  {
    metric,
    subject,
    verdict,
    without,
    outcome,
  }: FrameChoice & {
    readonly subject: Subject;
    readonly verdict: Verdict | undefined;
    readonly outcome: TrialOutcome | undefined;
  },
): string | undefined {
  if (trial.status !== 'completed') return 'no answer';
  if (trial.erased !== undefined) return 'its texts were erased';
  if (trial.spoilt !== undefined) return 'the simulated user was at fault';
  if (outcome !== undefined && outcome !== 'passed' && outcome !== 'failed')
    return 'no outcome of the scorecard';
  if (metric !== undefined && passedBy(verdict) === null) return `no verdict of ${metric}`;
  return without?.has(answerKey(subject)) === true ? 'labelled in the pilot' : undefined;
}

/**
 * Returns how uncertain a verdict is, from 0 to 1: by the samples of the judge, which is most where half of them passed;
 * else by how near its value is to one half.
 */
function uncertaintyOf(verdict: Verdict | undefined): number {
  if (verdict?.status !== 'scored' || verdict.unit !== undefined) return 0;
  const { samples, value } = verdict;
  const share =
    samples === undefined
      ? value
      : samples.filter((sample) => sample.passed ?? sample.value >= 0.5).length / samples.length;
  return samples === undefined ? Math.max(0, 1 - Math.abs(2 * share - 1)) : 4 * share * (1 - share);
}
