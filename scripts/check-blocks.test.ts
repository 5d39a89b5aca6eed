import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { checkBlocks } from './check-blocks.ts';

test('a block that a reader cannot use is found, unless it is marked', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'touchstone-'));
  const find = (language: string, text: string) => {
    writeFileSync(path.join(root, 'page.md'), `# Page\n\n\`\`\`${language}\n${text}\n\`\`\`\n`);
    return checkBlocks(root, ['page.md']);
  };
  expect(find('yaml', 'dataset: golden.jsonl\nmetrics: [keywords, { use: contains, value: a }]')).toEqual([]);
  expect(find('yaml', 'dataset: golden.jsonl\nmetric: [keywords]')).toEqual([
    'page.md:3: a config has no setting metric',
  ]);
  expect(find('yaml', '- { use: keyword }')).toEqual(['page.md:3: there is no extension keyword']);
  expect(find('yaml', 'metrics: [')[0]).toMatch(/^page\.md:3: /);
  expect(find('yaml no-run', 'metrics: [')).toEqual([]);
  expect(find('yaml', 'jobs: { test: {} }')).toEqual([]);
  expect(find('jsonl', '{"question": "a"}\n{"question": }')).toHaveLength(1);
  expect(find('ts', 'const a: number = 1;')).toEqual([]);
  expect(find('ts', 'const a = ;')).toHaveLength(1);
  rmSync(root, { recursive: true });
});
