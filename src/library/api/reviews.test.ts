import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { createReview } from './reviews.ts';

test('a draw that does not exist is named with those that do, before any run is read', async () => {
  const draw = { type: 'verdict' } as never;
  await expect(createReview({ store: createMemoryStore(), notes: true, draw })).rejects.toMatchObject({
    code: 'review-invalid',
    message: expect.stringMatching(
      /no draw of the type "verdict".*is `stratified`. Choose from random, stratified, outcome/,
    ),
  });
});
