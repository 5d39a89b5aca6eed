import { expect, test } from 'vitest';
import { foldIdle, quotedTexts, splitAtEvidence, type VerdictRow, repeatedReasons } from './verdict-rows.ts';

test('evidence is found in an answer whatever its letter case, the longest first', () => {
  const quoted = quotedTexts({ found: ['land', 'Land Transfer', '2 %'], missing: ['applies'] });
  expect(splitAtEvidence('The LAND transfer tax of 2 % applies.', quoted)).toEqual([
    { text: 'The ', isEvidence: false },
    { text: 'LAND transfer', isEvidence: true },
    { text: ' tax of ', isEvidence: false },
    { text: '2 %', isEvidence: true },
    { text: ' applies.', isEvidence: false },
  ]);
});

test('only quotations are evidence, and only in whole words', () => {
  const reply = {
    verdict: 'no',
    label: 'found',
    reason: 'The answer',
    quote: 'not found',
    checks: [{ kind: 'tone', passage: 'try again', supported: true }],
  };
  const marked = (text: string, evidence: Parameters<typeof quotedTexts>[0]) =>
    splitAtEvidence(text, quotedTexts(evidence)).flatMap((span) => (span.isEvidence ? span.text : []));
  expect(quotedTexts(reply)).toEqual(['not found', 'try again']);
  expect(marked('No: the page was not found, no tone. Try again.', reply)).toEqual([
    'not found',
    'Try again',
  ]);
  expect(marked('The knot was not known; no.', { found: ['no', 'not'] })).toEqual(['not', 'no']);
  expect(marked('On en parle.', { found: 'en', likeness: { en: 0.4 } })).toEqual([]);
  expect(marked('$149, 49 and 4.9', { found: ['49'] })).toEqual(['49']);
  expect(marked('这是价格表', { found: ['价格'] })).toEqual(['价格']);
  expect(marked('Straße, Straßen', { quote: 'Straße' })).toEqual(['Straße']);
});

test('hostile evidence and texts take linear time', () => {
  const text = 'no'.repeat(500_000);
  expect(splitAtEvidence(text, ['no', 'on', 'nono'])).toEqual([{ text, isEvidence: false }]);
});

test('the parts of evidence are searched, and characters of patterns are plain', () => {
  const quoted = quotedTexts({ parts: { words: { found: ['(a|b)*', '$&'] } }, value: 3, error: 'no' });
  expect(splitAtEvidence('x (a|b)* y $& no', quoted).filter(({ isEvidence }) => isEvidence)).toEqual([
    { text: '(a|b)*', isEvidence: true },
    { text: '$&', isEvidence: true },
  ]);
});

test('a text without evidence stays whole', () => {
  expect(splitAtEvidence('Nothing.', [])).toEqual([{ text: 'Nothing.', isEvidence: false }]);
  expect(splitAtEvidence('Nothing.', quotedTexts({ found: ['x', 'absent'] }))).toEqual([
    { text: 'Nothing.', isEvidence: false },
  ]);
});

test('verdicts that do not apply and count for nothing are folded when there are more than three', () => {
  const row = (name: string, weight = 0, isRequired = false): VerdictRow => {
    return {
      name,
      metric: name,
      weight,
      isRequired,
      verdict: { status: 'not-applicable', reason: 'No such check.' },
    };
  };
  const scored: VerdictRow = { ...row('scored'), verdict: { status: 'scored', value: 1 } };
  const rows = [row('counted', 1), scored, row('required', 0, true), row('a'), row('b'), row('c')];
  expect(foldIdle(rows)).toEqual({ shown: rows, idle: [] });
  const { shown, idle } = foldIdle([...rows, row('d')]);
  expect(shown.map(({ name }) => name)).toEqual(['counted', 'scored', 'required']);
  expect(idle.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
});

test('a reason that several metrics have in common stands once, with their number', () => {
  const failed = (metric: string, reason: string): VerdictRow => ({
    name: metric,
    metric,
    weight: 1,
    isRequired: false,
    verdict: { status: 'failed', code: 'target-failed', reason },
  });
  const rows = [failed('a', 'No answer.'), failed('b', 'Another.'), failed('c', 'No answer.')];
  expect(repeatedReasons(rows)).toEqual([{ reason: 'target-failed, No answer.', metric: 'a', count: 2 }]);
});
