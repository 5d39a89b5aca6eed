/** The way in which a text cell of a format without lists is read. */
export type CellKind =
  | 'text'
  | 'answer'
  | 'answers'
  | 'description'
  | 'choices'
  | 'messages'
  | 'list'
  | 'names'
  | 'tools'
  | 'documents'
  | 'files'
  | 'flag'
  | 'number'
  | 'json'
  | 'numbers'
  | 'weight'
  | 'calls'
  | 'actions';

/** The names of one field in existing files. */
export interface FieldRule {
  /** The place in our case. */
  readonly field: string;
  /**
   * The names of the field in existing files, ours first. Letter case, `_`, `-` and spaces are ignored; `expect_` says the same as
   * `expected_`.
   */
  readonly names: readonly string[];
  readonly cell: CellKind;
  /** True for names that have this meaning only in a row without any other expectation. */
  readonly isWeak?: true;
}

/**
 * Every known field name. If a row has two synonyms, the earlier name wins and the other goes to metadata, as does every
 * name that is not in the table.
 */
export const fieldTable = [
  { field: 'id', names: ['id', 'case_id', 'question_id'], cell: 'text' },
  {
    field: 'input',
    names: [
      'question',
      'input',
      'prompt',
      'user_query',
      'user_input',
      'query',
      'user_message',
      'message',
      'instruction',
      'user_question',
      'user_prompt',
      'question_text',
      'question_stem',
      'problem',
      'utterance',
      'text_input',
      'inputs',
      'messages',
      'q',
      'frage',
      'pregunta',
    ],
    cell: 'messages',
  },
  { field: 'attachments', names: ['attachments'], cell: 'files' },
  { field: 'category', names: ['category', 'kategorie'], cell: 'text' },
  { field: 'tags', names: ['tags'], cell: 'list' },
  { field: 'context', names: ['context'], cell: 'text' },
  { field: 'cluster', names: ['cluster'], cell: 'text' },
  { field: 'weight', names: ['weight', 'case_weight', 'sample_weight', 'gewicht'], cell: 'weight' },
  { field: 'gate', names: ['gate'], cell: 'text' },
  { field: 'toolResults', names: ['tool_results'], cell: 'json' },
  { field: 'attack', names: ['attack'], cell: 'json' },
  {
    field: 'expected.answer',
    names: [
      'expected.answer',
      'expected_answer',
      'ground_truth',
      'reference',
      'reference_answer',
      'ideal',
      'target',
      'expected_output',
      'expected_response',
      'expected_result',
      'golden_answer',
      'gold_answer',
      'correct_answer',
      'reference_output',
      'reference_response',
      'ground_truth_answer',
      'ideal_answer',
      'ideal_response',
      'ideal_output',
      'ground_truths',
      'ground_truth_answers',
      'gold',
      'best_answer',
      'right_answer',
      'answer_key',
      'correct_option',
      'correct_choice',
      'correct_letter',
      'expected.output',
      'erwartete_antwort',
      'respuesta_esperada',
    ],
    cell: 'answer',
  },
  {
    field: 'expected.answer',
    names: [
      'expected_answers',
      'expected_outputs',
      'reference_answers',
      'reference_outputs',
      'golden_answers',
      'gold_answers',
      'correct_answers',
      'acceptable_answers',
      'possible_answers',
      'targets',
    ],
    cell: 'answers',
  },
  // After every name that says that it is expected: next to one of these it is what a bot said.
  { field: 'expected.answer', names: ['answer', 'antwort', 'respuesta'], cell: 'answer' },
  { field: 'expected.answer', names: ['answers'], cell: 'answers' },
  // Read as the expected answer only in a row that expects nothing else: next to other expectations it is what a bot said.
  {
    field: 'expected.answer',
    names: [
      'output',
      'outputs',
      'completion',
      'response',
      'expected.response',
      'final_answer',
      'chosen',
      'a',
    ],
    cell: 'answer',
    isWeak: true,
  },
  {
    field: 'expected.choices',
    names: ['expected.choices', 'choices', 'options', 'answer_choices', 'endings'],
    cell: 'choices',
  },
  {
    field: 'expected.behavior',
    names: [
      'expected.behavior',
      'expected_behavior',
      'expected_behaviour',
      'expected_behaviors',
      'expected_outcome',
      'expected_outcomes',
      'expected.outcome',
      'expected_facts',
      'expected_quality',
      'expectations',
      'expectation',
      'success_criteria',
      'acceptance_criteria',
      'evaluation_criteria',
      'grading_criteria',
      'grading_rubric',
      'grading_notes',
      'criteria',
      'criterion',
      'rubric',
      'rubrics',
    ],
    cell: 'description',
  },
  {
    field: 'expected.keywords',
    names: [
      'expected.keywords',
      'expected_keywords',
      'expected_keyword',
      'expected_content',
      'must_include',
      'expected_contains',
      'must_contain',
      'must_mention',
      'should_include',
      'should_contain',
      'should_mention',
    ],
    cell: 'list',
  },
  {
    field: 'expected.forbidden',
    names: [
      'expected.forbidden',
      'expected_forbidden',
      'must_not_include',
      'must_not_contain',
      'must_not_mention',
      'forbidden_texts',
      'forbidden_words',
      'forbidden_phrases',
      'forbidden_keywords',
      'forbidden_in_reply',
      'should_not_include',
      'should_not_contain',
      'should_not_mention',
    ],
    cell: 'list',
  },
  {
    field: 'expected.tools',
    names: [
      'expected.tools',
      'expected_tools',
      'expected_tool_calls',
      'reference_tool_calls',
      'expected_tool',
      'expected_tools_used',
      'expected_tool_use',
    ],
    cell: 'tools',
  },
  {
    field: 'expected.numbers',
    names: ['expected.numbers', 'expected_numbers', 'expected_number'],
    cell: 'numbers',
  },
  { field: 'expected.calls', names: ['expected.calls', 'expected_calls'], cell: 'calls' },
  { field: 'expected.calls', names: ['expected_actions'], cell: 'actions' },
  {
    field: 'expected.entities',
    names: ['expected.entities', 'expected_entities', 'expected_entity'],
    cell: 'list',
  },
  {
    field: 'expected.documents',
    names: [
      'expected.documents',
      'expected_documents',
      'expected_document',
      'relevant_ids',
      'relevant_documents',
      'relevant_doc_ids',
      'relevant_document_ids',
      'relevant_docs',
      'expected_document_ids',
      'expected_doc_ids',
      'expected_docs',
      'expected_sources',
      'expected_source',
      'expected_source_files',
      'expected_urls',
      'expected_article_urls',
      'gold_doc_ids',
      'gold_docs',
      'gold_documents',
      'ground_truth_doc_ids',
      'ground_truth_docs',
      'ground_truth_documents',
    ],
    cell: 'documents',
  },
  { field: 'expected.state', names: ['expected.state', 'expected_state'], cell: 'json' },
  {
    field: 'expected.refusal',
    names: ['expected.refusal', 'expected_refusal', 'should_refuse', 'must_refuse'],
    cell: 'flag',
  },
  { field: 'expected.checks', names: ['expected.checks', 'expected_checks', 'checks'], cell: 'json' },
  { field: 'expected.passMark', names: ['expected.passMark', 'expected_pass_mark'], cell: 'number' },
  { field: 'expected', names: ['expected'], cell: 'json' },
  { field: 'user', names: ['user'], cell: 'json' },
  { field: 'user.script', names: ['turns'], cell: 'json' },
  { field: 'metadata', names: ['metadata'], cell: 'json' },
] as const satisfies readonly FieldRule[];
