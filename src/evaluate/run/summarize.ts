import { certifyRun } from '../../decide/certificates/certify-run.ts';
import { correctScores } from '../../decide/gate/corrected-score.ts';
import { reportJudges } from '../../decide/certificates/judged-rates.ts';
import { weightAttempts } from '../../decide/analysis/attempts.ts';
import { withAdvice } from '../../decide/analysis/noise.ts';
import { aggregate } from '../../decide/analysis/aggregate.ts';
import { plannedCategories } from '../../decide/analysis/summary/categories.ts';
import { findNeverRetrieved } from '../../decide/analysis/summary/never-retrieved.ts';
import { tallyJudgements } from '../../decide/analysis/summary/tally-usage.ts';
import { tallyTools } from '../../decide/analysis/summary/tally-tools.ts';
import { decideRun } from '../../decide/gate/decide-run.ts';
import { withoutNotNeeded } from '../../decide/gate/sequential/decide-sequentially.ts';
import { countFailedAgain } from './failed-cases.ts';
import { timeNow } from '../../core/lib/time.ts';
import { gatedTargets } from '../../decide/gate/gated-targets.ts';
import type { Decision } from '../../core/schema/decision.ts';
import type { Calibration } from '../../core/schema/review/certificate.ts';
import type { JudgedMetricReport } from '../../core/schema/review/certification.ts';
import { findUnread, type Run } from '../../core/schema/run.ts';
import {
  type Summary,
  summarySchema,
  type TargetSummary,
  type TrialCounts,
} from '../../core/schema/summary.ts';
import { readRuns, type Store } from '../../stores/store.ts';

/**
 * Computes the numbers and the decision of a run from its stored outcomes.
 * @param outcomes - All outcomes in the order of the plan, in batches, when they need not be read from the store.
 */
export async function summarizeRun(
  run: Run,
  store: Store,
  outcomes = store.readOutcomes(run.id),
): Promise<Summary> {
  const categories = await plannedCategories(run, store);
  const numbers = await aggregate(run, categories, weightAttempts(run, outcomes));
  const judge = await tallyJudgements(run.id, store.readJudgements(run.id), numbers.targets);
  // A gate is about targets without conditions; robustness is reported separately.
  const names = new Set(gatedTargets(run).map(({ name }) => name));
  const plain = numbers.targets.filter(({ target }) => names.has(target));
  const decision = await decideRun(isWhole(numbers) ? withoutStops(run) : run, store, plain);
  const isLeft = decision.sequential?.isDecided === true;
  const advised = withAdvice(isLeft ? numbers.targets.map(withoutNotNeeded) : numbers.targets, judge);
  const unread = findUnread(run);
  const { targets, judged } = await readJudged(run, store, advised);
  const never = await findNeverRetrieved(run, () => store.readResults(run.id));
  const whole: Summary = {
    ...numbers,
    targets: targets.map((each) => {
      const neverRetrieved = never.get(each.target);
      return neverRetrieved === undefined ? each : { ...each, neverRetrieved };
    }),
    ...(judge && { judge }),
    ...(judged.length > 0 && { judged }),
    ...(unread.length > 0 && { unread }),
    ...(run.tools !== undefined && { tools: await tallyTools(store.readTrials(run.id)) }),
    decision,
  };
  return await countFailedAgain(whole, run, store);
}

/**
 * Returns the numbers of a run that are stored with it. A run that was killed or is still active has none yet, and older
 * versions stored fewer numbers: then they are computed from the records. Certificates of judges are the current ones.
 */
export async function readSummary(run: Run, store: Store): Promise<Summary> {
  const kept = summarySchema.safeParse(run.summary).data;
  return kept === undefined ? await summarizeRun(run, store) : await withCertificates(kept, run, store);
}

/**
 * Returns a stored summary with the certificates of today, and with the rates that were corrected since. Its decision stays the
 * one that was made; what it says of a judge that is certified by now is brought up to date.
 */
async function withCertificates(
  { judged: _before, ...kept }: Summary,
  run: Run,
  store: Store,
): Promise<Summary> {
  const { targets, judged } = await readJudged(run, store, kept.targets);
  if (judged.length === 0) return { ...kept, targets };
  return { ...kept, targets, decision: withoutSettled(kept.decision, judged, run), judged };
}

/**
 * Returns whether the corrected scores that are stored with a run rest on the certificates of today: none of these has ended since,
 * or was replaced. Throws `store-damaged`.
 */
