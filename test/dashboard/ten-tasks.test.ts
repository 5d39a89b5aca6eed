import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { program } from '../run-cli.ts';
import { describeInBrowser, pressTogether, useBrowser } from '../support/browser.ts';
import { countMouseEvents } from '../support/key-walk.ts';
import { dayOfFall, writeTenTasksProject } from '../support/ten-tasks-project.ts';

/** Counts the clicks and keys of a person. What is typed into a field counts by itself. */
class Hand {
  clicks = 0;
  keys = 0;
  /** The clicks and keys of each task. */
  readonly counted: Record<string, readonly [clicks: number, keys: number]> = {};
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async click(place: Locator, choices: Parameters<Locator['click']>[0] = {}): Promise<void> {
    this.clicks += 1;
    await place.first().click(choices);
  }

  async press(keys: string): Promise<void> {
    for (const key of keys.split(' ')) {
      this.keys += 1;
      await this.page.keyboard.press(key);
    }
  }

  end(task: string): void {
    this.counted[task] = [this.clicks, this.keys];
    [this.clicks, this.keys] = [0, 0];
  }
}

const expectationOf = async ({ folder }: { folder: string }, id: string): Promise<unknown> => {
  const lines = (await readFile(path.join(folder, 'golden.jsonl'), 'utf8')).trim().split('\n');
  return lines
    .map((line) => JSON.parse(line) as { id: string; expected_answer: string })
    .find((row) => row.id === id)?.expected_answer;
};

/**
 * Ten tasks of somebody who works with the pages. How many clicks and keys each takes is part of what is promised: promptfoo's viewer
 * (0.123) needs 21 clicks for the eight of them that it can do.
 */
