import { expect, test } from 'vitest';
import { hashBytes } from '../../src/core/lib/content-hash.ts';
import type { Attachment, Message } from '../../src/core/schema/message.ts';
import { buildCase, buildRun, buildTrial } from '../../src/library/testing/build-records.ts';
import { createMemoryStore } from '../../src/stores/memory.ts';
import type { Store } from '../../src/stores/store.ts';
import { describeInBrowser, findBarriers, useDashboard } from '../support/browser.ts';
import { pictures } from '../support/pictures.ts';

/** A name that would be markup, if it were not a text. */
const hostileName = '"><script>window.pwned = 1</script>.gif';
/** The page of a script that calls itself a picture. */
const disguised = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="window.pwned = 1"/>');

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
  const files = [pictures.png, pictures.gif, disguised, pictures.wav, pictures.pdf];
  await store.blobs.keep(
    run.id,
    files.map((bytes) => ({ hash: hashBytes(bytes), read: async () => bytes })),
  );
  const transcript: Message[] = [asked, { role: 'assistant', content: 'The door.' }];
  await store.addTrials(run.id, [{ case: testCase, trial: buildTrial('The door.', { transcript }) }]);
  return store;
}

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
    ]);
    expect(await page.evaluate('window.pwned')).toBeUndefined();
  });
});
