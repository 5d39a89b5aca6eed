import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Label, type LabelValue, markOf } from '../../core/schema/review/label.ts';
import { buildLabel, type LabelParts } from '../../../test/support/build-labels.ts';
import { settle, type SettleRules } from './settle.ts';

const yesNo: SettleRules = { scale: { type: 'yes-no' }, settle: 'agreement', wanted: 2 };
const anchors = ['rude', 'curt', 'neutral', 'friendly', 'warm'];
const ordinal: SettleRules = { scale: { type: 'ordinal', anchors }, settle: 'majority', wanted: 3 };

/** Settles the labels of several people, one value each; null is "not applicable". */
function settleValues(values: readonly (LabelValue | null)[], rules: SettleRules) {
  const labels = values.map((value, index) => {
    const parts: LabelParts = value === null ? { outcome: { status: 'not-applicable' } } : { value };
    return buildLabel(`l${index}`, { person: `p${index}`, ...parts });
  });
  return settleAll(labels, rules);
}

function settleAll(labels: readonly Label[], rules: SettleRules) {
  return settle(labels.map(markOf), rules);
}

test('people who agree settle an item, and one person alone where one is wanted', () => {
  expect(settleValues([true, true], yesNo)).toEqual({
    status: 'settled',
    value: true,
    by: 'agreement',
    labels: ['l0', 'l1'],
    isBlind: true,
  });
  expect(settleValues([false], { ...yesNo, wanted: 1 })).toMatchObject({ value: false, by: 'one' });
  expect(settleValues([null, null], yesNo)).toMatchObject({ status: 'settled', value: null });
});

test('an item with too few answers is open; a skip is no answer', () => {
  expect(settleValues([true], yesNo)).toEqual({ status: 'open', answers: 1, wanted: 2 });
  const skipped = buildLabel('s', { person: 'bob', outcome: { status: 'skipped', reason: 'unclear' } });
  expect(settleAll([buildLabel('a'), skipped], yesNo)).toEqual({ status: 'open', answers: 1, wanted: 2 });
});

test('people who differ dispute an item: it is never a mean, and "not applicable" is an answer of its own', () => {
  expect(settleValues([true, false], yesNo)).toEqual({ status: 'disputed', labels: ['l0', 'l1'] });
  expect(settleValues([true, null], yesNo).status).toBe('disputed');
  expect(settleValues([2, 4], { ...ordinal, wanted: 2 }).status).toBe('disputed');
});

test('a majority of three or more settles only where the rubric says so', () => {
  const three = { ...yesNo, wanted: 3 };
  expect(settleValues([true, false, true], three).status).toBe('disputed');
  expect(settleValues([true, false, true], { ...three, settle: 'majority' })).toMatchObject({
    value: true,
    by: 'majority',
    labels: ['l0', 'l2'],
  });
  expect(settleValues([true, false, true, false], { ...three, wanted: 4, settle: 'majority' }).status).toBe(
    'disputed',
  );
  expect(settleValues([true, false, null], { ...three, settle: 'majority' }).status).toBe('disputed');
  expect(settleValues([null, false, null], { ...three, settle: 'majority' })).toMatchObject({ value: null });
});

test('points of an ordinal scale settle at their median, which must be a label that was given', () => {
  expect(settleValues([5, 1, 4], ordinal)).toMatchObject({ value: 4, by: 'median' });
  expect(settleValues([1, 2, 4, 5], ordinal).status).toBe('disputed');
  expect(settleValues([1, 4, 4, 5], ordinal)).toMatchObject({ value: 4 });
  expect(settleValues([1, 2, 3], { ...ordinal, settle: 'agreement' }).status).toBe('disputed');
  expect(settleValues([3, 3, null], ordinal)).toMatchObject({ value: 3, by: 'majority' });
});

