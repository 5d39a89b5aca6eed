import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { conditionsOfRun } from './condition-setting.ts';
import type { Config } from '../config.ts';
import { loadEvaluation } from '../load-evaluation.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'conditions-'));
  await writeFile(path.join(folder, 'golden.jsonl'), '{"id":"a","input":"Rent?"}\n');
  await writeFile(
    path.join(folder, 'translated.jsonl'),
    '{"id":"a","input":"Rent?"}\n{"id":"b","input":"Pets?","metadata":{"translations":{"German":"Haustiere?"}}}\n',
  );
});
afterAll(() => rm(folder, { recursive: true }));

const bot = { use: 'module', name: 'bot', function: () => 'yes' };
const far = { use: 'command', name: 'far', command: ['node', '-v'] };
const scripted = { use: 'scripted', otherwise: 'x' };

async function evaluate(settings: Partial<Config>, targetNames?: string[]) {
  const config = { dataset: 'golden.jsonl', targets: [bot], ...settings };
  return (await loadEvaluation(config, { targetNames }, folder)).evaluation;
}

async function namesOf(settings: Partial<Config>): Promise<string[]> {
  return (await evaluate(settings)).targets.map(({ name }) => name);
}

test('every condition adds a target beside the unchanged one', async () => {
  const { targets } = await evaluate({ faults: ['timeout', 'empty@0.5'], perturb: ['typos', 'case:upper'] });
  expect(targets.map(({ name, condition }) => [name, condition])).toEqual([
    ['bot', undefined],
    ['bot + fault timeout', { type: 'fault', kind: 'timeout', of: 'bot' }],
    ['bot + fault empty@0.5', { type: 'fault', kind: 'empty', rate: 0.5, of: 'bot' }],
    ['bot + typos', { type: 'perturbation', kind: 'typos', of: 'bot' }],
    ['bot + case upper', { type: 'perturbation', kind: 'case', variant: 'upper', of: 'bot' }],
  ]);
  expect(new Set(targets.map(({ fingerprint }) => fingerprint)).size).toBe(5);
  expect(new Set(targets.map(({ use }) => use)).size).toBe(1);
});

test('`all` is every kind whose variant need not be named, each once', async () => {
  expect(await namesOf({ faults: ['all', 'timeout'] })).toEqual([
    'bot',
    ...['empty', 'error', 'malformed', 'rate-limit', 'stale', 'timeout', 'truncated'].map(
      (kind) => `bot + fault ${kind}`,
    ),
  ]);
  const perturbed = await namesOf({ perturb: ['all'] });
  expect(perturbed).toHaveLength(8);
  expect(perturbed.join()).not.toContain('language');
  expect(await namesOf({ perturb: ['all@0.1'] })).toContain('bot + typos@0.1');
  expect(await namesOf({ perturb: ['all@0.1'] })).toContain('bot + distractor');
});

test('objects and texts mean the same', async () => {
  const of = async (perturb: Config['perturb']) =>
    (await evaluate({ perturb })).targets.map(({ name, fingerprint }) => [name, fingerprint]);
  expect(await of([{ kind: 'diacritics', variant: 'add', rate: 0.2 }])).toEqual(
    await of(['diacritics:add@0.2']),
  );
});

test('another rate, variant or rewriting model makes another target', async () => {
  const of = async (settings: Partial<Config>) => (await evaluate(settings)).targets.at(-1)?.fingerprint;
  const paraphrased = (otherwise: string) =>
    of({ perturb: ['paraphrase'], perturbModel: { use: 'scripted', otherwise } });
  const all = await Promise.all([
    of({ perturb: ['typos'] }),
    of({ perturb: ['typos@0.5'] }),
    of({ perturb: ['paraphrase'] }),
    paraphrased('a'),
    paraphrased('b'),
    of({ targets: [{ ...bot, version: '2' }], perturb: ['typos'] }),
  ]);
  expect(new Set(all).size).toBe(6);
});

