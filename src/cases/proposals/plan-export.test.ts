import { expect, test } from 'vitest';
import type { KeptProposal } from '../../core/schema/proposal/kept-proposal.ts';
import type { Proposal } from '../../core/schema/proposal/proposal.ts';
import { buildDecision, buildProposal } from '../../../test/support/store-contract/proposals-contract.ts';
import { type ApprovedProposal, approvalOf, assembleCase } from './decide.ts';
import { planExport } from './plan-export.ts';

function approve(proposal: Proposal, parts: Parameters<typeof buildDecision>[1] = {}): ApprovedProposal {
  const kept: KeptProposal = { proposal, decisions: [buildDecision(proposal.id, parts)], exports: [] };
  return approvalOf(kept) as ApprovedProposal;
}

const approved = (id: string, parts: Partial<Proposal> = {}) => approve(buildProposal(id, parts));

const golden = '{"id": "one", "question": "One?"}\n{"id": "two", "question": "Two?"}\n';
const plan = (text: string | null, all: readonly ApprovedProposal[]) =>
  planExport({ file: 'golden.jsonl', text, names: {} }, all);

test('an approved case becomes a line with its origin, and only with what was ticked', () => {
  const { text, placed } = plan(golden, [approved('p')]);
  expect(text).toBe(
    `${golden}{"id": "p", "question": "When do you open?", "expected_tools": ["hours"], "metadata": {"origin": ` +
      '{"trace": "trace-p", "day": "2026-01-02", "proposal": "p", "by": "Bob"}}}\n',
  );
  // The answer was proposed and not ticked.
  expect(text).not.toContain('At nine.');
  expect(placed).toMatchObject([{ fate: 'added', line: 3, case: { id: 'p' } }]);
});

test('the same export again changes nothing, whatever people made of the line', () => {
  const once = plan(golden, [approved('p')]).text;
  const again = plan(once, [approved('p')]);
  expect([again.text, again.patch, again.placed[0]?.fate]).toEqual([once, '', 'known']);
  const edited = once
    .replace('When do you open?', 'When are you open?')
    .replace('"id": "p"', '"id": "opening"');
  expect(plan(edited, [approved('p')]).text).toBe(edited);
  // Twice in one export is once too.
  expect(plan(golden, [approved('p'), approved('p')]).text).toBe(once);
});

test('a changed case replaces the line of its id, and is refused where there is none', () => {
  const changes = { change: 'changed', replaces: 'one' } as const;
  const { text, placed } = plan(golden, [approved('p', changes)]);
  expect(text.split('\n')[0]).toContain('"id": "one", "question": "When do you open?"');
  expect(text.split('\n')[1]).toBe('{"id": "two", "question": "Two?"}');
  expect(placed[0]?.fate).toBe('replaced');
  expect(plan(golden, [approved('p', { ...changes, replaces: 'three' })]).refused).toMatchObject([
    { reason: 'there is no question "three", which it changes' },
  ]);
});

test('an id that is taken is refused, and a line that is no object stops the export', () => {
  const taken = approve(buildProposal('p'), {
    outcome: {
      status: 'approved',
      case: { id: 'two', input: 'x?', tags: [], metadata: {} },
      expectations: [],
    },
  });
  expect(plan(golden, [taken])).toMatchObject({
    text: golden,
    refused: [{ reason: 'line 2 has the id "two" already' }],
  });
  expect(() => plan('[1]\n', [approved('p')])).toThrow(
    expect.objectContaining({
      code: 'dataset-invalid',
      message: 'golden.jsonl:1: this line is no JSON object',
    }),
  );
});

test('an origin that was written into the case by hand is replaced by the true one', () => {
  const forged = approve(buildProposal('p'), {
    outcome: {
      status: 'approved',
      case: { input: 'x?', tags: [], metadata: { origin: { by: 'Nobody' }, kept: 1 } },
      expectations: [],
    },
  });
  expect(assembleCase(forged).metadata).toEqual({
    kept: 1,
    origin: { trace: 'trace-p', day: '2026-01-02', proposal: 'p', by: 'Bob' },
  });
});

test('several answers are acceptable ones, a list is a whole list, and one value cannot be two', () => {
  const ticked = (expectations: readonly { field: 'answer' | 'tools' | 'refusal'; value: never }[]) =>
    approve(buildProposal('p'), {
      outcome: {
        status: 'approved',
        case: { input: 'x?', tags: [], metadata: {} },
        expectations: expectations.map((each) => ({ ...each, expectation: null })),
      },
    });
  const value = (given: unknown) => given as never;
  expect(
    assembleCase(
      ticked([
        { field: 'answer', value: value('a') },
        { field: 'answer', value: value(['b', 'a']) },
        { field: 'tools', value: value([]) },
      ]),
    ).expected,
  ).toEqual({ answer: ['a', 'b'], tools: [] });
  const twice = [value(true), value(false)].map((each) => ({ field: 'refusal' as const, value: each }));
  expect(() => assembleCase(ticked(twice))).toThrow(expect.objectContaining({ code: 'proposal-invalid' }));
  expect(() => assembleCase(ticked([{ field: 'tools', value: value([7]) }]))).toThrow(
    expect.objectContaining({ code: 'proposal-invalid' }),
  );
});