test('texts are settled by agreement alone', () => {
  const rules: SettleRules = { scale: { type: 'text' }, settle: 'majority', wanted: 3 };
  expect(settleValues(['a', 'a', 'b'], rules).status).toBe('disputed');
});

test('an adjudication decides, whatever the others said', () => {
  const labels = [buildLabel('a'), buildLabel('b', { person: 'bob', value: false })];
  const decision = buildLabel('c', {
    person: 'cem',
    kind: 'adjudication',
    purpose: 'dispute',
    value: false,
    at: '2026-01-01T00:00:00.000Z',
  });
  expect(settleAll([...labels, decision], yesNo)).toMatchObject({
    value: false,
    by: 'adjudication',
    labels: ['c'],
  });
});

test('an undone label is as if it had never been given, and a label that it replaced is in force again', () => {
  const one = { ...yesNo, wanted: 1 };
  const first = buildLabel('a', { value: true });
  const second = buildLabel('b', { value: false, replaces: 'a' });
  const undo = buildLabel('c', { outcome: { status: 'withdrawn' }, replaces: 'b' });
  expect(settleAll([first, second], one)).toMatchObject({ value: false, labels: ['b'] });
  expect(settleAll([first, second, undo], one)).toMatchObject({ value: true, labels: ['a'] });
  const undoFirst = { ...undo, id: 'd', replaces: 'a' };
  expect(settleAll([first, undoFirst], one)).toEqual({ status: 'open', answers: 0, wanted: 1 });
});

test('second looks and controls do not change what was settled', () => {
  const again = buildLabel('r', { value: false, purpose: 'repeat', at: '2026-01-05T09:00:00.000Z' });
  const control = buildLabel('k', { person: 'bob', value: false, purpose: 'control' });
  expect(settleAll([buildLabel('a'), again, control], { ...yesNo, wanted: 1 })).toMatchObject({
    value: true,
    labels: ['a'],
  });
});

test('of a correction after the verdict was shown, the blind label is what judges are judged by', () => {
  const shown = { verdict: 'shown', score: 'shown', others: 'shown', target: 'hidden' } as const;
  const correction = buildLabel('b', { kind: 'correction', value: false, blind: shown, replaces: 'a' });
  const rules = { ...yesNo, wanted: 1 };
  const labels = [buildLabel('a'), correction];
  expect(settleAll(labels, rules)).toMatchObject({ value: false, isBlind: false });
  expect(settleAll(labels, { ...rules, isBlindOnly: true })).toMatchObject({ value: true, isBlind: true });
  const undo = buildLabel('c', { outcome: { status: 'withdrawn' }, blind: shown, replaces: 'a' });
  expect(settleAll([labels[0] as Label, undo], { ...rules, isBlindOnly: true }).status).toBe('open');
});

test('the order in which labels are read does not matter', () => {
  const value = fc.constantFrom(1, 2, 3);
  const label = fc.record({
    person: fc.constantFrom('ann', 'bob', 'cem'),
    value,
    at: fc.integer({ min: 0, max: 3 }).map((day) => `2026-01-0${day + 1}T00:00:00.000Z`),
    replaces: fc.option(fc.integer({ min: 0, max: 5 }).map((index) => `l${index}`)),
    isUndo: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(label, { maxLength: 6 }), fc.infiniteStream(fc.nat()), (drawn, keys) => {
      const labels = drawn.map(({ replaces, isUndo, ...parts }, index) =>
        buildLabel(`l${index}`, {
          ...parts,
          ...(replaces !== null && replaces !== `l${index}` && { replaces }),
          ...(isUndo && replaces !== null && { outcome: { status: 'withdrawn' as const } }),
        }),
      );
      const shuffled = labels
        .map((each) => ({ each, key: keys.next().value as number }))
        .sort((one, other) => one.key - other.key)
        .map(({ each }) => each);
      expect(settleAll(shuffled, ordinal)).toEqual(settleAll(labels, ordinal));
    }),
  );
});
