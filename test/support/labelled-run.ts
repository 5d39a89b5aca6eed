import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createReview } from '../../src/library/api/reviews.ts';
import { run } from '../../src/library/api/runs/run.ts';
import { scriptedJudge } from '../../src/evaluate/judges/registry.ts';
import { rubric } from '../../src/evaluate/metrics/registry.ts';
import { weighted } from '../../src/decide/scorecards/registry.ts';
import { makeLabel, outcomeOf } from '../../src/people/reviews/make-label.ts';
import { readView } from '../../src/people/reviews/read-view.ts';
import type { Config } from '../../src/library/config/config.ts';
import { hashContent, hashText } from '../../src/core/lib/content-hash.ts';
import { createRandom } from '../../src/core/stats/random.ts';
import type { Run } from '../../src/core/schema/run.ts';
import type { Store } from '../../src/stores/store.ts';
import { module } from '../../src/evaluate/targets/registry.ts';
import { addReviewRecords } from '../../src/stores/reviews/review-records.ts';

/** The number of cases. */
export const size = 300;

/** Two of five answers are bad, and one of ten of either kind is hard to judge; half of either kind sounds warm. */
export function bot(question: string): string {
  const index = Number(/\d+/.exec(question)?.[0]);
  const style = hashText(question) < '8' ? 'warmly' : 'coldly';
  const isHard = Math.floor(index / 5) % 10 === 0 ? 'hard' : 'plain';
  return `${index % 5 < 2 ? 'bad' : 'good'} ${isHard} ${style} ${index}`;
}

/** The pattern of answers that a judge passes which is right about all answers but the hard ones. */
export const rightJudge = '^good plain|^bad hard';

/** The pattern of a judge that throws a coin for each answer. */
export function coinJudge(seed: number): string {
  const random = createRandom(seed);
  const heads = Array.from({ length: size }, (_, index) => index).filter(() => random.next() < 0.5);
  return `\\b(${heads.join('|')})$`;
}

/** The settings of a run of a judge beside the answers that it passes. */
export interface JudgedRunSetting {
  /** The number of cases. */
  readonly cases?: number;
  /** The question to the judge. */
  readonly text?: string;
  readonly gate?: Config['gate'];
  readonly targets?: Config['targets'];
  /** The weight of the case at an index; all weigh the same by default. */
  readonly weight?: (index: number) => number;
  /** The category of the case at an index. */
  readonly category?: (index: number) => string;
  readonly scorecard?: Config['scorecard'];
  /** The judge, in place of one that passes the answers that match the pattern. */
  readonly judge?: Config['judge'];
}

/** Runs a judge that passes the answers that match a pattern over the first cases of a dataset; the metric is `helps the user`. */
export async function judgedRun(
  store: Store,
  folder: string,
  pattern: string,
  setting: JudgedRunSetting = {},
): Promise<Run> {
  const { cases = size } = setting;
  const { category = (index: number) => (index % 3 === 0 ? 'price' : 'hours') } = setting;
  const rows = Array.from({ length: cases }, (_, index) =>
    JSON.stringify({
      question: `Question ${index}?`,
      category: category(index),
      weight: setting.weight?.(index),
    }),
  );
  await mkdir(folder, { recursive: true });
  const file = `${hashContent(rows)}.jsonl`;
  await writeFile(path.join(folder, file), rows.join('\n'));
  const scripted = scriptedJudge({
    rules: [
      { part: 'answer', when: pattern, reply: { reason: 'So.', verdict: 'yes' } },
      { reply: { reason: 'Not so.', verdict: 'no' } },
    ],
  });
  const { text = 'The answer helps the user.', judge = scripted, gate, targets, scorecard = null } = setting;
  const report = await run(
    {
      dataset: file,
      targets: targets ?? [module({ name: 'bot', function: bot })],
      judge,
      metrics: [rubric({ name: 'helps the user', shape: 'verdict', text })],
      scorecard,
      ...(gate !== undefined && { gate }),
    },
    { folder, store },
  );
  return report.run;
}

type Setting = Partial<Pick<Parameters<typeof createReview>[0], 'draw' | 'labels' | 'seed'>> & {
  /** The number of items that are labelled; all by default. */
  readonly given?: number;
};

/** Has two people label answers of the newest run as they are, by the rubric `helps`; 40 % of them are labelled by both. */
export async function labelRun(store: Store, { given: count, ...setting }: Setting = {}): Promise<void> {
  const overlap = { people: 2, share: 0.4 };
  const settings = { labels: 200, seed: 7, draw: { type: 'random' }, overlap, ...setting } as const;
  const helps = {
    id: 'helps',
    question: 'Does the answer help?',
    scale: { type: 'yes-no' as const },
    examples: [],
    maySeeContext: true,
    maySeeExpected: false,
    criterion: 'helps the user',
    passing: [true],
    settle: 'agreement' as const,
  };
  const { task, items } = await createReview({ store, ...settings, rubrics: [helps] });
  const results = await Array.fromAsync(store.readResults(task.frame.run));
  // All at once: a label that is given alone reads those before it, which takes a second for a few hundred of them.
  const view = await readView(store.documents, task.id);
  const labels = view.rubrics.flatMap((rubric) =>
    items.slice(0, count).flatMap((item) => {
      const value = results[item.subject.ordinal ?? 0]?.trial.answer?.startsWith('good') === true;
      const given = { rubric: rubric.id, value };
      const answer = { item: item.position, labels: [given] };
      const part = { rubric, given, outcome: outcomeOf(rubric, value) };
      const people = ['ann', 'bob'].slice(0, item.people);
      return people.map((person) => makeLabel(view, item, { reviewer: { person }, answer, part }));
    }),
  );
  await addReviewRecords(store.documents, { labels });
}

/**
 * Returns a version of a target: of equally good ones the judge who passes `smooth` passes nine of ten good answers, and of the
 * bad answers all but the true negative rate.
 */
export function version(name: string, trueNegativeRate: number) {
  return module({
    name,
    version: name,
    function: (question: string) => {
      const index = Number(/\d+/.exec(question)?.[0]);
      const isGood = (index * 7) % 20 < 13;
      const chance = ((index * 37) % 100) / 100;
      const isPassed = isGood ? chance < 0.9 : chance >= trueNegativeRate;
      return `${isGood ? 'good' : 'bad'} ${isPassed ? 'smooth' : 'plain'} ${name}${index}`;
    },
  });
}

/** A scorecard that such a judge decides alone. */
export const scored = { scorecard: weighted({ criteria: [{ metric: 'helps the user', weight: 1 }] }) };
