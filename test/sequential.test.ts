import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { temporaryFolder, touchstone } from './run-cli.ts';

/** A bot that notes each question, answers slowly, and is wrong at a fixed interval. */
const bot = `import { appendFileSync } from 'node:fs';
export default async (question) => {
  const number = Number(question.split(' ').at(-1));
  appendFileSync('asked.txt', number + '\\n');
  await new Promise((resolve) => setTimeout(resolve, 10));
  return number % Number(process.env.FORGETS ?? 1000) === 0 ? 'no idea' : \`answer \${number}\`;
};\n`;

async function project(gate: object) {
  const folder = await temporaryFolder();
  const config = {
    dataset: 'golden.jsonl',
    targets: [{ use: 'module', path: './bot.mjs', name: 'bot' }],
    scorecard: { use: 'weighted', criteria: [{ metric: 'keywords', weight: 1 }] },
    metrics: [],
    concurrency: 1,
    gate,
  };
  // Numbers start at 1, so the bot knows all answers by default and the number of calls does not depend on the order.
  const questions = Array.from({ length: 200 }, (_, index) =>
    JSON.stringify({
      id: `q${index + 1}`,
      question: `Tell me about ${index + 1}`,
      expected_keywords: [`answer ${index + 1}`],
    }),
  );
  await writeFile(path.join(folder, 'bot.mjs'), bot);
  await writeFile(path.join(folder, 'golden.jsonl'), questions.join('\n'));
  await writeFile(path.join(folder, 'touchstone.config.json'), JSON.stringify(config));
  const asked = async () => {
    const text = await readFile(path.join(folder, 'asked.txt'), 'utf8').catch(() => '');
    return text.split('\n').filter(Boolean);
  };
  const run = async (args: readonly string[], forgets = 1000) =>
    await touchstone(args, { cwd: folder, env: { FORGETS: String(forgets) } });
  return { folder, run, asked };
}

const rules = { good: { type: 'pass-rate', atLeast: 80, confidence: 0.95 } };

test('a sequential run makes only the calls that its gate needs, and exits with its decision', async () => {
  const { run, asked } = await project({ rules });
  const planned = await run(['run', '--dry-run', '--sequential']);
  expect(planned.stdout).toContain('only until the gate is decided');
  const passed = await run(['run', '--sequential']);
  expect([passed.code, passed.stdout]).toEqual([
    0,
    expect.stringMatching(/PASS {2}decided after \d+ of 200 attempts/),
  ]);
  expect((await asked()).length).toBeLessThan(40);
  const failed = await run(['run', '--sequential', '--json'], 2);
  const { decision } = JSON.parse(failed.stdout).summary;
  expect([failed.code, decision.outcome, decision.sequential.isDecided]).toEqual([1, 'fail', true]);
  expect((await run(['gate'])).code).toBe(1);
  expect((await run(['run', '--no-sequential', '--resume', 'latest'], 2)).code).toBe(1);
}, 60_000);

test('a killed sequential run resumes in the same order and comes to the same decision', async () => {
  const gate = { rules, sequential: { seed: 5 } };
  const [whole, killed] = [await project(gate), await project(gate)];
  expect((await whole.run(['run'])).code).toBe(0);
  await touchstone(['run'], {
    cwd: killed.folder,
    onStarted: async (child) => {
      while ((await killed.asked()).length < 10) await wait(5);
      child.kill('SIGKILL');
    },
  });
  const before = await killed.asked();
  expect(before.length).toBeLessThan(20);
  const rest = await killed.run(['run', '--resume']);
  expect([rest.code, rest.stdout]).toEqual([0, expect.stringContaining('PASS')]);
  // Calls in flight at the kill are repeated.
  const order = [...new Set(await killed.asked())];
  expect(order.slice(0, 23)).toEqual((await whole.asked()).slice(0, 23));
}, 60_000);
