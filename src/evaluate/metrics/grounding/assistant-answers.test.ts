import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import answerFirst from '../../../../examples/property-assistant/assistant.ts';
import answerSecond from '../../../../examples/property-assistant/assistant-v2.ts';
import { exchange, type Trial } from '../../../core/schema/trial.ts';
import { readReply } from '../../targets/read-reply.ts';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import { supportedFacts } from './supported-facts.ts';

const golden = new URL('../../../../examples/property-assistant/golden.jsonl', import.meta.url);
const questions = readFileSync(golden, 'utf8')
  .trim()
  .split('\n')
  .map((line) => (JSON.parse(line) as { question: string }).question);
const metric = supportedFacts.definition.create(supportedFacts.definition.options.parse({}), {});

/** Answers that were composed from tool results, and are true as far as those are. */
const trials: { input: string; trial: Trial }[] = [];
for (const input of questions) {
  for (const bot of [answerFirst, answerSecond]) {
    const { answer, toolCalls, documents } = readReply(await bot(input));
    trials.push({
      input,
      trial: buildTrial(answer, { documents, transcript: exchange(input, answer, toolCalls) }),
    });
  }
}

async function check({ input, trial }: { input: string; trial: Trial }) {
  const verdict = await metric.score({ case: buildCase({ input }), trial });
  if (verdict.status !== 'scored') return { facts: 0, texts: [] };
  const evidence = verdict.evidence as { facts: number; unsupported: { text: string }[] };
  return { facts: evidence.facts, texts: evidence.unsupported.map(({ text }) => text) };
}

test('answers made of tool results are supported, except for the date that the bot takes for today', async () => {
  const checked = await Promise.all(trials.map(check));
  expect(checked.reduce((sum, { facts }) => sum + facts, 0)).toBeGreaterThan(700);
  expect(new Set(checked.flatMap(({ texts }) => texts))).toEqual(new Set(['October 15, 2025']));
});

const amount = /\$\d[\d,.]*\d/g;
const monthDay =
  /\b(January|February|March|April|May|June|July|August|September|October|November|December) (\d+), (20\d\d)/g;

test.each([
  [
    'a changed amount',
    amount,
    (text: string) => `$${(Number(text.replace(/[$,]/g, '')) * 1.37 + 11).toFixed(2)}`,
  ],
  ['a changed year', monthDay, (text: string) => text.replace(/20(\d\d)$/, '19$1')],
  [
    'an invented company',
    /\b(?:Western Slope Mutual|Summit Heating|Hartwell Lineage Trust)/g,
    () => 'Blue Heron Partners',
  ],
] as const)('finds %s wherever it is inserted', async (_what, pattern, change) => {
  let changed = 0;
  for (const { input, trial } of trials) {
    for (const match of (trial.answer ?? '').matchAll(pattern)) {
      const [found] = match;
      const invented = change(found);
      const answer = `${trial.answer?.slice(0, match.index)}${invented}${trial.answer?.slice(match.index + found.length)}`;
      const { texts } = await check({ input, trial: { ...trial, answer } });
      expect.soft(texts.join('\n'), `${found} → ${invented}`).toContain(invented);
      changed += 1;
    }
  }
  expect(changed).toBeGreaterThan(10);
});
