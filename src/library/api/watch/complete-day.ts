import { hashContent } from '../../../core/lib/content-hash.ts';
import { randomId } from '../../../core/lib/random-id.ts';
import type { GateOutcome } from '../../../core/schema/decision.ts';
import type { Run } from '../../../core/schema/run.ts';
import type {
  RuleState,
  ScoresOfDay,
  Watch,
  WatchDay,
  WatchMessage,
} from '../../../core/schema/watch/watch-record.ts';
import type { WatchRule, WatchSetting } from '../../../core/schema/watch/watch-setting.ts';
import { formatShare } from '../../../decide/gate/phrases.ts';
import {
  firstState,
  type NextState,
  nextState,
  thresholdOf,
  withoutTraces,
} from '../../../decide/live/next-state.ts';
import { readDay, type RuleReading } from '../../../decide/live/read-day.ts';
import type { DocumentStore } from '../../../stores/documents/document-store.ts';
import { watchDayKind, watchKind } from '../../../stores/kinds/watch.ts';
import type { Store } from '../../../stores/store.ts';
import { liveTarget } from './live-evaluation.ts';
import { describeRule, meanOfDay, type RuleReport } from './watch-report.ts';

/** The day of a watch whose run has ended, with the run; or a day without traces. */
export interface EndedDay {
  readonly setting: WatchSetting;
  readonly day: string;
  /** The drawn day; undefined when nothing arrived. */
  readonly drawn: WatchDay | undefined;
  readonly run: Run | undefined;
  /** The words for a day without traces. */
  readonly nothing?: string;
}

/**
 * Records what a day of a watch has shown, once: scores, the state of the rules, and the messages about what has changed, all in one
 * change. A day that was recorded before is described as it is. Throws `store-damaged`.
 */
export async function completeDay(store: Store, ended: EndedDay): Promise<readonly RuleReport[]> {
  const { setting, day, run, drawn } = ended;
  const { rules } = setting;
  const readings = run === undefined ? undefined : await readDay(run, store, { rules, target: liveTarget });
  const earlier = await listDays(store.documents, setting.name, day);
  return await store.documents.change([watchKind, watchDayKind], async (change) => {
    const known = await change.get(watchKind, [setting.name]);
    const watch: Watch = known ?? { name: setting.name, rules: {}, outbox: [] };
    const stored = await change.get(watchDayKind, [setting.name, day]);
    const isRecorded = stored !== undefined && stored.scores !== null;
    const found = Object.entries(rules).map(([name, rule]) =>
      readRule({ ended, watch, earlier, name, rule, reading: readings?.get(name), isRecorded }),
    );
    if (isRecorded) return found.map(({ report }) => report);
    const states = Object.fromEntries(found.map(({ report, next }) => [report.name, next.state]));
    const messages = createMessages(
      ended,
      found.map(({ report }) => report),
    );
    await change.put(watchKind, [{ ...watch, rules: states, outbox: [...watch.outbox, ...messages] }]);
    if (drawn !== undefined && run !== undefined && readings !== undefined) {
      const scores = Object.fromEntries([...readings].map(([name, reading]) => [name, reading.scores]));
      await change.put(watchDayKind, [{ ...drawn, run: run.id, scores }]);
    }
    return found.map(({ report }) => report);
  });
}

/** Lists the days of a watch before another. */
async function listDays(documents: DocumentStore, watch: string, before: string): Promise<WatchDay[]> {
  const days = await Array.fromAsync(documents.list(watchDayKind, { where: { watch } }));
  return days.filter(({ day }) => day < before);
}

interface RuleNeeds {
  readonly ended: EndedDay;
  readonly watch: Watch;
  readonly earlier: readonly WatchDay[];
  readonly name: string;
  readonly rule: WatchRule;
  readonly reading: RuleReading | undefined;
  /** True when the day was recorded before: its state is the stored one, and nothing changes. */
  readonly isRecorded: boolean;
}

