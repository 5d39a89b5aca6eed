import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { hashBytes } from '../../src/core/lib/content-hash.ts';
import type { Attachment, Message } from '../../src/core/schema/message.ts';
import { buildCase, buildRun, buildTrial } from '../../src/library/testing/build-records.ts';
import type { Run } from '../../src/core/schema/run.ts';
import { html } from '../../src/look/reporters/html.ts';
import { createMemoryStore } from '../support/memory-store.ts';
import { readRuns, type Store } from '../../src/stores/store.ts';
import { temporaryFolder } from '../run-cli.ts';
import { sampleInput, sampleView } from '../support/build-sample-run.ts';
import { describeInBrowser, findBarriers, useDashboard } from '../support/browser.ts';
import { hostileTexts } from '../support/hostile-texts.ts';
import { pictures } from '../support/pictures.ts';

/** A name that would be markup, if it were not a text. */
const hostileName = '"><script>window.pwned = 1</script>.gif';
/** The page of a script that calls itself a picture. */
const disguised = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="window.pwned = 1"/>');

/** A picture that is a script as well: its width begins a comment that ends behind the picture. */
const polyglot = Buffer.concat([pictures.gif, Buffer.from('*/=1;window.pwned = 1;')]);
polyglot.write('/*', 6, 'latin1');
/** A PDF that runs a script when it is opened. */
const scripted = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
);

const question = 'Look at this: and listen.';
const after = question.indexOf(':') + 1;

function attach(bytes: Buffer, file: Pick<Attachment, 'mediaType' | 'name' | 'at'>): Attachment {
  return { hash: hashBytes(bytes), bytes: bytes.length, ...file };
}

/** Builds a store with a run whose question has files, one of them no picture, whatever its record says. */
async function buildStore(): Promise<Store> {
  const store = createMemoryStore();
  const run = buildRun({ status: 'completed' });
  const asked: Message = {
    role: 'user',
    content: question,
    attachments: [
      attach(pictures.png, { mediaType: 'image/png', name: 'dent.png', at: after }),
      attach(pictures.gif, { mediaType: 'image/gif', name: hostileName, at: after }),
      attach(disguised, { mediaType: 'image/png', name: 'disguised.png', at: after }),
      attach(pictures.wav, { mediaType: 'audio/wav', name: 'engine.wav', at: question.length }),
      attach(pictures.pdf, { mediaType: 'application/pdf', name: 'bill.pdf', at: question.length }),
    ],
  };
  const testCase = buildCase({ input: [asked] });
  await store.createRun(run);
  await store.addCases(run.id, [{ position: 0, hash: 'h', place: 'golden.jsonl:1', case: testCase }]);
  const files = [pictures.png, pictures.gif, disguised, pictures.wav, pictures.pdf, polyglot, scripted];
  await store.blobs.keep(
    run.id,
    files.map((bytes) => ({ hash: hashBytes(bytes), read: async () => bytes })),
  );
  const answered: Message = {
    role: 'assistant',
    content: 'The door.',
    attachments: [
      attach(polyglot, { mediaType: 'image/gif', name: 'drawn.gif', at: 'The door.'.length }),
      attach(scripted, { mediaType: 'application/pdf', name: 'offer.pdf', at: 'The door.'.length }),
    ],
  };
  const transcript: Message[] = [asked, answered];
  await store.addTrials(run.id, [{ case: testCase, trial: buildTrial('The door.', { transcript }) }]);
  return store;
}

describeInBrowser('pictures and other files with a hundred hostile names', () => {
  const dashboard = useDashboard(async () => {
    const store = createMemoryStore();
    const run = buildRun({ status: 'completed' });
    const attachments = hostileTexts.map((name, index) =>
      attach(index % 2 === 0 ? pictures.png : pictures.pdf, {
        mediaType: index % 2 === 0 ? 'image/png' : 'application/pdf',
        name,
        at: 0,
      }),
    );
    const asked: Message = { role: 'user', content: 'Look.', attachments };
    const testCase = buildCase({ input: [asked] });
    await store.createRun(run);
    await store.addCases(run.id, [{ position: 0, hash: 'h', place: 'golden.jsonl:1', case: testCase }]);
    const files = [pictures.png, pictures.pdf];
    await store.blobs.keep(
      run.id,
      files.map((bytes) => ({ hash: hashBytes(bytes), read: async () => bytes })),
    );
    const transcript: Message[] = [asked, { role: 'assistant', content: 'Yes.' }];
    await store.addTrials(run.id, [{ case: testCase, trial: buildTrial('Yes.', { transcript }) }]);
    return store;
  });

  test('run nothing and ask for nothing elsewhere', async () => {
    const { page } = await dashboard.open('/runs/latest/cases/0');
    const elsewhere: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).host !== new URL(page.url()).host) elsewhere.push(request.url());
    });
    await page.reload();
    await page.locator('main img').first().waitFor();
    const names = await page
      .locator('main img')
      .evaluateAll((every) => every.map((each) => each.getAttribute('alt')));
    expect(names).toHaveLength(Math.ceil(hostileTexts.length / 2));
    expect(elsewhere).toEqual([]);
    expect(await page.evaluate('window.pwned')).toBeUndefined();
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  });
});

