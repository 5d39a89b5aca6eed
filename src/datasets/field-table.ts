/** The way in which a text cell of a format without lists is read. */
export type CellKind =
  | 'text'
  | 'messages'
  | 'list'
  | 'names'
  | 'tools'
  | 'documents'
  | 'flag'
  | 'number'
  | 'json'
  | 'calls'
  | 'actions';

interface FieldRule {
  /** The place in our case. */
  readonly field: string;
  /** The names of the field in existing files, ours first. Letter case, `_`, `-` and spaces are ignored. */
  readonly names: readonly string[];
  readonly cell: CellKind;
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
      'messages',
    ],
    cell: 'messages',
  },
  { field: 'category', names: ['category'], cell: 'text' },
  { field: 'tags', names: ['tags'], cell: 'list' },
  { field: 'context', names: ['context'], cell: 'text' },
  { field: 'cluster', names: ['cluster'], cell: 'text' },
  { field: 'gate', names: ['gate'], cell: 'text' },
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
      'answer',
      'expected_output',
      'expected_response',
      'expected_result',
      'golden_answer',
      'gold_answer',
      'correct_answer',
      'reference_output',
      'reference_response',
    ],
    cell: 'text',
  },
  {
    field: 'expected.keywords',
    names: [
      'expected.keywords',
      'expected_keywords',
      'expected_content',
      'must_include',
      'expected_contains',
      'must_contain',
      'must_mention',
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
    ],
    cell: 'list',
  },
  {
    field: 'expected.tools',
    names: ['expected.tools', 'expected_tools', 'expected_tool_calls', 'reference_tool_calls'],
    cell: 'tools',
  },
  { field: 'expected.numbers', names: ['expected.numbers', 'expected_numbers'], cell: 'json' },
  { field: 'expected.calls', names: ['expected.calls', 'expected_calls'], cell: 'calls' },
  { field: 'expected.calls', names: ['expected_actions'], cell: 'actions' },
  { field: 'expected.entities', names: ['expected.entities', 'expected_entities'], cell: 'list' },
  {
    field: 'expected.documents',
    names: [
      'expected.documents',
      'expected_documents',
      'relevant_ids',
      'relevant_documents',
      'relevant_doc_ids',
      'expected_document_ids',
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
