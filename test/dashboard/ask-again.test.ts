import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { program, touchstone } from '../run-cli.ts';
import { writeSlowProject } from '../slow-project.ts';
import { hostileTexts } from '../support/hostile-texts.ts';
import { describeInBrowser, findBarriers, type PageChoices, useBrowser } from '../support/browser.ts';

describeInBrowser('questions are asked again from the page', () => {
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

  /** Starts `touchstone view` in a folder, and opens a page of it. */
  async function open(folder: string, run: string, choices: PageChoices = {}) {
    child = spawn(process.execPath, [program, 'view', run, '--no-open'], {
      cwd: folder,
      env: { ...process.env, NO_COLOR: '1' },
    });
    let text = '';
    child.stdout?.on('data', (piece: Buffer) => (text += piece.toString()));
    await expect.poll(() => text).toContain('Ctrl-C');
    return (await browser.open(/http:\S+/.exec(text)?.[0] ?? '', choices)).page;
  }

  test('the plan is shown, a run of the selection begins, and the command does the same', async () => {
    const { folder, readCalls } = await writeSlowProject({ cases: 4, concurrency: 2 });
    expect((await touchstone(['run', '--attempts', '2'], { cwd: folder })).code).toBe(0);
    const page = await open(folder, 'latest');
    const first = new URL(page.url()).pathname;
    await page.goto(new URL(`${first}/cases?sort=id`, page.url()).href);
    for (const id of ['q1', 'q3']) await page.getByRole('row', { name: id }).getByRole('checkbox').click();
    await page.getByRole('button', { name: 'Ask again…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Ask 2 questions again' });
    await dialog.getByText('4 calls').first().waitFor();
    expect(await findBarriers(page)).toEqual([]);
    const command = (await dialog.getByText(/^touchstone run/).innerText()).trim();
    expect(command).toBe("touchstone run --attempts 2 --filter 'id=q1|q3'");
    // Nothing is asked before the confirmation.
    expect(await readCalls()).toHaveLength(8);
    await dialog.getByRole('button', { name: 'Ask again' }).click();
    await page.getByText(/from (?:only )?2 questions/).waitFor();
    expect(new URL(page.url()).pathname).not.toBe(first);
    expect((await readCalls()).slice(8).toSorted()).toEqual([
      'question 1',
      'question 1',
      'question 3',
      'question 3',
    ]);
    const pasted = command.replaceAll("'", '').split(' ').slice(1);
    expect((await touchstone(pasted, { cwd: folder })).code).toBe(0);
    expect(await readCalls()).toHaveLength(16);
  });

  test('a question is edited in its file, asked again, and passes', async () => {
    const { folder } = await writeSlowProject({ cases: 3, concurrency: 1 });
    const golden = path.join(folder, 'golden.jsonl');
    const before = (await readFile(golden, 'utf8')).replace(
      '"question 1","expected_keywords":["yes"]',
      '"question 1","expected_keywords":["no"]',
    );
    await writeFile(golden, before);
    await touchstone(['run'], { cwd: folder });
    const page = await open(folder, 'latest');
    await page.goto(`${page.url()}/cases/1`);
    await page.getByRole('button', { name: 'Edit the question…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit the question' });
    await dialog.getByLabel('question', { exact: true }).fill('question <b>one</b>?');
    const text = dialog.getByLabel('As it is in the file');
    await text.fill((await text.inputValue()).replace('["no"]', '["yes"]'));
    await dialog.locator('ins').first().waitFor();
    // Not the whole line, which has few spaces.
    expect(await dialog.locator('ins').allTextContents()).toContain('yes');
    expect(await findBarriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Write golden.jsonl:2' }).click();
    await page.getByText('golden.jsonl:2 is written').waitFor();
    const changed = before.replace('"question 1"', '"question <b>one</b>?"').replace('["no"]', '["yes"]');
    expect(await readFile(golden, 'utf8')).toBe(changed);
    await page
      .getByRole('dialog', { name: 'Ask 1 question again' })
      .getByRole('button', { name: 'Ask again' })
      .click();
    await page.getByText(/from (?:only )?1 question/).waitFor();
    await page.getByText('100.0 %').first().waitFor();
  });

  test('a hundred hostile texts in the cells of a row are edited as texts, and every other byte stays', async () => {
    const { folder } = await writeSlowProject({ cases: 2, concurrency: 1 });
    const golden = path.join(folder, 'golden.jsonl');
    const row = {
      id: 'bad',
      question: hostileTexts.join('\n'),
      expected_answer: hostileTexts.toReversed().join(' '),
    };
    const others = `${await readFile(golden, 'utf8')}\n`;
    await writeFile(golden, `${others}${JSON.stringify(row)}\n`);
    expect((await touchstone(['run'], { cwd: folder })).code).not.toBe(4);
    const page = await open(folder, 'latest');
    await page.goto(`${page.url()}/cases/2`);
    await page.getByRole('button', { name: 'Edit the question…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit the question' });
    const cell = dialog.getByLabel('expected_answer', { exact: true });
    const edited = `${hostileTexts[3]} ${await cell.inputValue()}`;
    await cell.fill(edited);
    await dialog.locator('ins').first().waitFor();
    await dialog.getByRole('button', { name: 'Write golden.jsonl:3' }).click();
    await page.getByText('golden.jsonl:3 is written').waitFor();
    const text = await readFile(golden, 'utf8');
    expect(text.startsWith(others)).toBe(true);
    // Half a surrogate pair cannot be sent, and is the only thing that an editor cannot keep.
    const expected_answer = edited.toWellFormed();
    expect(JSON.parse(text.slice(others.length))).toEqual({ ...row, expected_answer });
    expect(await page.evaluate('window.pwned')).toBeUndefined();
  });

  test('what cannot be asked is said in the words of the command line', async () => {
    const { folder } = await writeSlowProject({ cases: 2, concurrency: 1 });
    await touchstone(['run'], { cwd: folder });
    const page = await open(folder, 'latest', { mayFail: ['409'] });
    await rm(path.join(folder, 'golden.jsonl'));
    await page.goto(`${page.url()}/cases/0`);
    await page.getByRole('button', { name: 'Ask again…' }).waitFor();
    await page.keyboard.press('a');
    await page.getByRole('dialog').getByText('golden.jsonl: there is no such file').waitFor();
    const command = page.getByRole('dialog').getByText('touchstone run --filter id=q0');
    await command.waitFor();
    expect(await command.count()).toBe(1);
  });

  test('a run is stopped: what is in flight is stored, and the rest can be asked later', async () => {
    const { folder, untilCalled, readCalls } = await writeSlowProject({ cases: 50, concurrency: 1 });
    const running = touchstone(['run'], { cwd: folder, env: { SLOW_MS: '300' }, isAlone: true });
    await untilCalled(2);
    const page = await open(folder, 'latest');
    await page.getByRole('button', { name: 'Stop' }).click();
    const { code, stdout, stderr } = await running;
    expect((await readCalls()).length).toBeLessThan(50);
    expect(code).toBe(2);
    expect(stdout).toContain('stopped it on the dashboard');
    expect(stderr).toContain('To continue: touchstone run --resume');
    await page.getByText('This run is interrupted.').waitFor();
  });
});
