import type {
  Conversations,
  FaultRow,
  ToolRow,
  ToolSequence,
  ToolTarget,
} from '../../../core/schema/api/tools-view.ts';
import { faultHandlings } from '../../../core/schema/condition.ts';
import type { Ending } from '../../../core/schema/conversation.ts';
import type { RunTarget } from '../../../core/schema/run.ts';
import type { TraitCount } from '../../../core/trials/trial-queries.ts';
import { handlingIn } from '../../../core/trials/trial-traits.ts';
import { countWhole, type ValueCount } from './distributions.ts';

const shownSequences = 20;

/** The trials of one target, counted. */
export interface CountedTarget {
  /** Its trials that were made, with their status, and their steps where these are known. */
  readonly trials: readonly CountedTrials[];
  /** Of its answers, those that are known to have passed or failed, and those that passed. */
  readonly judged: JudgedAnswers;
  /** The counts of its traits; see `traitsOf`. */
  readonly traits: readonly TraitCount[];
}

/** The numbers of answers with a verdict. */
export interface JudgedAnswers {
  readonly measured: number;
  readonly passed: number;
}

/** Trials that have some values in common. */
export interface CountedTrials {
  readonly status: string;
  readonly steps: number | null;
  readonly trials: number;
}

/** Returns how a target used its tools, from the counts of its trials and of their traits. */
export function viewToolTarget({
  trials,
  judged,
  traits,
}: CountedTarget): Omit<ToolTarget, 'target' | 'latency' | 'faults' | 'reliability' | 'conversations'> {
  const made = trials.filter(({ status }) => status !== 'cancelled');
  const answered = made.filter(({ status }) => status === 'completed');
  const unknown = sum(ofField(traits, 'toolsUnknown'));
  return {
    trials: sum(made),
    answered: sum(answered),
    unknown,
    withCalls: ofField(traits, 'calls')[0]?.ofField.trials ?? 0,
    hasArguments: ofField(traits, 'arguments').length > 0,
    tools: toolRows(traits),
    ...sequencesOf(traits, { answered: sum(answered), ...judged }),
    steps: countWhole(
      answered.flatMap(({ steps, trials: count }): ValueCount[] => (steps === null ? [] : [[steps, count]])),
    ),
  };
}

function sum(counts: readonly { readonly trials: number }[]): number {
  return counts.reduce((all, { trials }) => all + trials, 0);
}

function ofField(traits: readonly TraitCount[], field: string): TraitCount[] {
  return traits.filter((trait) => trait.field === field);
}

/** The fields of traits that name tools. */
const toolNames = ['tool', 'expectedTool', 'missingTool', 'failedTool', 'wrongTool'] as const;

/** The fields of the traits that are read here. */
export const toolTraits: readonly string[] = [
  ...toolNames,
  'arguments',
  'calls',
  'toolsUnknown',
  'handling',
  'turns',
  'ending',
  'invalid',
];

function toolRows(traits: readonly TraitCount[]): ToolRow[] {
  const byField = new Map(
    toolNames.map((field) => [field, new Map(ofField(traits, field).map((trait) => [trait.value, trait]))]),
  );
  const names = new Set([...byField.values()].flatMap((values) => [...values.keys()]));
  const rows = [...names].map((tool): ToolRow => {
    const at = (field: (typeof toolNames)[number]) => byField.get(field)?.get(tool);
    const trialsOf = (field: (typeof toolNames)[number]) => at(field)?.trials ?? 0;
    return {
      tool,
      expected: trialsOf('expectedTool'),
      used: trialsOf('tool'),
      missing: trialsOf('missingTool'),
      failed: trialsOf('failedTool'),
      wrong: trialsOf('wrongTool'),
      calls: at('tool')?.count ?? 0,
      failedCalls: at('failedTool')?.count ?? 0,
      wrongCalls: at('wrongTool')?.count ?? 0,
    };
  });
  return rows.sort((one, other) => other.missing - one.missing || other.calls - one.calls);
}

/** Returns the most frequent sequences of calls, the one without a call among them. */
function sequencesOf(
  traits: readonly TraitCount[],
  { answered, ...judged }: JudgedAnswers & { readonly answered: number },
): Pick<ToolTarget, 'sequences' | 'others'> {
  const called = ofField(traits, 'calls');
  const { ofField: all = { values: 0, trials: 0, measured: 0, passed: 0 } } = called[0] ?? {};
  const [unknown = { trials: 0, measured: 0, passed: 0 }] = ofField(traits, 'toolsUnknown');
  const none = {
    calls: null,
    trials: answered - all.trials - unknown.trials,
    measured: judged.measured - all.measured - unknown.measured,
    passed: judged.passed - all.passed - unknown.passed,
  };
  const listed = [
    ...called.map(({ value, trials, ...known }): ToolSequence => {
      return { calls: value, trials, measured: known.measured, passed: known.passed };
    }),
    ...(none.trials > 0 ? [none] : []),
  ];
  const sequences = listed.sort((one, other) => other.trials - one.trials).slice(0, shownSequences);
  return {
    sequences,
    others: {
      sequences: all.values + Number(none.trials > 0) - sequences.length,
      trials: answered - unknown.trials - sum(sequences),
    },
  };
}

/** Returns how a target under a condition handled its faults: in all tools together, and in each tool. */
export function viewFaults(
  { name: target, condition }: RunTarget,
  traits: readonly TraitCount[],
): FaultRow[] {
  const handled = ofField(traits, 'handling');
  if (condition?.type !== 'fault' || handled.length === 0) return [];
  const labels = faultHandlings.map(({ label }) => label);
  const rows = new Map<string | null, Record<string, number>>();
  for (const { value, trials } of handled) {
    const label = labels.find((each) => value === each || value.startsWith(handlingIn(each, ''))) ?? value;
    const tool = value === label ? null : value.slice(handlingIn(label, '').length);
    rows.set(tool, { ...rows.get(tool), [label]: trials });
  }
  const ordered = [...rows].sort(([one], [other]) => Number(one !== null) - Number(other !== null));
  return ordered.map(([tool, ways]) => ({ condition, target, tool, ways }));
}

/**
 * Returns the conversations of a target: their turns, how they ended, and those that the user invalidated.
 * @param reasonAt - Returns the reason why the trial at a place in the plan is invalid.
 */
export function viewConversations(
  traits: readonly TraitCount[],
  reasonAt: (ordinal: number) => string,
): Conversations | null {
  const [turns, endings, spoilt] = ['turns', 'ending', 'invalid'].map((field) => ofField(traits, field));
  if (turns?.length === 0 && spoilt?.length === 0) return null;
  return {
    turns: countWhole((turns ?? []).map(({ value, trials }): ValueCount => [Number(value), trials])),
    endings: (endings ?? []).map(({ value, trials }) => ({ ending: value as Ending, trials })),
    spoilt: (spoilt ?? []).map(({ value, trials, first }) => ({
      kind: value,
      trials,
      reason: reasonAt(first),
    })),
  };
}
