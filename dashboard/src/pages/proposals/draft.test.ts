import { expect, test } from 'vitest';
import { buildProposal } from '../../../../test/support/store-contract/proposals-contract.ts';
import { beginDraft, toApproval, toggleAll, toggleTick } from './draft.ts';

const proposal = buildProposal('p');

test('nothing is ticked at first but what the case expected before', () => {
  expect(beginDraft(proposal).ticks).toEqual([false, false]);
  const [tool, answer] = proposal.expectations;
  const kept = {
    ...proposal,
    expectations: [tool, { ...answer, proof: { type: 'case' } }],
  } as typeof proposal;
  expect(beginDraft(kept).ticks).toEqual([false, true]);
});

test('an approval has the edited case and the ticked expectations, and no others', () => {
  const draft = { ...toggleTick(beginDraft(proposal), 1), question: 'Open when?', category: ' hours ' };
  expect(toApproval(proposal, { ...draft, values: ['x', 'At ten.'] })).toEqual({
    status: 'approved',
    case: { input: 'Open when?', category: 'hours', tags: [], metadata: {} },
    expectations: [{ expectation: 1, field: 'answer', value: 'At ten.' }],
  });
  expect(toggleAll(toggleAll(draft)).ticks).toEqual([false, false]);
});

test('of a conversation, the last message is edited', () => {
  const input = [
    { role: 'user' as const, content: 'Hi' },
    { role: 'assistant' as const, content: 'Hello' },
    { role: 'user' as const, content: 'When?' },
  ];
  const asked = { ...proposal, case: { ...proposal.case, input } };
  const draft = beginDraft(asked);
  expect(draft.question).toBe('When?');
  expect(toApproval(asked, { ...draft, question: 'When exactly?' })).toMatchObject({
    case: { input: [input[0], input[1], { role: 'user', content: 'When exactly?' }] },
  });
});

test('a value that is no text is JSON, and broken JSON is named when it is ticked', () => {
  const [tool] = proposal.expectations;
  const listed = { ...proposal, expectations: [{ ...tool, value: [] }] } as typeof proposal;
  const draft = { ...beginDraft(listed), values: ['["a"'] };
  expect(toApproval(listed, draft)).toMatchObject({ expectations: [] });
  expect(toApproval(listed, toggleTick(draft, 0))).toEqual({ broken: 0 });
  expect(toApproval(listed, toggleTick({ ...draft, values: ['["a"]'] }, 0))).toMatchObject({
    expectations: [{ value: ['a'] }],
  });
});
