import { parseJson } from '../../core/lib/json/parse-json.ts';
import { type LabelMark, type LabelOutcome, labelSchema, markOf } from '../../core/schema/review/label.ts';
import { type ColumnValues, defineKind } from '../documents/kind.ts';

/** The columns of a label from which progress follows, after its task. */
const markNames = [
  'item',
  'id',
  'rubric',
  'rubric_version',
  'person',
  'kind',
  'purpose',
  'status',
  'value',
  'blind',
  'given_at',
  'seconds',
  'replaces',
] as const;

/** The labels that people gave to answers: events that never change. */
export const labelKind = defineKind({
  name: 'label',
  table: 'labels',
  about: 'Labels of people: events that never change; one that was replaced or withdrawn stays.',
  schema: () => labelSchema,
  columns: {
    id: ['text', ({ id }) => id],
    // Empty for a label without a task.
    task: ['text', ({ task }) => task ?? ''],
    item: ['integer?', ({ item }) => item],
    rubric: ['text', ({ rubric }) => rubric.id],
    rubric_version: ['text', ({ rubric }) => rubric.version],
    person: ['text', ({ by }) => by.person],
    kind: ['text', ({ kind }) => kind],
    purpose: ['text', ({ purpose }) => purpose],
    status: ['text', ({ outcome }) => outcome.status],
    // JSON: the value, or the reason for skipping.
    value: ['text?', ({ outcome }) => valueText(outcome)],
    blind: ['integer', (label) => Number(markOf(label).isBlind)],
    given_at: ['text', ({ at }) => at],
    seconds: ['real?', ({ seconds }) => seconds],
    replaces: ['text?', ({ replaces }) => replaces ?? null],
    run_id: ['text?', ({ subject }) => subject.run ?? null],
    case_hash: ['text', ({ subject }) => subject.caseHash],
    answer_hash: ['text', ({ subject }) => subject.answerHash],
  },
  order: ['given_at', 'id'],
  part: 'task',
  indexes: [
    { on: ['task', 'item'], with: markNames.slice(1) },
    { on: ['given_at', 'id'] },
    { on: ['task', 'given_at', 'id'] },
    { on: ['answer_hash'] },
    { on: ['run_id'] },
  ],
  describe: ({ id, person, rubric, item }) =>
    `label ${id} of ${person} by ${rubric}${item === null ? '' : `, item ${item + 1}`}`,
});

/** The columns to read of a label for {@link markIn}. */
export const markColumns: readonly MarkColumn[] = markNames;
type MarkColumn = (typeof markNames)[number];

/** Reads the part of a label from which its progress follows out of its columns. */
export function markIn(columns: Pick<ColumnValues<(typeof labelKind)['columns']>, MarkColumn>): LabelMark {
  const {
    id,
    item,
    rubric,
    rubric_version: version,
    person,
    status,
    value,
    blind,
    seconds,
    replaces,
  } = columns;
  return {
    id,
    item,
    rubric: { id: rubric, version },
    person,
    kind: columns.kind as LabelMark['kind'],
    purpose: columns.purpose as LabelMark['purpose'],
    outcome: outcomeOf(status as LabelOutcome['status'], value),
    isBlind: blind === 1,
    at: columns.given_at,
    seconds,
    replaces: replaces ?? undefined,
  };
}

function valueText(outcome: LabelOutcome): string | null {
  if (outcome.status === 'answered') return JSON.stringify(outcome.value);
  return outcome.status === 'skipped' ? JSON.stringify(outcome.reason) : null;
}

function outcomeOf(status: LabelOutcome['status'], value: string | null): LabelOutcome {
  if (status === 'answered') return { status, value: parseJson(value ?? 'null') };
  return status === 'skipped' ? { status, reason: parseJson(value ?? 'null') } : { status };
}
