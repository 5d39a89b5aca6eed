import { expect, test } from 'vitest';
import { findPictures } from './long-text.tsx';

const picture = `data:image/png;base64,${'iVBORw0KGgo'.repeat(10)}==`;

test('a picture that a text spells out is named in its place', () => {
  const { text, pictures } = findPictures(`Here: ![chart](${picture}) and ${picture}.`, false);
  expect(pictures).toEqual([picture, picture]);
  expect(text).toBe('Here: ![chart]([picture 1: png, 134 characters]) and [picture 2: png, 134 characters].');
});

test('what is no picture that a browser only draws, and one that is not whole, stay text', () => {
  for (const address of [
    picture.replace('png', 'svg+xml'),
    picture.replace('image/png', 'text/html'),
    'data:image/png;base64,short',
  ])
    expect(findPictures(address, false)).toEqual({ text: address, pictures: [] });
  expect(findPictures(`See ${picture}`, true).pictures).toEqual([]);
});
