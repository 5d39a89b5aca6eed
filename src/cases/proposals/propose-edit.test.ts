import { expect, test } from 'vitest';
import { buildCase } from '../../library/testing/build-records.ts';
import { type CaseEdit, proposeEdit } from './propose-edit.ts';

const known = {
  place: 'data/golden.jsonl:12',
  case: buildCase({
    id: 'fee',
    input: 'Which fee?',
    expected: { keywords: ['10 euros'], tools: ['lookup'] },
  }),
};
const edit = (parts: Partial<CaseEdit>) =>
  proposeEdit(known, {
    expected: { keywords: ['10 euros'], tools: ['lookup'] },
    run: 'r1',
    by: { type: 'person', name: 'Ann' },
    at: '2026-01-02T03:04:05.678Z',
    ...parts,
  });

test('what a person changed has the person for evidence, and what stays the question itself', () => {
  const proposal = edit({
    question: 'Which fee is due?',
    expected: { keywords: ['12 euros'], tools: ['lookup'] },
  });
  expect(proposal).toMatchObject({
    dataset: 'data/golden.jsonl',
    change: 'changed',
    replaces: 'fee',
    case: { id: 'fee', input: 'Which fee is due?' },
    source: { type: 'run', run: 'r1' },
    by: { type: 'person', name: 'Ann' },
  });
  expect(proposal.expectations).toEqual([
    {
      field: 'keywords',
      value: ['12 euros'],
      proof: { type: 'text', text: 'Ann on the page of the run r1' },
    },
    { field: 'tools', value: ['lookup'], proof: { type: 'case' } },
  ]);
});

test('expectations that are none, and a change of nothing, are refused in words', () => {
  expect(() => edit({})).toThrow('Nothing is changed.');
  expect(() => edit({ expected: { keywords: 7 } })).toThrow(/^expected\.keywords: /);
  expect(() => edit({ expected: { nonsense: true } })).toThrow('A question expects no "nonsense".');
});