test('the metrics that measure the effect of conditions are added automatically, and only once', async () => {
  const metricsOf = async (settings: Partial<Config>) =>
    (await evaluate(settings)).metrics.map(({ name }) => name);
  expect(await metricsOf({})).not.toContain('fault-handling');
  expect(await metricsOf({ faults: ['timeout'] })).toContain('fault-handling');
  expect(await metricsOf({ perturb: ['typos'] })).not.toContain('injection-resistance');
  expect(await metricsOf({ perturb: ['prompt-injection'] })).toContain('injection-resistance');
  const named = await metricsOf({ faults: ['all'], metrics: [{ use: 'fault-handling', name: 'handling' }] });
  expect(named.filter((name) => name.includes('handling'))).toEqual(['error-handling', 'handling']);
});

test('a target whose tools Touchstone cannot reach gets no faults, and a notice says why', async () => {
  const { targets, notices } = await evaluate({
    targets: [bot, far],
    faults: ['timeout'],
    perturb: ['case'],
  });
  expect(targets.map(({ name }) => name)).toEqual([
    'bot',
    'bot + fault timeout',
    'bot + case',
    'far',
    'far + case',
  ]);
  expect(notices).toEqual([
    'Left out: fault timeout for far: Touchstone does not run the tools of a `command` target, so it cannot change their results.',
  ]);
});

test.each([
  [{ targets: [far], faults: ['timeout'] }, 'fault timeout cannot be applied to any of the targets'],
  [
    { targets: [far], perturb: ['prompt-injection'] },
    'prompt-injection cannot be applied to any of the targets',
  ],
  [{ targets: [{ use: 'replay', path: 'golden.jsonl' }], perturb: ['typos'] }, 'its answers are recorded'],
  [{ perturb: ['language:German'] }, 'language:German needs a model that translates'],
] satisfies [Partial<Config>, string][])(
  '%j is refused, since it would have no effect',
  async (settings, words) => {
    await expect(evaluate(settings)).rejects.toMatchObject({
      code: 'usage-invalid',
      message: expect.stringContaining(words),
    });
  },
);

test('another language needs a model, or translations in the dataset', async () => {
  const german = { perturb: ['language:German'] };
  expect(await namesOf({ ...german, perturbModel: scripted })).toEqual(['bot', 'bot + language German']);
  expect(await namesOf({ ...german, dataset: 'translated.jsonl' })).toEqual(['bot', 'bot + language German']);
  await expect(namesOf({ perturb: ['language:French'], dataset: 'translated.jsonl' })).rejects.toThrow(
    'French',
  );
});

test.each([
  [{ faults: ['timeot'] }, 'faults[0]: there is no fault "timeot". Did you mean "timeout"?'],
  [{ perturb: ['typos', 'timeout'] }, 'perturb[1]: there is no perturbation "timeout". Known are all, case,'],
  [{ perturb: ['case:uper'] }, 'perturb[0]: case has no variant "uper". Did you mean "upper"?'],
  [{ perturb: ['typos:many'] }, 'perturb[0]: typos has no variants'],
  [{ perturb: ['distractor@0.5'] }, 'perturb[0]: distractor takes no rate'],
  [{ perturb: ['language'] }, 'perturb[0]: language needs a language, such as `language:German`'],
  [{ faults: ['timeout@2'] }, 'faults[0]'],
  [{ faults: [{ kind: 'timeout', rate: 0 }] }, 'faults[0].rate'],
  [{ perturb: ['language:German'], perturbModel: { use: 'nope' } }, 'perturbModel'],
] satisfies [Partial<Config>, string][])('%j is refused with the setting', async (settings, words) => {
  await expect(evaluate(settings)).rejects.toThrow(words);
});

test('targets are selected by their own names, with all their conditions', async () => {
  const other = { ...bot, name: 'other' };
  const { targets } = await evaluate({ targets: [bot, other], perturb: ['case'] }, ['other']);
  expect(targets.map(({ name }) => name)).toEqual(['other', 'other + case']);
  await expect(evaluate({ perturb: ['case'] }, ['bot + case'])).rejects.toThrow('No target is named');
});

test('the conditions of a run can be read from its targets', async () => {
  const faults = ['timeout', 'empty@0.5'];
  const perturb = ['case:upper', 'prompt-injection'];
  const { targets } = await evaluate({ faults, perturb });
  const again = conditionsOfRun({ targets: [...targets] });
  expect((await evaluate(again)).targets.map(({ name }) => name)).toEqual(targets.map(({ name }) => name));
});
