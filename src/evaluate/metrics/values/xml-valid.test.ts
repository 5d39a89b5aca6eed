import { expect, test } from 'vitest';
import { UnmeasurableError } from '../../../core/lib/compute-within.ts';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import { xmlValid } from './xml-valid.ts';

async function score(answer: string | null, options: object = {}) {
  const { definition } = xmlValid;
  const metric = definition.create(definition.options.parse(options), {});
  return await metric.score({ case: buildCase({}), trial: buildTrial(answer) });
}

/** Documents of the W3C XML conformance suite in short, by the constraint that they meet or break. */
test.each<[string | null, number]>([
  ['<a/>', 1],
  ['<?xml version="1.0"?>\n<!-- c --><a b="1"><c>&lt;&#65;</c><![CDATA[<&]]></a>\n', 1],
  ['<a xmlns:x="u"><x:b/></a>', 1],
  ['<!DOCTYPE a SYSTEM "x.dtd"><a/>', 1],
  ['<a><b></a></b>', 0],
  ['<a b=1/>', 0],
  ['<a b="1" b="2"/>', 0],
  ['<a>&nbsp;</a>', 0],
  ['<a>x & y</a>', 0],
  ['<a/><b/>', 0],
  ['<a/> and more', 0],
  ['Here: <a/>', 0],
  ['<a', 0],
  ['<a>\u0001</a>', 0],
  ['<a><!-- a -- b --></a>', 0],
  ['', 0],
  [null, 0],
])('XML %j → %d', async (answer, value) => {
  expect(await score(answer)).toMatchObject({ value, passed: value === 1 });
});

test('elements that are required are looked for with all that they stand in', async () => {
  const answer = '<analysis><topic>x</topic><deep><colour/></deep></analysis>';
  const of = async (...requiredElements: string[]) => await score(answer, { requiredElements });
  expect(await of('analysis.topic', 'analysis.deep.colour')).toMatchObject({ value: 1 });
  expect(await of('analysis.topic', 'topic')).toMatchObject({
    value: 0,
    explanation: 'these elements are missing: topic',
  });
});

test('entities that a document declares itself are never expanded', async () => {
  const lols = Array.from({ length: 30 }, (_, n) => `<!ENTITY e${n + 1} "&e${n};&e${n};">`).join('');
  const bomb = `<!DOCTYPE a [<!ENTITY e0 "ha">${lols}]><a>&e30;</a>`;
  expect(await score(bomb)).toMatchObject({ status: 'failed', code: 'xml-document-type' });
  const file = '<!DOCTYPE a [<!ENTITY f SYSTEM "file:///etc/passwd">]><a>&f;</a>';
  expect(await score(file)).toMatchObject({ status: 'failed' });
});

test.each<[string | null, number]>([
  ['Here: <a/>', 1],
  ['<answer>42</answer> is what I found, with <note b="1>0">more</note>.', 1],
  ['<open> and <b><c/></b> here', 1],
  ['<!-- <a/> --> and text', 0],
  ['<p>one<br>two</p>', 0],
  ['<a b=1></a>', 0],
  ['a < b > c', 0],
  ['Just text', 0],
  [null, 0],
])('XML anywhere in %j → %d', async (answer, value) => {
  expect(await score(answer, { anywhere: true })).toMatchObject({ value, passed: value === 1 });
});

test('required elements may be in several elements of the answer', async () => {
  const answer = 'First <a><b/></a>, then <c>x</c>.';
  const of = async (...requiredElements: string[]) =>
    await score(answer, { anywhere: true, requiredElements });
  expect(await of('a.b', 'c')).toMatchObject({ value: 1 });
  expect(await of('b')).toMatchObject({ value: 0, explanation: 'these elements are missing: b' });
});

test('an answer of nothing but tags is searched or refused, never hung on', async () => {
  for (const part of ['<a>', '<a/>', `<a "'`, '<!--'])
    expect(['scored', 'failed']).toContain((await readHostile(part.repeat(20_000))).status);
});

async function readHostile(answer: string) {
  try {
    return await score(answer, { anywhere: true });
  } catch (error) {
    if (!(error instanceof UnmeasurableError)) throw error;
    return { status: 'failed' };
  }
}
