import { expect, test } from 'vitest';
import type { AttackRate } from '../../../core/schema/attacks/attack-rates.ts';
import type { ReportInput } from '../reporter.ts';
import { renderTerminal } from '../blocks/terminal.ts';
import { attackBlocks } from './attacks.ts';

test('a rate has its interval in a terminal of 80 columns, however wide the numbers are', () => {
  const all: AttackRate = {
    questions: 20,
    attempts: 20,
    succeeded: 20,
    everSucceeded: 20,
    notMeasured: 0,
    rate: 1,
    lower: 0.8315665,
    upper: 1,
    atMost: 1,
  };
  const attacks = [{ target: 'bot', all, families: [{ family: 'false-facts', ...all }] }];
  const blocks = attackBlocks({ summary: { attacks } } as unknown as ReportInput);
  const lines = renderTerminal(blocks, { width: 80, color: false }).split('\n');
  expect(lines.find((line) => line.includes('false-facts'))).toMatch(/20\/20 +100\.0 % +83\.2 to 100\.0 %/);
});
