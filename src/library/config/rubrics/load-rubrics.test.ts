import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadRubrics } from './load-rubrics.ts';

const config = `
targets: not checked here
rubrics:
  tone:
    criterion: politeness
    question: Is it polite?
    notApplicable: There is no answer.
  warmth:
    criterion: politeness
    question: How warm is it?
    scale: { anchors: [cold, neutral, warm] }
    passing: [2, 3]
    settle: majority
  helpful: rubrics/help.yaml
  wrong:
    criterion: politeness
    question: How warm is it?
    scale: { choices: [a, b] }
    passing: [c]
`;

async function folderOf(text = config): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-rubrics-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(path.join(folder, 'rubrics'));
  await writeFile(path.join(folder, 'touchstone.config.yaml'), text);
  const help = 'criterion: relevance\nquestion: Does it help?\nscale: text\nmaySeeExpected: true\n';
  await writeFile(path.join(folder, 'rubrics', 'help.yaml'), help);
  return folder;
}

test('rubrics are read from the config, with their defaults, and from files', async () => {
  const folder = await folderOf();
  const rest = { examples: [], maySeeContext: true, maySeeExpected: false, settle: 'agreement' };
  expect(await loadRubrics({ names: ['tone', 'warmth', 'helpful', 'rubrics/help.yaml'], folder })).toEqual([
    {
      id: 'tone',
      criterion: 'politeness',
      question: 'Is it polite?',
      scale: { type: 'yes-no' },
      notApplicable: 'There is no answer.',
      passing: [true],
      ...rest,
    },
    {
      id: 'warmth',
      criterion: 'politeness',
      question: 'How warm is it?',
      scale: { type: 'ordinal', anchors: ['cold', 'neutral', 'warm'] },
      passing: [2, 3],
      ...rest,
      settle: 'majority',
    },
    ...['helpful', 'help'].map((id) => ({
      id,
      criterion: 'relevance',
      question: 'Does it help?',
      scale: { type: 'text' },
      ...rest,
      maySeeExpected: true,
    })),
  ]);
});

test('a name that is not declared, and a value that is not on the scale, are refused with their place', async () => {
  const folder = await folderOf();
  await expect(loadRubrics({ names: ['tonne'], folder })).rejects.toMatchObject({
    code: 'rubric-not-found',
    message: expect.stringContaining('Did you mean "tone"?'),
  });
  await expect(loadRubrics({ names: ['wrong'], folder })).rejects.toMatchObject({
    code: 'config-invalid',
    message: expect.stringMatching(
      /yaml:19:\d+: rubrics\.wrong\.passing\[0\]: "c" is not on the scale: one of a, b/,
    ),
  });
  const misspelt = await folderOf(config.replace('notApplicable', 'notAplicable'));
  await expect(loadRubrics({ names: ['warmth'], folder: misspelt })).rejects.toMatchObject({
    message: expect.stringMatching(
      /yaml:7:\d+: rubrics\.tone\.notAplicable: .*Did you mean "notApplicable"\?/,
    ),
  });
});

test('a rubric about pairs needs no metric, and a reviewer cannot find a pair not applicable', async () => {
  const folder = await folderOf(`
rubrics:
  better: { scale: pair, question: Which one would you send? }
  none: { question: Is it polite? }
  never: { scale: pair, question: Which one?, notApplicable: There is no answer. }
`);
  expect(await loadRubrics({ names: ['better'], folder: await folderOf(onlyPairs) })).toMatchObject([
    { id: 'better', criterion: 'prefer', scale: { type: 'pair' }, question: 'Which one would you send?' },
  ]);
  const refused = loadRubrics({ names: ['better'], folder });
  await expect(refused).rejects.toMatchObject({
    code: 'config-invalid',
    message: expect.stringMatching(/rubrics\.none.*criterion.*\n?.*rubrics\.never.*notApplicable/s),
  });
});

const onlyPairs = 'rubrics:\n  better: { scale: pair, question: Which one would you send? }\n';