describeInBrowser('the files of a question', () => {
  const dashboard = useDashboard(buildStore);

  test('stand where they stood in its text: pictures seen, sounds to play, PDFs to download', async () => {
    const { page } = await dashboard.open('/runs/latest/cases/0');
    const message = page.getByRole('main').locator('ol > li').first();
    await message.getByAltText('dent.png').waitFor();
    const [text, before, behind] = await Promise.all([
      message.innerText(),
      message.getByText('Look at this:').boundingBox(),
      message.getByText('and listen.').boundingBox(),
    ]);
    expect(text).toContain('bill.pdf PDF');
    const picture = await message.getByAltText('dent.png').boundingBox();
    const places = [before, picture, behind].map((box) => box?.y ?? Number.NaN);
    expect(places).toEqual(places.toSorted((left, right) => left - right));
    expect(await message.locator('audio[aria-label="engine.wav"][controls]').count()).toBe(1);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      message.getByRole('link', { name: 'bill.pdf' }).press('Enter'),
    ]);
    expect(download.suggestedFilename()).toBe('bill.pdf');
    expect(await findBarriers(page)).toEqual([]);
  });

  test('run nothing: no name is markup, and an SVG that a record calls a PNG is not drawn', async () => {
    const { page } = await dashboard.open('/runs/latest/cases/0');
    const widths = await page.evaluate(
      "Promise.all(Array.from(document.querySelectorAll('main img'), (img) => img.decode().catch(() => {}).then(() => [img.alt, img.naturalWidth])))",
    );
    expect(widths).toEqual([
      ['dent.png', 1],
      [hostileName, 1],
      ['disguised.png', 0],
      ['drawn.gif', 0x2a2f],
    ]);
    expect(await page.evaluate('window.pwned')).toBeUndefined();
  });

  test('run nothing where their address is opened: a script in a PDF and an SVG are downloads, a picture is looked at', async () => {
    const { page } = await dashboard.open('/runs/latest/cases/0', {
      mayFail: ['Blocked script execution', 'Applying inline style'],
    });
    const origin = new URL(page.url()).origin;
    for (const bytes of [scripted, disguised]) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.goto(`${origin}/api/blobs/${hashBytes(bytes)}`).catch(() => undefined),
      ]);
      expect(download.url()).toContain(hashBytes(bytes));
    }
    await page.goto(`${origin}/api/blobs/${hashBytes(polyglot)}`);
    expect(await page.evaluate('[document.contentType, window.pwned]')).toEqual(['image/gif', undefined]);
    await page.goto(origin);
  });

  test('stand in a report in one file: pictures as they are, all others by their names, and none of them runs', async () => {
    const folder = await temporaryFolder();
    const store = await buildStore();
    const [run] = await Array.fromAsync(readRuns(store));
    const results = () => store.readResults((run as Run).id);
    const input = {
      ...sampleInput([{ found: ['a'] }]),
      run: run as Run,
      results,
      readBlob: async (hash: string) => await store.blobs.read(hash),
    };
    const file = path.join(folder, 'report.html');
    await writeFile(file, html.report(input, sampleView()));
    const { page } = await dashboard.open(`${pathToFileURL(file).href}#/runs/${(run as Run).id}/cases/0`);
    const main = page.getByRole('main');
    await main.getByAltText('drawn.gif').waitFor();
    const widths = await page.evaluate(
      "Promise.all(Array.from(document.querySelectorAll('main img'), (img) => img.decode().catch(() => {}).then(() => [img.alt, img.naturalWidth])))",
    );
    expect(widths).toEqual([
      ['dent.png', 1],
      [hostileName, 1],
      ['drawn.gif', 0x2a2f],
    ]);
    const text = await main.innerText();
    for (const name of ['disguised.png', 'engine.wav', 'bill.pdf', 'offer.pdf'])
      expect(text).toContain(`${name} is not in this file`);
    expect(await page.locator('a[href*="blobs"], audio').count()).toBe(0);
    expect(await page.evaluate('window.pwned')).toBeUndefined();
    expect(await findBarriers(page)).toEqual([]);
    await store.close();
  });
});
