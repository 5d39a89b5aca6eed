import type { Label, LabelOutcome, LabelValue, Subject } from '../../src/core/schema/review/label.ts';
import type { ReviewItem, ReviewTask } from '../../src/core/schema/review/review-task.ts';
import type { Rubric } from '../../src/core/schema/review/rubric.ts';

/** Builds a rubric for tests: a question for yes or no, with any further parts that a test needs. */
export function buildRubric(parts: Partial<Rubric> = {}): Rubric {
  return {
    id: 'tone',
    version: '6'.repeat(32),
    question: 'Is the answer polite?',
    scale: { type: 'yes-no' },
    examples: [],
    maySeeContext: true,
    maySeeExpected: false,
    criterion: 'politeness',
    passing: [true],
    settle: 'agreement',
    ...parts,
  };
}

/** Builds the subject of the item at a position, for tests. */
export function buildSubject(position: number, parts: Partial<Subject> = {}): Subject {
  const hash = (prefix: string) => `${prefix}${position}`.padEnd(32, '0');
  return {
    trialKey: hash('a'),
    answerHash: hash('b'),
    caseHash: hash('c'),
    caseId: `case ${position}`,
    target: 'bot',
    attempt: 1,
    run: '20260102-030405-abcd',
    ordinal: position,
    ...parts,
  };
}

/** Builds a review task for tests, open to everyone, one label for each item. */
export function buildTask(parts: Partial<ReviewTask> = {}): ReviewTask {
  const { items = 10 } = parts;
  const { id, version } = buildRubric();
  return {
    id: 'task-1',
    createdAt: '2026-01-02T03:04:05.678Z',
    rubrics: [{ id, version }],
    frame: { run: '20260102-030405-abcd', filter: [], count: 100, hash: 'f'.repeat(32), excluded: [] },
    draw: { type: 'random' },
    strata: [{ name: 'all', size: 100, drawn: items }],
    items,
    seed: 7,
    overlap: { people: 1, share: 0 },
    people: [],
    adjudicators: [],
    repeats: { share: 0, afterMs: 86_400_000 },
    controls: { share: 0 },
    status: 'open',
    ...parts,
  };
}

/** Builds the items of a task for tests. */
export function buildItems(task: ReviewTask, parts: Partial<ReviewItem> = {}): ReviewItem[] {
  return Array.from({ length: task.items }, (_, position) => ({
    task: task.id,
    position,
    subject: buildSubject(position),
    stratum: 'all',
    probability: 0.1,
    people: 1,
    ...parts,
  }));
}

/** The parts of a label that a test names; the others make a blind first label. */
export type LabelParts = Partial<Omit<Label, 'by'>> & {
  readonly person?: string;
  readonly value?: LabelValue;
};

/** Builds a label for tests. */
export function buildLabel(id: string, { person = 'ann', value = true, ...parts }: LabelParts = {}): Label {
  const { item = 0 } = parts;
  const outcome: LabelOutcome = { status: 'answered', value };
  const { id: rubric, version } = buildRubric();
  return {
    id,
    subject: buildSubject(item ?? 0),
    rubric: { id: rubric, version },
    kind: 'label',
    purpose: 'new',
    outcome,
    by: { person, role: parts.kind === 'adjudication' ? 'adjudicator' : 'reviewer' },
    at: '2026-01-03T09:00:00.000Z',
    seconds: 30,
    blind: { verdict: 'hidden', score: 'hidden', others: 'hidden', target: 'hidden' },
    task: 'task-1',
    item,
    draw: { frame: 'f'.repeat(32), stratum: 'all', probability: 0.1, seed: 7 },
    ...parts,
  };
}
