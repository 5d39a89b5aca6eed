import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { judgedRun, labelRun, scored } from '../../../test/support/labelled-run.ts';
import { mostWrong } from '../../../test/support/most-wrong.ts';
import { createRandom } from '../../core/stats/random.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { module } from '../../evaluate/targets/registry.ts';
import { calibrate } from './calibrate.ts';
import { compare } from './compare.ts';
import { gate } from './runs/gate.ts';

const [cases, good] = [200, 0.65];

/** A version of which each answer is good with the same probability, and passed by its judge at the rates of that version. */
function versionAt(name: string, seed: string, trueNegativeRate: number) {
  const random = createRandom(`${seed} ${name}`);
  const answers = Array.from({ length: cases }, (_, index) => {
    const isGood = random.next() < good;
    const isPassed = random.next() < (isGood ? 0.9 : 1 - trueNegativeRate);
    return `${isGood ? 'good' : 'bad'} ${isPassed ? 'smooth' : 'plain'} ${name}${index}`;
  });
  return module({
    name,
    version: `${name} ${seed}`,
    function: (question: string) => answers[Number(/\d+/.exec(question)?.[0])] ?? '',
  });
}

/** The decisions of one simulated project about two equally good versions. */
interface Decisions {
  readonly verdict: string | undefined;
  readonly isSaidBetter: boolean;
  readonly regression: string | undefined;
  readonly rules: readonly string[];
}

async function decide(seed: string, folder: string): Promise<Decisions> {
  const store = createMemoryStore();
  const targets = [versionAt('fair', seed, 0.9), versionAt('lenient', seed, 0.4)];
  // The rule asks for more than the truth, so that passing is wrong.
  const rules = {
    helps: { type: 'metric', metric: 'helps the user', atLeast: 100 * good + 0.1, confidence: 0.95 },
  } as const;
  const setting = { cases, targets, ...scored, gate: { minCoverage: 1, rules } };
  const run = await judgedRun(store, folder, 'smooth', setting);
  const said = (await compare([run.id], { store })).comparisons[0]?.verdict.outcome;
  await labelRun(store, { labels: 240, seed: Number(seed) });
  await calibrate({ store, rubric: 'helps' });
  // The loss of the lenient version is at most the margin, so that failing is wrong.
  const [pair] = (await compare([run.id], { store, margin: 0.001 })).comparisons;
  const { decision } = await gate(run.id, { store });
  return {
    verdict: pair?.verdict.outcome,
    isSaidBetter: said === 'better',
    regression: pair?.regression?.decision,
    rules: (decision.rules ?? []).map(({ outcome }) => outcome),
  };
}

/**
 * The rates themselves are shown by `corrected-mean.test.ts` and `corrected-difference.test.ts` over thousands of rounds; these few show
 * that whole runs are decided by them. The seeds are the first ones, 0 and on.
 */
const rounds = 12;

test('comparisons and gates of whole runs are wrong at most in 5 of 100 by a judge that is lenient with one version', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-decisions-'));
  const all: Decisions[] = [];
  for (let round = 0; round < rounds; round += 1) all.push(await decide(String(round), folder));
  await rm(folder, { recursive: true });
  const count = (isWrong: (each: Decisions) => boolean) => all.filter(isWrong).length;
  const most = mostWrong(rounds);
  // The judge alone calls the lenient version better nearly always.
  expect(count(({ isSaidBetter }) => isSaidBetter)).toBeGreaterThan(0.5 * rounds);
  expect(count(({ verdict }) => verdict === 'better' || verdict === 'worse')).toBeLessThanOrEqual(most);
  expect(count(({ regression }) => regression === 'fail')).toBeLessThanOrEqual(most);
  for (const place of [0, 1]) expect(count(({ rules }) => rules[place] === 'pass')).toBeLessThanOrEqual(most);
  // They are decisions: most versions are corrected, and not refused.
  expect(count(({ verdict }) => verdict === 'no-visible-difference')).toBeGreaterThan(0.5 * rounds);
});
