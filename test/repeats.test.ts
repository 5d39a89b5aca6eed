import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder, touchstone } from './run-cli.ts';

const page = readFileSync(path.resolve(import.meta.dirname, '../docs/repeats.md'), 'utf8');
const [config = ''] = Array.from(page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm), ([, block]) => block);

/** A bot that answers half of the questions right every time and the others every second time. */
const bot = `export default (_input: string, { caseId, attempt }: { caseId: string; attempt: number }) =>
  caseId < 'q5' || attempt % 2 === 0 ? 'yes' : 'no';
`;

async function project(): Promise<string> {
  const cwd = await temporaryFolder();
  const cases = Array.from({ length: 10 }, (_, index) =>
    JSON.stringify({ id: `q${index}`, input: `question ${index}`, expected: { keywords: ['yes'] } }),
  );
  await writeFile(path.join(cwd, 'golden.jsonl'), cases.join('\n'));
  await writeFile(path.join(cwd, 'bot.ts'), bot);
  await writeFile(path.join(cwd, 'touchstone.config.yaml'), config);
  return cwd;
}

test('the rule in the documentation decides cases and stops their attempts early', async () => {
  const cwd = await project();
  const { code, stdout } = await touchstone(['run', '--json', '--output', 'report.xml'], { cwd });
  expect(code).toBe(0);
  const [target] = JSON.parse(stdout).summary.targets;
  expect(target.reliability.rule).toMatchObject({ passes: 4, passed: 5, failed: 5, notNeeded: 5 + 5 * 2 });
  expect(target.counts).toMatchObject({ planned: 50, measured: 35, notRun: 0, notNeeded: 15 });
  expect(readFileSync(path.join(cwd, 'report.xml'), 'utf8')).toContain('failures="5"');
});

test('flags change the rule and can require every attempt', async () => {
  const cwd = await project();
  const args = ['run', '--json', '--passes', '2 of 4', '--no-curtail'];
  const { code, stdout } = await touchstone(args, { cwd });
  expect(code).toBe(0);
  const [target] = JSON.parse(stdout).summary.targets;
  expect(target.reliability.rule).toMatchObject({ passes: 2, passed: 10, failed: 0, notNeeded: 0 });
  expect(target.noise.measures[0]).toMatchObject({ measure: 'score', questions: 10, attempts: 40 });
});
