import { findReservedMember, isReservedName } from '../../core/lib/define.ts';
import { isContainer } from '../../core/lib/json/is-container.ts';
import type { Json } from '../../core/schema/json.ts';
import type { JsonObject, Translation } from './importer.ts';
import type { Ledger } from './ledger.ts';
import { asArray, asObject, asText, jsonObject } from './values.ts';

/**
 * Changes what other tools allow, and a dataset or a config does not: questions without text, and some names of
 * fields and scores.
 */
export function withValidParts(translation: Translation, ledger: Ledger): Translation {
  const cases = translation.cases.map((each) => withQuestion(withFieldNames(each, ledger), ledger));
  return withValidNames({ ...translation, cases }, ledger);
}

/** The name of a field that a dataset cannot have. */
const reserved = '__proto__';

function withFieldNames(testCase: JsonObject, ledger: Ledger): JsonObject {
  if (findReservedMember(testCase) === undefined) return testCase;
  ledger.approximate(`field ${reserved}`, {
    became: `field ${reserved} (recorded)`,
    note: 'A dataset cannot have this name.',
  });
  return renameFields(jsonObject(testCase)) as JsonObject;
}

function renameFields(value: Json): Json {
  if (Array.isArray(value)) return value.map(renameFields);
  if (!isContainer(value)) return value;
  const entries = Object.entries(value).map(([name, part]) => [
    name === reserved ? `${reserved} (recorded)` : name,
    renameFields(part),
  ]);
  return Object.fromEntries(entries);
}

/** The question of a case that was recorded without one. */
const noQuestion = '(empty)';

function withQuestion(testCase: JsonObject, ledger: Ledger): JsonObject {
  const { input } = testCase;
  // The messages of a case with turns are in these.
  if (input === undefined) return testCase;
  const messages = asArray(input).map((message) => asObject(message) ?? {});
  const index = messages.findLastIndex(({ role }) => role === 'user');
  const asked = messages.at(index) ?? {};
  const text = Array.isArray(input) ? asText(asked.content) : input;
  if (typeof text === 'string' && /[^\s\p{Cc}\p{Cf}]/u.test(text)) return testCase;
  const place = asText(testCase['id']);
  ledger.approximate('question without text', {
    became: noQuestion,
    note: 'A question asks something.',
    place,
  });
  const filled = messages.length === 0 ? noQuestion : messages.with(index, { ...asked, content: noQuestion });
  return jsonObject({ ...testCase, input: filled });
}

/** Renames the recorded verdicts whose names a config cannot have, or gives to metrics of its own. */
function withValidNames(translation: Translation, ledger: Ledger): Translation {
  const { answers, config = {} } = translation;
  if (answers === undefined) return translation;
  const own = asArray(config['metrics']).map(
    (metric) => asObject(metric)?.['name'] ?? asObject(metric)?.['use'] ?? metric,
  );
  const renamed = new Map<string, string>();
  for (const name of answers.verdicts) {
    if (name !== '' && !isReservedName(name) && !own.includes(name)) continue;
    const became = `${name === '' ? 'unnamed' : name} (recorded)`;
    renamed.set(name, became);
    const note = 'A config cannot give this name to it, too.';
    ledger.approximate(`name of the score ${name}`, { became, note });
  }
  if (renamed.size === 0) return translation;
  const rename = (name: string) => renamed.get(name) ?? name;
  const rows = answers.rows.map((row) => {
    const verdicts = Object.entries(asObject(row['verdicts']) ?? {}).map(([name, verdict]) => [
      rename(name),
      verdict,
    ]);
    return row['verdicts'] === undefined
      ? row
      : jsonObject({ ...row, verdicts: Object.fromEntries(verdicts) });
  });
  const total = answers.total === undefined ? {} : { total: rename(answers.total) };
  return {
    ...translation,
    answers: {
      ...answers,
      rows,
      verdicts: answers.verdicts.map(rename),
      attacks: answers.attacks?.map(rename),
      ...total,
    },
  };
}