function readRule(needs: RuleNeeds): { readonly report: RuleReport; readonly next: NextState } {
  const { ended, name, rule, reading } = needs;
  const { day, setting, nothing } = ended;
  const error = setting.error / Object.keys(setting.rules).length;
  const scores = reading?.scores ?? noScores;
  const waits = reading === undefined ? undefined : waitsFor(rule, reading);
  const next = stateAfter(needs, { error, waits });
  const { state, change, days, isWaiting = false } = next;
  const limit = Number((1 / error).toPrecision(3));
  const { value, lower, upper } = meanOfDay(rule, scores) ?? { value: null, lower: null, upper: null };
  const isUnmeasured = state.unmeasuredSince !== null;
  const waiting = isWaiting ? waits : undefined;
  const reason = isUnmeasured ? (nothing ?? reading?.problem) : waiting;
  const parts = { name, rule, state, change, scores, days, limit, day };
  return {
    next,
    report: {
      name,
      outcome: outcomeOf(state, isWaiting),
      change,
      value,
      lower,
      upper,
      corrected: reading?.corrected ?? null,
      measured: scores.scores.length,
      missing: scores.missing,
      evidence: state.evidence,
      limit,
      days,
      alarmSince: state.alarmSince,
      sentence: describeRule({ ...parts, corrected: reading?.corrected, reason }),
      advice: reading?.advice ?? null,
    },
  };
}

const noScores: ScoresOfDay = { scores: [], missing: 0 };

function outcomeOf({ unmeasuredSince, alarmSince }: RuleState, isWaiting: boolean): GateOutcome {
  if (unmeasuredSince !== null || isWaiting) return 'not-measured';
  return alarmSince === null ? 'pass' : 'fail';
}

/** Returns the state of a rule after the day: the stored one of a day that was recorded before, else the next one. */
function stateAfter(
  { ended: { day }, watch, earlier, name, rule, reading, isRecorded }: RuleNeeds,
  { error, waits }: { readonly error: number; readonly waits: string | undefined },
): NextState {
  const hash = hashContent(rule);
  const before = watch.rules[name] ?? firstState(hash);
  const known = earlier.flatMap(({ day: own, scores }) => {
    const ofRule = scores?.[name];
    return ofRule === undefined ? [] : [{ day: own, scores: ofRule }];
  });
  const days = [...known, { day, scores: reading?.scores ?? noScores }];
  if (isRecorded) {
    const { after } = before;
    return {
      state: before,
      change: null,
      days: days.filter((each) => after === null || each.day > after).length,
    };
  }
  if (reading === undefined) return withoutTraces(before.rule === hash ? before : firstState(hash), day);
  return nextState(before, { rule, hash, days, error, waits });
}

/** Returns why an alarm waits: the judge is not certified for production, or people would not see what it sees. */
function waitsFor(rule: WatchRule, { uncertified, corrected }: RuleReading): string | undefined {
  if (uncertified !== undefined) return uncertified;
  if (corrected === undefined) return undefined;
  const isTurned = rule.type === 'metric' && rule.atMost !== undefined;
  const isBad = (isTurned ? 1 - corrected : corrected) < thresholdOf(rule);
  return isBad ? undefined : `by the certificate of the judge, people would say ${formatShare(corrected)}`;
}

/** Creates the messages about what has changed, one for rules of which the same is to be said. */
function createMessages({ setting, run, nothing }: EndedDay, reports: readonly RuleReport[]): WatchMessage[] {
  const { webhook, name } = setting;
  if (webhook === undefined) return [];
  const changed = reports.filter(({ change }) => change !== null && webhook.on.includes(change));
  const [first] = changed;
  if (first !== undefined && run === undefined)
    return [
      {
        id: `msg_${randomId()}`,
        outcome: 'not-measured',
        text: `${name}: not measured: ${nothing ?? 'nothing arrived'}`,
        rule: null,
        run: null,
        evidence: null,
      },
    ];
  return changed.map(({ name: rule, change, sentence, evidence }) => ({
    id: `msg_${randomId()}`,
    outcome: change ?? 'not-measured',
    text: `${name}: ${sentence}`,
    rule,
    run: run?.id ?? null,
    evidence,
  }));
}

/** Returns the outcome of all rules together: the worst one. */
export function joinOutcomes(reports: readonly Pick<RuleReport, 'outcome'>[]): GateOutcome {
  const has = (outcome: GateOutcome) => reports.some((report) => report.outcome === outcome);
  return has('fail') ? 'fail' : has('not-measured') ? 'not-measured' : 'pass';
}
