import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { pictures } from '../../../test/support/pictures.ts';
import { run } from '../../../test/support/store-contract/store-records.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { planErasure } from './erase-texts.ts';

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test('the picture of an erased question goes with its texts, and that of another question stays', async () => {
  const store = createMemoryStore();
  await store.createRun(run);
  const files = [pictures.png, pictures.gif];
  await store.blobs.keep(
    run.id,
    files.map((bytes) => ({ hash: hashOf(bytes), read: async () => bytes })),
  );
  const said = ['My name is Zebulon Quixley, and this is my passport.', 'And what is this?'];
  await store.addCases(
    run.id,
    said.map((content, position) => ({
      position,
      hash: `hash ${position}`,
      place: `cases.jsonl:${position + 1}`,
      case: {
        id: `q${position}`,
        input: [
          {
            role: 'user',
            content,
            attachments: [
              {
                hash: hashOf(files[position] ?? pictures.png),
                mediaType: position === 0 ? 'image/png' : 'image/gif',
                bytes: 1,
                name: 'Quixley.png',
                at: 0,
              },
            ],
          },
        ],
        tags: [],
        expected: {},
        metadata: {},
      },
    })),
  );
  await (await planErasure(store, { texts: ['Zebulon Quixley'] })).erase();
  const [first, second] = await Array.fromAsync(store.readCases(run.id));
  expect(JSON.stringify(first)).not.toMatch(/Quixley|attachments/);
  expect(second?.case.input).toMatchObject([{ attachments: [{ hash: hashOf(pictures.gif) }] }]);
  expect(await store.blobs.read(hashOf(pictures.png))).toBeUndefined();
  expect(await store.blobs.read(hashOf(pictures.gif))).toBeDefined();
  await store.close();
});
