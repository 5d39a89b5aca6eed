import { setMember } from '../../../../core/lib/objects.ts';
import type { Verdict } from '../../../../core/schema/verdict.ts';
import type { Ledger } from '../../ledger.ts';
import {
  asArray,
  asNumber,
  asObject,
  asText,
  type Fields,
  jsonObject,
  objectsIn,
  withoutTerminalCodes,
} from '../../values.ts';
import { nameAssertions, totalName as total } from '../assertions/assertion.ts';

/** Returns the verdicts of the assertions by name, and that on the whole answer. */
export function verdictsOf(result: Fields, vars: Fields, ledger: Ledger): Record<string, Verdict> {
  const grading = asObject(result.gradingResult);
  const components = componentsOf(grading);
  const named = asObject(result.namedScores) ?? {};
  const groups = Map.groupBy(nameAll(components, vars), ({ name }) => name);
  const verdicts: Record<string, Verdict> = { [total]: totalOf(result, components, ledger) };
  const inside = objectsIn(grading?.componentResults).filter((each) => !components.includes(each));
  const insideOf = (name: string) => inside.filter(({ assertion }) => asObject(assertion)?.metric === name);
  for (const [name, group] of groups) {
    ledger.take('result of an assertion', 'recorded verdict');
    const all = [...group.map(({ component }) => component), ...insideOf(name)];
    const own = all.map((component) => verdictOf(component, ledger));
    setMember(verdicts, name, own.length === 1 ? (own[0] as Verdict) : combine(own, asNumber(named[name])));
  }
  for (const [name, score] of Object.entries(named)) {
    if (Object.hasOwn(verdicts, name) || asNumber(score) === undefined) continue;
    ledger.take('score of a metric inside an assertion', 'recorded verdict');
    setMember(verdicts, name, verdictInside(score, insideOf(name)));
  }
  return verdicts;
}

/** Returns the verdict of a metric that assertions in a set share, or that an assertion returned besides its own score. */
function verdictInside(score: unknown, parts: readonly Fields[]): Verdict {
  const unread = parts.find(isUnread);
  if (unread !== undefined) return notRead(unread);
  return {
    status: 'scored',
    ...valueOf(score),
    ...(parts.length > 0 && { passed: parts.every(({ pass }) => pass === true) }),
  };
}

/** Returns the results of assertions. The children of a set are listed inside it and again after it: the repeated ones are skipped. */
function componentsOf(grading: Fields | undefined): Fields[] {
  const all = objectsIn(grading?.componentResults);
  const kept: Fields[] = [];
  let repeated = 0;
  for (const component of all) {
    if (repeated > 0) {
      repeated -= 1;
      continue;
    }
    kept.push(component);
    if (isSet(component)) repeated = asArray(component.componentResults).length;
  }
  return kept;
}

function isSet({ metadata }: Fields): boolean {
  return asObject(metadata)?.assertionSet !== undefined;
}

interface NamedComponent {
  readonly name: string;
  readonly component: Fields;
}

function nameAll(components: readonly Fields[], vars: Fields): NamedComponent[] {
  const given = components.map(({ metadata, assertion }) =>
    asObject(asObject(metadata)?.assertionSet ?? assertion),
  );
  const names = nameAssertions(
    given.map((each) => each ?? {}),
    vars,
  );
  return components.map((component, index) => ({ name: names[index] ?? 'assertion', component }));
}

function verdictOf(component: Fields, ledger: Ledger): Verdict {
  const reason = asText(component.reason);
  const { renderedGradingPrompt } = asObject(component.metadata) ?? {};
  if (isUnread(component)) {
    ledger.approximate('judge that could not be read', {
      became: 'not measured',
      note: 'promptfoo counts it as 0 and as failed.',
    });
    return notRead(component);
  }
  const evidence = jsonObject({
    assertion: component.assertion ?? asObject(component.metadata)?.assertionSet,
    prompt: renderedGradingPrompt,
    parts: isSet(component)
      ? objectsIn(component.componentResults).map(({ assertion, pass, score, reason: why }) => ({
          assertion,
          pass,
          score,
          reason: why,
        }))
      : undefined,
  });
  return {
    status: 'scored',
    ...valueOf(component.score),
    // A table does not say whether the assertions of a name passed.
    ...(component.pass !== undefined && { passed: component.pass === true }),
    ...(reason !== undefined && { explanation: reason }),
    evidence,
  };
}

/** Returns whether a judge could not be read: the judge of an assertion, or one inside a set. */
function isUnread({ metadata, componentResults }: Fields): boolean {
  return asObject(metadata)?.graderError === true || objectsIn(componentResults).some(isUnread);
}