export async function hasCorrectionsOfToday(run: Run, store: Store): Promise<boolean> {
  const kept = summarySchema.safeParse(run.summary).data?.judged ?? [];
  const certified = await certifyRun(run, store);
  return certified.every(({ metric, certification: { status, certificate } }) => {
    const before = kept.find((each) => each.metric === metric.name);
    return before?.status === status && before.certificate?.id === certificate?.id;
  });
}

/** Reads what the certificates of judges say of a run: the rates of each judged metric, and the scores that people would give. */
async function readJudged(
  run: Run,
  store: Store,
  targets: readonly TargetSummary[],
): Promise<{ readonly targets: TargetSummary[]; readonly judged: JudgedMetricReport[] }> {
  const certified = await certifyRun(run, store);
  return {
    targets: await correctScores({ run, store, certified }, targets),
    judged: reportJudges(run, certified, targets),
  };
}

/**
 * Stores with the ended runs of a judged metric what its new certificate says of them, so that lists, which read no answers, show
 * the same score as reports. Throws `store-damaged`.
 */
export async function storeCorrections(
  { metric, judge }: Pick<Calibration, 'metric' | 'judge'>,
  store: Store,
): Promise<void> {
  for await (const run of readRuns(store)) {
    const isEnded = run.status === 'completed' || run.status === 'interrupted';
    const isJudged = run.metrics.some(
      (each) => each.name === metric.name && each.judge?.fingerprint === judge.fingerprint,
    );
    const kept = isEnded && isJudged ? summarySchema.safeParse(run.summary).data : undefined;
    if (kept === undefined) continue;
    const { targets, judged } = await readJudged(run, store, kept.targets);
    await store.updateRun({ ...run, summary: { ...kept, targets, ...(judged.length > 0 && { judged }) } });
  }
}

/**
 * Returns a decision without warnings about judges that are certified by now; where it could not be made for want of a certificate,
 * it says that there is one now.
 */
function withoutSettled(
  { uncertified = [], ...decision }: Decision,
  judged: readonly JudgedMetricReport[],
  { id }: Pick<Run, 'id'>,
): Decision {
  const isValid = (metric: string) =>
    judged.some((each) => each.metric === metric && each.status === 'valid');
  const left = uncertified.filter(({ metric, isRequired }) => isRequired || !isValid(metric));
  const reasons = decision.reasons.map((reason) => {
    const settled = left.find(({ message, metric }) => message === reason && isValid(metric));
    if (settled === undefined) return reason;
    const who = `the judge ${settled.judge} of the metric "${settled.metric}"`;
    return `${who} had no certificate when this was decided, and has one now: \`touchstone gate ${id}\` decides by it`;
  });
  return { ...decision, reasons, ...(left.length > 0 && { uncertified: left }) };
}

/**
 * Decides on a stored run by the gate that its record has now, and returns its numbers with that decision. The numbers of
 * a run that its gate ended early are computed again, because they lack what another gate may need.
 */
export async function decideAgain(run: Run, store: Store): Promise<Summary> {
  const kept = summarySchema.safeParse(run.summary).data;
  if (kept === undefined || kept.decision.sequential?.isDecided === true)
    return await summarizeRun(run, store);
  const names = new Set(gatedTargets(run).map(({ name }) => name));
  const plain = kept.targets.filter(({ target }) => names.has(target));
  const summary = await withCertificates(kept, run, store);
  return { ...summary, decision: await decideRun(run, store, plain) };
}

/**
 * Summarizes a run, and stores the summary together with the final status: completed, or interrupted when something is
 * missing.
 * @param made - The summary, when it exists already.
 */
export async function finishRun(planned: Run, store: Store, made?: Summary): Promise<Run> {
  const summary = made ?? (await summarizeRun(planned, store));
  const finished: Run = {
    ...planned,
    status: isWhole(summary) ? 'completed' : 'interrupted',
    finishedAt: timeNow(),
    summary,
  };
  await store.updateRun(finished);
  return finished;
}

function isWhole({ targets }: Pick<Summary, 'targets'>): boolean {
  return targets.every(({ counts }) => isDone(counts));
}

/**
 * Drops the recorded stops. A limit that was reached while the last answers were arriving has prevented nothing from being
 * measured.
 */
function withoutStops({ stops: _harmless, ...run }: Run): Run {
  return run;
}

function isDone({ notRun, cancelled, unscored = 0 }: TrialCounts): boolean {
  return notRun + cancelled + unscored === 0;
}
