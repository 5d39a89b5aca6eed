import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { writeSlowProject } from '../slow-project.ts';
import { describeInBrowser, useBrowser } from '../support/browser.ts';
import { isReleaseTested } from '../support/is-release-tested.ts';

const program = path.resolve(import.meta.dirname, '../../bin/touchstone.js');

describeInBrowser('`touchstone run --watch --view`', () => {
  const browser = useBrowser();
  let child: ChildProcess | undefined;
  afterAll(() => child?.kill('SIGKILL'));

  test.skipIf(!isReleaseTested)(
    'after an edit of the dataset only what it touches is asked again, and the page leads to the new run (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const { folder, readCalls } = await writeSlowProject({ cases: 5, concurrency: 1 });
      // No browser is found: the test opens the page itself.
      const env = { ...process.env, NO_COLOR: '1', PATH: path.dirname(process.execPath) };
      child = spawn(process.execPath, [program, 'run', '--watch', '--view'], { cwd: folder, env });
      const ended = once(child, 'exit');
      let text = '';
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', (piece: Buffer) => (text += piece.toString()));
      const idle = 'for changes; Ctrl-C ends it.';
      await expect.poll(() => text).toContain(idle);
      // The dashboard has a process of its own.
      await expect.poll(() => text).toMatch(/http:\S+\n/);
      expect(await readCalls()).toHaveLength(5);

      const address = /http:\S+/.exec(text)?.[0] ?? '';
      const { page } = await browser.open(address);
      // The address follows the latest run.
      expect(new URL(page.url()).pathname).toBe('/runs/latest');
      await page.getByText(/from (?:only )?5 questions/).waitFor();
      const first = /\d{8}-\d{6}-\w+/.exec((await page.title()) ?? '')?.[0] ?? 'no id';
      // Nothing is loaded again from here on: a mark on the document stays.
      await page.evaluate('document.documentElement.dataset.mark = "here"');

      const golden = path.join(folder, 'golden.jsonl');
      text = '';
      await writeFile(golden, (await readFile(golden, 'utf8')).replace('question 3', 'question three'));
      await expect.poll(() => text).toContain('Asked: 1 of 5 attempts: q3');
      // The page goes on with the run that continues the first, by itself.
      await page.getByText(`continues ${first}`).waitFor();
      await page.getByText(/from (?:only )?5 questions/).waitFor();
      const calls = await readCalls();
      expect(calls).toHaveLength(6);
      expect(calls.at(-1)).toBe('question three');
      expect(await page.evaluate('document.documentElement.dataset.mark')).toBe('here');
      await page.close();
      child.kill('SIGINT');
      expect((await ended)[0]).toBe(0);
    },
  );
});
