import { EventEmitter } from 'node:events';
import type { FSWatcher } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { watchFiles } from './watch-files.ts';

test('an event without a name, as some systems send it, means everything in its folder', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'watch-files-'));
  onTestFinished(async () => await rm(folder, { recursive: true }));
  await writeFile(path.join(folder, 'golden.jsonl'), '');
  await mkdir(path.join(folder, 'node_modules'));
  const events = new Map<string, (event: string, name: string | null) => void>();
  const changed: string[] = [];
  const watcher = watchFiles(
    { folder, ignores: (file) => file.includes('node_modules'), onChange: (file) => changed.push(file) },
    (watched, onEvent) => {
      events.set(watched, onEvent);
      return Object.assign(new EventEmitter(), { close: () => {} }) as unknown as FSWatcher;
    },
  );
  onTestFinished(() => watcher.close());
  expect([...events.keys()]).toEqual([folder]);
  await mkdir(path.join(folder, 'prompts'));
  events.get(folder)?.('rename', null);
  expect(changed.toSorted()).toEqual(['golden.jsonl', 'prompts'].map((name) => path.join(folder, name)));
  // A folder that has appeared is watched, too.
  expect([...events.keys()]).toEqual([folder, path.join(folder, 'prompts')]);
});
