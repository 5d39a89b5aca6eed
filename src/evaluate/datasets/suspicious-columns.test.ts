import { expect, test } from 'vitest';
import { createFieldMapping } from './field-mapping.ts';

const mapping = createFieldMapping();
const readingOf = (name: string) => {
  const target = mapping.targetOf(name);
  if (target !== undefined) return target && target.field;
  const found = mapping.suspicionOf(name);
  if (found === undefined) return 'metadata';
  return found.isNearMiss ? 'refused' : 'unread';
};

// Names of columns in other projects, each with its treatment here.
test.each([
  ['expected_answer', 'expected.answer'],
  ['expectedAnswer', 'expected.answer'],
  ['Expected Answer', 'expected.answer'],
  ['expected_output', 'expected.answer'],
  ['expected_response', 'expected.answer'],
  ['ground_truth', 'expected.answer'],
  ['groundTruth', 'expected.answer'],
  ['golden_answer', 'expected.answer'],
  ['gold_answer', 'expected.answer'],
  ['correct_answer', 'expected.answer'],
  ['reference_output', 'expected.answer'],
  ['reference_answer', 'expected.answer'],
  ['ideal', 'expected.answer'],
  ['target', 'expected.answer'],
  ['expected_keywords', 'expected.keywords'],
  ['must_include', 'expected.keywords'],
  ['must_contain', 'expected.keywords'],
  ['expected_contains', 'expected.keywords'],
  ['must_not_contain', 'expected.forbidden'],
  ['expected_tools', 'expected.tools'],
  ['reference_tool_calls', 'expected.tools'],
  ['relevant_doc_ids', 'expected.documents'],
  ['should_refuse', 'expected.refusal'],
  ['question_id', 'id'],
  ['message', 'input'],
  ['instruction', 'input'],
  ['expected_numbers', 'expected.numbers'],
])('%s is read as %s', (name, reading) => {
  expect(readingOf(name)).toBe(reading);
});

test.each([
  ['expected_keywrds', 'expected_keywords'],
  ['expected_answr', 'expected_answer'],
  ['expectd_answer', 'expected_answer'],
  ['Expected Ansewr', 'expected_answer'],
  ['must_inclde', 'must_include'],
  ['keywords_expected', 'expected_keywords'],
  ['answerExpected', 'expected_answer'],
  ['tools-expected', 'expected_tools'],
  ['documents_relevant', 'relevant_documents'],
])('%s is a slip of %s, and stops a run', (name, nearest) => {
  expect(readingOf(name)).toBe('refused');
  expect(mapping.suspicionOf(name)?.nearest).toBe(nearest);
});

test.each([
  'expect_type',
  'expected_sql',
  'gold_label',
  'gold_category',
  'golden',
  'ground_truth_context',
  'reference_contexts',
  'references',
  'min_citations',
  'max_words',
  'must_mention_price',
  'mustCall',
  'must_not_say',
  'disallowed_topics',
  'banned_words',
  'grader',
  'assert',
  'asserts',
  'assertions',
  'assertion_type',
  'validation_rules',
  'validator',
  'should_escalate',
  'required_phrases',
  'correct',
  'ideal_tool',
  'keywords',
  'contains',
  'notContains',
  'includes',
  'is_expected',
  'truth',
])('%s looks like an expectation, is not measured, and stops no run', (name) => {
  expect(readingOf(name)).toBe('unread');
});

test.each([
  'author',
  'difficulty',
  'source',
  'created_at',
  'language',
  'topic',
  'notes',
  'type',
  'user_id',
  'session',
  'priority',
  'label_source',
  'temperature',
  'max_tokens',
  'max_turns',
  'check_in_date',
  'reference_url',
  'persona',
  'intent',
  'version',
  'split',
  'url',
  'title',
  'larger',
  'idea',
  'market',
])('%s is plain metadata', (name) => {
  expect(readingOf(name)).toBe('metadata');
});

test.each(['expected_intent', 'expected_agent', 'expected_topics'])(
  '%s is another word and no slip, so it is not measured and stops nothing',
  (name) => {
    expect(readingOf(name)).toBe('unread');
  },
);

test.each(['incorrect_answers', 'Incorrect Answer', 'unexpected_output'])(
  '%s says the opposite of a known name, and stops nothing',
  (name) => {
    expect(readingOf(name)).not.toBe('refused');
  },
);

test.each([
  ['Keywords', 'expected_keywords'],
  ['containsAny', 'expected_keywords'],
  ['excludes', 'must_not_include'],
  ['entities', 'expected_entities'],
  ['solution', 'expected_answer'],
  ['Refusal', 'expected_refusal'],
])('for %s the name %s is suggested', (name, nearest) => {
  expect(mapping.suspicionOf(name)).toEqual({ name, isNearMiss: false, nearest });
  expect(mapping.targetOf(nearest)).toBeDefined();
});

test('a column that a config maps is not suspicious, and a mapped column that no row has is reported', () => {
  const own = createFieldMapping({ wanted: 'expected_answer', rubric: null, nowhere: 'question' });
  expect(own.targetOf('wanted')).toMatchObject({ field: 'expected.answer' });
  expect(own.targetOf('rubric')).toBeNull();
  expect(own.unused()).toEqual(['nowhere']);
});
