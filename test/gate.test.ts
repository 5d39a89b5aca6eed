import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder, touchstone } from './run-cli.ts';

/** A bot that knows all answers but the first few; an environment variable sets how many. */
const bot = `export default (question) => {
  const number = Number(question.split(' ').at(-1));
  return number < Number(process.env.FORGOTTEN ?? 0) ? 'no idea' : \`answer \${number}\`;
};\n`;

const questions = (count: number): string =>
  Array.from({ length: count }, (_, index) =>
    JSON.stringify({
      id: `q${index}`,
      question: `Tell me about ${index}`,
      expected_keywords: [`answer ${index}`],
    }),
  ).join('\n');

const config = (gate: object): string =>
  JSON.stringify({
    dataset: 'golden.jsonl',
    targets: [{ use: 'module', path: './bot.mjs', name: 'bot' }],
    scorecard: { use: 'weighted', criteria: [{ metric: 'keywords', weight: 1 }] },
    metrics: [],
    gate,
  });

async function project(gate: object, count = 100) {
  const folder = await temporaryFolder();
  await writeFile(path.join(folder, 'bot.mjs'), bot);
  await writeFile(path.join(folder, 'golden.jsonl'), questions(count));
  await writeFile(path.join(folder, 'touchstone.config.json'), config(gate));
  const run = async (args: readonly string[], forgotten = 0) =>
    await touchstone(args, { cwd: folder, env: { FORGOTTEN: String(forgotten) } });
  return { folder, run };
}

test('a baseline can be set and exported, and decides the exit code of later runs', async () => {
  const { folder, run } = await project({});
  expect((await run(['run'], 10)).code).toBe(0);
  const set = await run(['baseline', 'set', 'main']);
  expect([set.code, set.stdout]).toEqual([0, expect.stringContaining('bot 90.0 % of 100 questions')]);
  expect((await run(['baseline', 'list'])).stdout).toContain('main  run ');

  expect((await run(['run', '--baseline', 'main'], 10)).code).toBe(0);
  expect((await run(['run', '--baseline', 'main'], 13)).code).toBe(3);
  const worse = await run(['run', '--baseline', 'main'], 40);
  expect([worse.code, worse.stdout]).toEqual([1, expect.stringContaining('FAIL')]);
  expect((await run(['run', '--baseline', 'main', '--limit', '50'], 10)).code).toBe(2);

  await mkdir(path.join(folder, 'baselines'));
  expect((await run(['baseline', 'export', 'main', 'baselines/main.json'])).code).toBe(0);
  const exported = JSON.parse(await readFile(path.join(folder, 'baselines/main.json'), 'utf8'));
  expect(exported.targets[0].cases).toHaveLength(100);
  for (const [given, named] of [
    ['main', 'main'],
    ['baselines/main.json', '../baselines/main.json'],
  ] as const) {
    const decided = await run(['gate', '--baseline', given, '--json']);
    expect(decided.code).toBe(2);
    expect(JSON.parse(decided.stdout).gate).toMatchObject({ baseline: named });
    expect(decided.stdout).not.toContain(folder);
  }
  // The gate of the run compared it with the baseline, so it does again.
  const again = await run(['gate', '--json']);
  expect([again.code, JSON.parse(again.stdout).gate]).toEqual([
    2,
    expect.objectContaining({ baseline: 'main' }),
  ]);
  expect(again.stdout).not.toContain('There is no baseline');
  const elsewhere = ['run', '--store', 'elsewhere', '--baseline', 'baselines/main.json'];
  expect((await run(elsewhere, 40)).code).toBe(1);

  expect((await run(['baseline', 'remove', 'main'])).code).toBe(0);
  const gone = await run(['run', '--baseline', 'main']);
  expect([gone.code, gone.stderr]).toEqual([4, expect.stringContaining('There is no baseline "main"')]);
});

test('touchstone gate decides on a stored run again, by its own gate or by that of a config', async () => {
  const rules = {
    certain: { type: 'pass-rate', atLeast: 85, confidence: 0.95 },
    key: { type: 'required-cases', ids: ['q99'] },
  };
  const { folder, run } = await project({ rules });
  const ran = await run(['run', '--json'], 10);
  expect(ran.code).toBe(3);
  const { decision } = JSON.parse(ran.stdout).summary;
  expect(decision.rules.map((rule: Record<string, unknown>) => rule['outcome'])).toEqual([
    'inconclusive',
    'pass',
  ]);
  const decided = await run(['gate']);
  expect(decided.code).toBe(3);
  expect(decided.stdout).toMatch(/^INCONCLUSIVE {2}run /);
  expect(decided.stdout).toContain('one-sided 95 % bounds 83.');
  await writeFile(path.join(folder, 'strict.json'), config({ failUnder: 95 }));
  await writeFile(path.join(folder, 'lenient.json'), config({ inconclusive: 'pass', rules }));
  expect((await run(['gate', 'latest', '--config', 'strict.json'])).code).toBe(1);
  expect((await run(['gate', '--config', 'lenient.json'])).code).toBe(0);
  expect((await run(['gate', '--fail-under', '91', '--json'])).code).toBe(1);
});

test('a rule about something absent is refused before any call', async () => {
  const { run } = await project({ rules: { words: { type: 'metric', metric: 'keywrds', atLeast: 50 } } }, 2);
  const refused = await run(['run']);
  expect(refused.code).toBe(4);
  expect(refused.stderr).toContain(
    'gate.rules.words.metric: there is no metric "keywrds". Did you mean "keywords"?',
  );
  const typo = await project({ rules: { low: { type: 'score', atLeast: 0.85 } } }, 2);
  expect((await typo.run(['run'])).stderr).toContain('write 85 for 85 %');
});

test('gate marks of cases come from the dataset and do not change the case', async () => {
  const { folder, run } = await project({ failUnder: 100 }, 10);
  expect((await run(['run'], 1)).code).toBe(1);
  const marked = questions(10).replace('{"id":"q0"', '{"gate":"quarantine until 9999-12-31","id":"q0"');
  await writeFile(path.join(folder, 'golden.jsonl'), marked);
  const passed = await run(['run'], 1);
  expect([passed.code, passed.stdout]).toEqual([
    0,
    expect.stringContaining('in quarantine, not in the gate: q0'),
  ]);
  await writeFile(path.join(folder, 'golden.jsonl'), marked.replace('9999', '2020'));
  expect((await run(['run'], 1)).code).toBe(1);
  await writeFile(path.join(folder, 'golden.jsonl'), marked.replace('quarantine until', 'quarantin until'));
  expect((await run(['run'], 1)).stderr).toContain('quarantine until a day');
});
