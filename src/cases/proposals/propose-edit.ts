import { TouchstoneError } from '../../core/errors.ts';
import { hashContent } from '../../core/lib/content-hash.ts';
import { describeExpectation } from '../../core/lib/schema-issues.ts';
import { expectedSchema } from '../../core/schema/expected.ts';
import type { Json } from '../../core/schema/json.ts';
import type {
  Proposal,
  ProposalAuthor,
  ProposedExpectation,
  ProposedField,
} from '../../core/schema/proposal/proposal.ts';
import type { PlannedCase } from '../../core/schema/result.ts';
import { makeProposal } from './make-proposal.ts';

/** A change of a question that a person makes where its file is not at hand. */
export interface CaseEdit {
  /** The question as it is to be; as it is by default, and for one that is not a text. */
  readonly question?: string;
  /** The expectations as they are to be. */
  readonly expected: Readonly<Record<string, Json>>;
  /** The id of the run on whose page it was made. */
  readonly run: string;
  readonly by: ProposalAuthor;
  /** ISO 8601. */
  readonly at: string;
}

/**
 * Proposes a question of a run as a person has edited it. What it expected before has the question itself for evidence. Throws
 * `proposal-invalid` for expectations that are none, and where nothing is changed.
 */
export function proposeEdit(
  { case: known, place }: Pick<PlannedCase, 'case' | 'place'>,
  { question, expected: given, run, by, at }: CaseEdit,
): Proposal {
  const { expected: before, gate: _mark, ...rest } = known;
  const names = Object.keys(expectedSchema.shape);
  const unknown = Object.keys(given).find((field) => !names.includes(field));
  if (unknown !== undefined)
    throw new TouchstoneError('proposal-invalid', `A question expects no ${JSON.stringify(unknown)}.`, {
      remedy: `It expects any of: ${names.join(', ')}.`,
    });
  const { error } = expectedSchema.safeParse(given);
  const [issue] = error?.issues ?? [];
  if (issue !== undefined) {
    const wanted = describeExpectation(issue);
    const what = wanted === undefined ? issue.message : `expected ${wanted}`;
    throw new TouchstoneError('proposal-invalid', `${['expected', ...issue.path].join('.')}: ${what}.`);
  }
  const expectations = Object.entries(given).map(([field, value]): ProposedExpectation => {
    const isKnown = hashContent(value) === hashContent(before[field as ProposedField] ?? null);
    const text = `${by.name} on the page of the run ${run}`;
    return {
      field: field as ProposedField,
      value,
      proof: isKnown ? { type: 'case' } : { type: 'text', text },
    };
  });
  const input = typeof rest.input === 'string' ? (question ?? rest.input) : rest.input;
  const isSame = hashContent(given) === hashContent(before) && input === rest.input;
  if (isSame) throw new TouchstoneError('proposal-invalid', 'Nothing is changed.');
  return makeProposal({
    dataset: place.replace(/(?::\d+)+$/, ''),
    change: 'changed',
    replaces: known.id,
    case: { ...rest, input },
    expectations,
    source: { type: 'run', run },
    picked: [{ reason: 'by-hand', why: 'a person changed it on the page of its answer' }],
    checks: [],
    isSynthetic: false,
    by,
    at,
  });
}