describeInBrowser('ten tasks', () => {
  let project = { folder: '', run: '' };
  beforeAll(async () => {
    project = await writeTenTasksProject();
  });
  let child: ChildProcess | undefined;
  afterEach(async () => {
    if (child === undefined) return;
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    await ended;
    child = undefined;
  });
  // After what ends the server: hooks are called in reverse order, so that no page is open by then.
  const browser = useBrowser();

  async function open(): Promise<Page> {
    child = spawn(process.execPath, [program, 'view', project.run, '--no-open'], {
      cwd: project.folder,
      env: { ...process.env, NO_COLOR: '1' },
    });
    let text = '';
    child.stdout?.on('data', (piece: Buffer) => (text += piece.toString()));
    await expect.poll(() => text).toContain('Ctrl-C');
    return (await browser.open(/http:\S+/.exec(text)?.[0] ?? '')).page;
  }

  const count = async (page: Page, text: string | RegExp): Promise<void> => {
    await page.getByRole('status').filter({ hasText: text }).waitFor();
    await page.locator('[role=grid][aria-busy=false]').waitFor();
  };
  const started = (page: Page) =>
    page
      .getByText(/from (?:only )?1 question/)
      .first()
      .waitFor();

  test('take at most as many clicks as stated', async () => {
    const page = await open();
    const hand = new Hand(page);
    const run = page.url();

    await hand.click(page.getByRole('link', { name: 'Where they differ' }));
    await hand.click(page.getByRole('link', { name: 'Leave out v1' }));
    await count(page, '20 of 40 questions, 2 columns');
    hand.end('which questions v2 and v3 answer differently');

    await hand.click(page.getByRole('button', { name: 'Only where B missed look_up' }));
    await count(page, '2 of 40 questions');
    hand.end('which of them v3 got wrong because it skipped a tool');

    const answers = page.getByRole('row').filter({ hasText: 'for number 10?' });
    await answers.filter({ hasText: /The fee is 100 euros.*I do not know\./s }).waitFor();
    hand.end('read the answers side by side');

    await hand.click(page.getByRole('button', { name: 'Edit…' }));
    const dialog = page.getByRole('dialog');
    const field = dialog.getByLabel('expected_answer', { exact: true });
    await expect
      .poll(() => field.evaluate((element) => element === element.ownerDocument.activeElement))
      .toBe(true);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('I do not know.');
    await hand.click(dialog.getByRole('button', { name: 'Write golden.jsonl:11' }));
    await dialog.getByText('golden.jsonl:11 is written').waitFor();
    expect(await expectationOf(project, 'fee-10')).toBe('I do not know.');
    hand.end('correct the expectation of one');

    await hand.click(dialog.getByRole('button', { name: 'Ask again' }));
    await started(page);
    hand.end('ask it again');

    await hand.click(page.getByRole('button', { name: 'Name…' }));
    await page.getByRole('dialog', { name: 'Name the run' }).waitFor();
    await page.keyboard.type('expectation of fee-10');
    await hand.click(page.getByRole('button', { name: 'Save' }));
    await page.getByRole('heading', { level: 1, name: 'expectation of fee-10' }).waitFor();
    hand.end('name the run');

    await page.goto(new URL(`/matrix?columns=${new URL(run).pathname.split('/').at(-1)}`, run).href);
    await hand.click(page.getByRole('button', { name: 'Not all pass' }));
    await count(page, /of 40 questions, 3 columns/);
    hand.end('hide what is settled');

    const download = page.waitForEvent('download');
    await hand.click(page.getByRole('link', { name: 'report.html' }));
    expect((await download).suggestedFilename()).toBe('matrix.html');
    hand.end('send the rest as one file');

    await hand.click(page.getByRole('link', { name: 'Runs' }));
    await hand.click(page.getByRole('button', { name: /^History/ }));
    await page
      .getByRole('article')
      .filter({ hasText: new RegExp(`metric groundedness worse by .* since ${dayOfFall}`) })
      .waitFor();
    hand.end('find the day when groundedness fell');

    await page.goto(run);
    await hand.click(page.getByRole('link', { name: /^Questions/ }));
    await hand.click(page.getByRole('button', { name: /^failed/ }));
    await page.locator('[role=grid][aria-busy=false], [aria-busy=false] [role=grid]').waitFor();
    const boxes = page.getByRole('grid').getByRole('checkbox', { name: /^Select fee/ });
    await hand.click(boxes.nth(0));
    await hand.click(boxes.nth(19), { modifiers: ['Shift'] });
    await hand.click(page.getByRole('button', { name: 'Ask people…' }));
    await page.getByRole('dialog', { name: 'Ask people about 20 answers' }).getByRole('textbox').waitFor();
    await page.keyboard.type('Does the answer help?');
    await hand.click(page.getByRole('button', { name: 'Create the review task' }));
    await page.waitForURL(/\/reviews\//);
    hand.end('queue twenty for labels');

    expect(hand.counted).toEqual({
      'which questions v2 and v3 answer differently': [2, 0],
      'which of them v3 got wrong because it skipped a tool': [1, 0],
      'read the answers side by side': [0, 0],
      'correct the expectation of one': [2, 0],
      'ask it again': [1, 0],
      'name the run': [2, 0],
      'hide what is settled': [1, 0],
      'send the rest as one file': [1, 0],
      'find the day when groundedness fell': [2, 0],
      'queue twenty for labels': [6, 0],
    });
  });

  test('are done by keyboard alone, in as many keys as stated', async () => {
    const page = await open();
    const mouseEvents = await countMouseEvents(page);
    const hand = new Hand(page);
    const run = page.url();
    const focused = (text: string | RegExp) => page.locator(':focus').filter({ hasText: text }).waitFor();

    await hand.press('m');
    await count(page, '40 questions, 3 columns');
    await hand.press('j x');
    await count(page, '40 questions, 2 columns');
    await hand.press('2');
    await count(page, '20 of 40 questions, 2 columns');
    hand.end('which questions v2 and v3 answer differently');

    await hand.press('/ End');
    await page.keyboard.type(' b.missingTool=*');
    await hand.press('Enter');
    await count(page, '2 of 40 questions');
    hand.end('which of them v3 got wrong because it skipped a tool');

    const rows = page.getByRole('row').filter({ hasText: 'for number 31?' });
    await rows.filter({ hasText: /The fee is 310 euros.*I do not know\./s }).waitFor();
    hand.end('read the answers side by side');

    await hand.press('Escape j j E');
    const dialog = page.getByRole('dialog', { name: 'Edit the question' });
    await dialog.getByLabel('expected_answer', { exact: true }).waitFor();
    await hand.press('Control+a');
    await page.keyboard.type('I do not know.');
    await hand.press('Tab Tab Enter');
    await page.getByText('golden.jsonl:32 is written').waitFor();
    expect(await expectationOf(project, 'fee-31')).toBe('I do not know.');
    hand.end('correct the expectation of one');

    await page.getByRole('button', { name: 'Ask again' }).waitFor();
    await hand.press('Enter');
    await started(page);
    hand.end('ask it again');

    await hand.press('n');
    await page.getByRole('dialog', { name: 'Name the run' }).waitFor();
    await page.keyboard.type('expectation of fee-31');
    await hand.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'expectation of fee-31' }).waitFor();
    hand.end('name the run');

    await page.goto(new URL(`/matrix?columns=${new URL(run).pathname.split('/').at(-1)}`, run).href);
    await count(page, '40 questions, 3 columns');
    await hand.press('4');
    await count(page, /of 40 questions, 3 columns/);
    hand.end('hide what is settled');

    const download = page.waitForEvent('download');
    await hand.press('D');
    expect((await download).suggestedFilename()).toBe('matrix.html');
    hand.end('send the rest as one file');

    await pressTogether(page, 'g r', async (limit) => {
      await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor(limit);
    });
    hand.keys += 2;
    await page.getByRole('button', { name: /^History/ }).waitFor();
    await hand.press('h');
    await page
      .getByRole('article')
      .filter({ hasText: new RegExp(`metric groundedness worse by .* since ${dayOfFall}`) })
      .waitFor();
    hand.end('find the day when groundedness fell');

    await page.goto(run);
    await pressTogether(page, 'g c', async (limit) => await page.getByRole('grid').waitFor(limit));
    hand.keys += 2;
    await hand.press('j');
    await focused(/fee/);
    await hand.press('x PageDown ArrowDown ArrowDown ArrowDown ArrowDown X');
    await page.getByText('questions selected').waitFor();
    await hand.press('P');
    // The question that was asked before is offered.
    await page
      .getByRole('dialog', { name: 'Ask people about 20 answers' })
      .getByRole('radio', { name: 'Does the answer help?' })
      .waitFor();
    await hand.press('Enter');
    await page.waitForURL(/\/reviews\//);
    hand.end('queue twenty for labels');

    expect(mouseEvents()).toBe(0);
    expect(hand.counted).toEqual({
      'which questions v2 and v3 answer differently': [0, 4],
      'which of them v3 got wrong because it skipped a tool': [0, 3],
      'read the answers side by side': [0, 0],
      'correct the expectation of one': [0, 8],
      'ask it again': [0, 1],
      'name the run': [0, 2],
      'hide what is settled': [0, 1],
      'send the rest as one file': [0, 1],
      'find the day when groundedness fell': [0, 3],
      'queue twenty for labels': [0, 12],
    });
  });
});
