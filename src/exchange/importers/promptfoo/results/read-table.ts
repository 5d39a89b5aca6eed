import { numberOf, parseCell } from '../../content/rows.ts';
import { asArray, asObject, asText, type Fields } from '../../values.ts';

/** The columns that follow the answers of a prompt in the tables of newer versions. */
const isDetail = (name: string) =>
  /^(?:Status|Score|Named Scores|Grader Reason|Comment|Metric: .*)$/.test(name);

/** The cell of older versions: the outcome, the score, the answer, and the reason in one text. */
const whole = /^\[(PASS|FAIL|ERROR)\] \((-?[\d.]+)\)\s*([\s\S]*?)(?:\n\n(?:Pass |Fail )?Reason: ([\s\S]*))?$/;

/** The columns of one prompt. */
interface PromptColumns {
  readonly provider: string;
  readonly label: string;
  readonly at: number;
  /** The columns after the answer by their names; none in a table of an older version. */
  readonly details: ReadonlyMap<string, number>;
}

/**
 * Returns the results in a table, in the form of those in JSON; undefined for a table that is none of promptfoo's. A table
 * has no single assertions, only their names where they have one, and for each answer a score and a reason.
 */
export function resultsOfTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): Fields[] | undefined {
  const prompts = promptsIn(header, rows[0] ?? []);
  const first = prompts[0];
  if (first === undefined) return undefined;
  return rows.flatMap((cells, testIdx) => {
    const members = header.slice(0, first.at).map((name, index) => [name, cells[index] ?? ''] as const);
    const { Description: description, ...vars } = Object.fromEntries(members);
    return prompts.map(({ provider, label, ...columns }, promptIdx): Fields => {
      const answer = readAnswer(cells, columns);
      return {
        ...answer,
        testIdx,
        promptIdx,
        provider: { id: provider },
        prompt: { label },
        vars,
        testCase: { ...(asText(description) !== undefined && { description }), vars },
      };
    });
  });
}

function promptsIn(header: readonly string[], first: readonly string[]): PromptColumns[] {
  const isNew = (index: number) => header[index + 1] === 'Status' && header[index + 2] === 'Score';
  return header.flatMap((name, at): PromptColumns[] => {
    const head = isNew(at) || whole.test(first[at] ?? '') ? headOf(name) : undefined;
    if (head === undefined) return [];
    const details = new Map<string, number>();
    for (let index = at + 1; isDetail(header[index] ?? ''); index += 1)
      details.set(header[index] ?? '', index);
    return [{ ...head, at, details }];
  });
}

/** Returns the provider and the prompt in a heading: `[provider] prompt`, or in older versions an object as JSON. */
function headOf(heading: string): Pick<PromptColumns, 'provider' | 'label'> | undefined {
  const [, provider, label] = /^\[([^\]]+)\] ([\s\S]*)$/.exec(heading) ?? [];
  if (provider !== undefined && label !== undefined) return { provider, label };
  const { provider: id, display, raw } = asObject(parseCell(heading)) ?? {};
  const text = asText(display) ?? asText(raw);
  return asText(id) === undefined || text === undefined ? undefined : { provider: String(id), label: text };
}

function readAnswer(
  cells: readonly string[],
  { at, details }: Pick<PromptColumns, 'at' | 'details'>,
): Fields {
  const cell = cells[at] ?? '';
  const of = (name: string) => cells[details.get(name) ?? -1] ?? '';
  if (details.size === 0) return readWhole(cell);
  const named = asObject(parseCell(of('Named Scores'))) ?? {};
  const outcome = outcomeOf({
    status: of('Status'),
    score: of('Score'),
    reason: of('Grader Reason'),
    output: cell,
  });
  const grading = asObject(outcome['gradingResult']);
  const metrics = Object.entries(named).map(([metric, score]) => ({ score, assertion: { metric } }));
  const componentResults = [...asArray(grading?.componentResults), ...metrics];
  const comment = asText(of('Comment'));
  return {
    ...outcome,
    namedScores: named,
    gradingResult: { ...grading, componentResults },
    ...(comment !== undefined && { comment }),
  };
}

function readWhole(cell: string): Fields {
  const [, status = '', score = '', text = '', reason] = whole.exec(cell) ?? [];
  // The oldest versions put the reason before the answer, and call an error a failure.
  const [before, after] = text.split(/\n---\n?/, 2);
  const output = after ?? before ?? '';
  const isError = status === 'FAIL' && (reason === undefined || after === '');
  return outcomeOf({
    status: isError ? 'ERROR' : status,
    score,
    reason: reason ?? '',
    output: isError ? (before ?? '') : output,
  });
}

function outcomeOf(cell: Readonly<Record<'status' | 'score' | 'reason' | 'output', string>>): Fields {
  const { status, score, reason, output } = cell;
  if (status === 'ERROR') {
    return { success: false, failureReason: 2, response: {}, error: output === '' ? 'an error' : output };
  }
  const judge = /^Could not extract JSON from ([\w-]+) response/.exec(reason)?.[1];
  const unread = { metadata: { graderError: true } };
  return {
    success: status === 'PASS',
    failureReason: status === 'PASS' ? 0 : 1,
    score: numberOf(score),
    response: { output },
    gradingResult: {
      reason,
      isOfTable: reason !== 'No assertions',
      componentResults: judge === undefined ? [] : [{ ...unread, reason, assertion: { type: judge } }],
    },
  };
}
