import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../run-cli.ts';
import { describeInBrowser, findBarriers, useBrowser } from '../support/browser.ts';
import { isReleaseTested } from '../support/is-release-tested.ts';

const page = `<!doctype html>
<html lang="en">
<title>Barriers</title>
<style>
  .text-faint { color: #bbb }
  @media (prefers-color-scheme: dark) { body { background: #111; color: #eee } .text-sunk { color: #333 } }
</style>
<main>
  <h1>Barriers</h1>
  <p>Fine</p>
  <p class="text-faint" hidden>Faint</p>
  <p class="text-sunk">Sunk</p>
  <button></button>
</main>`;

describeInBrowser('the look at the accessibility of a page', () => {
  const browser = useBrowser();

  test('finds what nobody can read, in a state of the page where it is shown', async () => {
    const file = path.join(await temporaryFolder(), 'barriers.html');
    await writeFile(file, page);
    const { page: opened } = await browser.open(pathToFileURL(file).href);
    const first = await findBarriers(opened);
    const sunk = isReleaseTested ? [expect.stringMatching(/color-contrast: <p class="text-sunk">/)] : [];
    expect(first).toEqual([expect.stringContaining('button-name: <button>'), ...sunk]);
    if (!isReleaseTested) return;
    await opened.evaluate(`document.querySelector('.text-faint').hidden = false`);
    expect(await findBarriers(opened)).toEqual([
      expect.stringContaining('button-name: <button>'),
      expect.stringMatching(/color-contrast: <p class="text-faint">/),
    ]);
  });
});
