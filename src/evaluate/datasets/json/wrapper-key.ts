import { formatPlace, type Place, TouchstoneError } from '../../../core/errors.ts';
import { shorten } from '../../../core/lib/text/terminal-text.ts';
import { isFields } from '../fields.ts';

/** The names under which an object may contain the list of cases. */
const wrappers = [
  'cases',
  'questions',
  'examples',
  'data',
  'samples',
  'tests',
  'goldens',
  'items',
  'evals',
  'evaluations',
  'test_cases',
  'testcases',
  'testCases',
  'eval_cases',
  'eval_set',
  'golden_set',
  'golden_questions',
  'entries',
  'rows',
  'dataset',
  'queries',
  'results',
  'simulations',
  'trajectories',
  'conversations',
  'transcripts',
];

/** Returns the names under which a value contains a list of objects that could be the cases. */
export function wrapperKeys(value: unknown): string[] {
  if (!isFields(value)) return [];
  return wrappers.filter((key) => {
    const list = Object.hasOwn(value, key) ? value[key] : undefined;
    return Array.isArray(list) && (list.length === 0 || list.some(isFields));
  });
}

/**
 * Returns the one name under which a file's object contains its cases. Throws `dataset-invalid` when there is none, or
 * more than one.
 */
export function requireWrapperKey(value: unknown, place: Place): string {
  const [key, ...others] = wrapperKeys(value);
  if (key !== undefined && others.length === 0) return key;
  const found = key === undefined ? describe(value) : `lists under ${[key, ...others].join(' and ')}`;
  throw new TouchstoneError(
    'dataset-invalid',
    `${formatPlace(place)}: expected a list of questions, or an object with one such list under ${wrappers.slice(0, -1).join(', ')} or ${wrappers.at(-1)}, but found ${found}`,
    { remedy: 'Put the questions into one list at the top of the file, or under `questions`.' },
  );
}

function describe(value: unknown): string {
  if (!isFields(value)) return `the value ${shorten(JSON.stringify(value) ?? 'nothing', 40)}`;
  const names = Object.keys(value);
  return names.length === 0 ? 'an empty object' : `an object with ${shorten(names.join(', '), 100)}`;
}