function notRead(component: Fields, facts: Fields = {}): Verdict {
  const judge = objectsIn(component.componentResults).find(isUnread) ?? component;
  const reason = asText(judge.reason) ?? 'the judge could not be read';
  const { assertion, metadata } = judge;
  const prompt = asObject(metadata)?.renderedGradingPrompt;
  const evidence = jsonObject({ assertion, prompt, ...facts });
  return { status: 'failed', code: 'judge-unreadable', reason, evidence };
}

/** Returns a score as a share, or as a quantity when it is none. */
function valueOf(score: unknown): { value: number; unit?: string } {
  const value = asNumber(score) ?? 0;
  return value >= 0 && value <= 1 ? { value } : { value, unit: 'score' };
}

/** Combines several assertions that share a metric: the score is promptfoo's, and all must pass. */
function combine(verdicts: readonly Verdict[], namedScore: number | undefined): Verdict {
  const failed = verdicts.find(({ status }) => status === 'failed');
  if (failed !== undefined) return failed;
  const scored = verdicts.flatMap((each) => (each.status === 'scored' ? [each] : []));
  const mean = scored.reduce((sum, { value }) => sum + value, 0) / scored.length;
  const explanation = scored.flatMap((each) => each.explanation ?? []).join('; ');
  return {
    status: 'scored',
    ...valueOf(namedScore ?? mean),
    passed: scored.every(({ passed }) => passed === true),
    ...(explanation !== '' && { explanation }),
    evidence: scored.flatMap(({ evidence }) => evidence ?? []),
  };
}

function notChecked(said: string | undefined): Verdict {
  const reason = 'promptfoo checked nothing of this answer';
  return { status: 'not-applicable', reason: said === undefined ? reason : `${reason}: ${said}` };
}

/** The reason that promptfoo gives where a test has no assertions. */
const noAssertions = 'No assertions';

/**
 * Returns whether an answer was checked although no result of an assertion is there: `PROMPTFOO_STRIP_GRADING_RESULT` leaves all
 * results out, and other tools that write this form have none.
 */
function isChecked({ gradingResult, testCase, failureReason, success }: Fields): boolean {
  if (failureReason === 2 || typeof success !== 'boolean') return false;
  const said = asText(asObject(gradingResult)?.reason) ?? noAssertions;
  return !success || said !== noAssertions || asArray(asObject(testCase)?.assert).length > 0;
}

/** Returns the verdict on the whole answer where the file has no results of assertions. */
function totalAlone(result: Fields, reason: string | undefined, ledger: Ledger): Verdict {
  if (!isChecked(result)) {
    ledger.approximate('test without assertions', {
      became: 'not applicable',
      note: 'promptfoo counts it as passed with a score of 1, though nothing was checked.',
    });
    return notChecked(reason);
  }
  ledger.approximate('result without its assertions', {
    became: 'recorded verdict on the whole',
    note: 'The file has whether the answer passed, and not which assertions.',
  });
  const { score, success } = result;
  return {
    status: 'scored',
    ...valueOf(score ?? Number(success)),
    passed: success === true,
    ...(reason !== undefined && { explanation: reason }),
  };
}

/** Returns the verdict on the whole answer. Without an assertion nothing was checked, which promptfoo calls a success. */
function totalOf(result: Fields, components: readonly Fields[], ledger: Ledger): Verdict {
  const grading = asObject(result.gradingResult);
  const reason = asText(grading?.reason) ?? asText(result.error)?.split('\n    at ')[0];
  if (grading === undefined && result.failureReason === 2) {
    ledger.approximate('assertion that threw an error', {
      became: 'not measured',
      note: 'promptfoo calls the whole result an error; the target had answered.',
    });
    return {
      status: 'failed',
      code: 'assertion-error',
      reason: withoutTerminalCodes(reason ?? 'an assertion threw'),
    };
  }
  if (components.length === 0 && grading?.isOfTable !== true) return totalAlone(result, reason, ledger);
  const unread = components.find(isUnread);
  if (unread !== undefined) {
    const { score, success } = result;
    return notRead(unread, { recorded: { score, success, reason } });
  }
  const comment = asText(grading?.comment);
  if (comment !== undefined) ledger.take('comment of a person', 'evidence of the recorded verdict');
  return {
    status: 'scored',
    ...valueOf(result.score),
    passed: result.success === true,
    ...(reason !== undefined && { explanation: reason }),
    ...(comment !== undefined && { evidence: { comment } }),
  };
}
