import { expect, test } from 'vitest';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import { htmlValid } from './html-valid.ts';

async function score(answer: string | null, options: object = {}) {
  const { definition } = htmlValid;
  const metric = definition.create(definition.options.parse(options), {});
  return await metric.score({ case: buildCase({}), trial: buildTrial(answer) });
}

test.each<[string | null, number]>([
  ['<!DOCTYPE html><html><head><title>T</title></head><body>Hi</body></html>', 1],
  ['<p>Hi <b>there</b>', 1],
  ['<my-widget></my-widget>', 1],
  ['<table><tr><td>1</table>', 1],
  ['  <div>one</div>\n<div>two</div>  ', 1],
  ['Just text', 0],
  ['Here it is: <p>Hi</p>', 0],
  ['<p>Hi</p> and more', 0],
  ['<thing>Hi</thing>', 0],
  ['<headphones>Hi</headphones>', 0],
  ['<?xml version="1.0"?><p/>', 0],
  ['1 < 2 and 3 > 2', 0],
  ['', 0],
  [null, 0],
])('HTML %j → %d', async (answer, value) => {
  expect(await score(answer)).toMatchObject({ value, passed: value === 1 });
});

test.each<[string | null, number]>([
  ['Here it is: <p>Hi</p>', 1],
  ['Use this:\n```html\n<div class="a">x</div>\n```', 1],
  ['<?xml version="1.0"?><p/>', 1],
  ['Just text with &amp; in it', 0],
  ['a < b, <example> and <thing>Hi</thing>', 0],
  ['', 0],
  [null, 0],
])('HTML anywhere in %j → %d', async (answer, value) => {
  expect(await score(answer, { anywhere: true })).toMatchObject({ value, passed: value === 1 });
});

test('elements that are nested without end are read', async () => {
  expect(await score('<div>'.repeat(20_000))).toMatchObject({ value: 1 });
});
