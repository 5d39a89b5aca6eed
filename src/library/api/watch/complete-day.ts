import { hashContent } from '../../../core/lib/content-hash.ts';
import { randomId } from '../../../core/lib/random-id.ts';
import type { GateOutcome } from '../../../core/schema/decision.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { Watch, WatchDay, WatchMessage } from '../../../core/schema/watch/watch-record.ts';
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
  const { ended, watch, earlier, name, rule, reading, isRecorded } = needs;
  const { day, setting, nothing } = ended;
  const error = setting.error / Object.keys(setting.rules).length;
  const hash = hashContent(rule);
  const before = watch.rules[name] ?? firstState(hash);
  const today = reading?.scores ?? { scores: [], missing: 0 };
  const waits = reading === undefined ? undefined : waitsFor(rule, reading);
  const days = [
    ...earlier.flatMap(({ day: own, scores }) => {
      const of = scores?.[name];
      return of === undefined ? [] : [{ day: own, scores: of }];
    }),
    { day, scores: today },
  ];
  const next = isRecorded
    ? {
        state: before,
        change: null,
        days: days.filter((each) => before.after === null || each.day > before.after).length,
      }
    : reading === undefined
      ? withoutTraces(before.rule === hash ? before : firstState(hash), day)
      : nextState(before, { rule, hash, days, error, waits });
  const { state, change } = next;
  const limit = Number((1 / error).toPrecision(3));
  const isWaiting = 'isWaiting' in next && next.isWaiting === true;
  const mean = meanOfDay(rule, today);
  const isMissing = state.unmeasuredSince !== null;
  const reason = isMissing ? (nothing ?? reading?.problem) : isWaiting ? waits : undefined;
  const parts = { name, rule, state, change, scores: today, days: next.days, limit, day };
  return {
    next,
    report: {
      name,
      outcome: isMissing || isWaiting ? 'not-measured' : state.alarmSince === null ? 'pass' : 'fail',
      change,
      value: mean?.value ?? null,
      lower: mean?.lower ?? null,
      upper: mean?.upper ?? null,
      corrected: reading?.corrected ?? null,
      measured: today.scores.length,
      missing: today.missing,
      evidence: state.evidence,
      limit,
      days: next.days,
      alarmSince: state.alarmSince,
      sentence: describeRule({ ...parts, corrected: reading?.corrected, reason }),
      advice: reading?.advice ?? null,
    },
  };
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
