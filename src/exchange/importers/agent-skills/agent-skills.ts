import path from 'node:path';
import { TouchstoneError } from '../../../core/errors.ts';
import { formatPlural } from '../../../look/report/format.ts';
import { modelsFor } from '../asked-models.ts';
import { nameCases } from '../collect-trials.ts';
import type { ImportContent, NearbyFiles } from '../content/content.ts';
import { parseNearby } from '../content/open-content.ts';
import type { Importer, JsonObject, Translation } from '../importer.ts';
import type { Ledger } from '../ledger.ts';
import { asArray, asObject, asText, type Fields, jsonObject, objectsIn, restOf, textOf } from '../values.ts';

/** The places of the file in the folder of a skill, and in the folder of its evals. */
const usualPlaces = ['evals/evals.json', 'evals.json'];

/**
 * The evals of an agent skill, `evals/evals.json`: prompts with their input files, a description of what should come out, and
 * statements about it, which a judge reads.
 * @see https://agentskills.io/skill-creation/evaluating-skills
 */
export const agentSkills: Importer = {
  name: 'agent-skills',
  title: 'Agent Skills',
  reads: ['id', 'files'],
  readsNearby: true,
  detect(content) {
    const found = find(content);
    return found === undefined ? undefined : describe(found);
  },
  isRecorded: () => false,
  async read(content, ledger) {
    const found = find(content);
    if (found === undefined) {
      const message = `${content.name}: it contains no evals of an agent skill, which have a \`skill_name\` and a list \`evals\`.`;
      throw new TouchstoneError('import-invalid', message);
    }
    return translate(found, ledger);
  },
};

/** The evals of a skill, with the files next to them. */
interface FoundEvals {
  readonly value: Fields;
  readonly evals: readonly Fields[];
  readonly files: NearbyFiles;
  /** The folder of the evals in the folder that can be read. */
  readonly folder: string;
}

function find(content: ImportContent): FoundEvals | undefined {
  if (content.form === 'json') return evalsIn(content.value, content.files, '');
  if (content.form !== 'folder') return undefined;
  const place = usualPlaces.find((each) => content.names.includes(each));
  if (place === undefined) return undefined;
  const parsed = parseNearby(content.files.read(place), place);
  const folder = path.dirname(place);
  return parsed.form === 'json'
    ? evalsIn(parsed.value, content.files, folder === '.' ? '' : folder)
    : undefined;
}

function evalsIn(given: unknown, files: NearbyFiles, folder: string): FoundEvals | undefined {
  const value = asObject(given);
  const evals = objectsIn(value?.evals);
  const isSkill = asText(value?.skill_name) !== undefined && evals.length > 0;
  return isSkill && evals.every(({ prompt }) => typeof prompt === 'string')
    ? { value: value ?? {}, evals, files, folder }
    : undefined;
}

function describe({ value, evals }: FoundEvals): string {
  return `${formatPlural(evals.length, 'eval')} of the agent skill ${textOf(value.skill_name)}`;
}

function translate(found: FoundEvals, ledger: Ledger): Translation {
  const { value, evals } = found;
  const ids = nameCases(
    evals.map(({ id, name }) => asText(name) ?? (id === undefined ? undefined : `eval-${textOf(id)}`)),
    'eval',
  );
  const files: Record<string, string> = {};
  const cases = evals.map((each, index) => caseOf(each, ids[index] ?? '', { found, files, ledger }));
  const isJudged = cases.some(({ expected }) => asObject(expected)?.behavior !== undefined);
  const facts = restOf(value, ['evals']);
  for (const [name, fact] of Object.entries(facts)) ledger.keep(name, fact);
  return {
    found: describe(found),
    description: `Evals of the agent skill ${textOf(value.skill_name)}`,
    cases,
    metadata: jsonObject(facts),
    files,
    callsNothing: !isJudged,
    config: jsonObject({
      ...modelsFor(new Set(isJudged ? ['judge'] : []), {}, ledger),
      metrics: isJudged ? ['expected-behavior'] : [],
    }),
  };
}

/** The parts that cases share. */
interface CaseContext {
  readonly found: FoundEvals;
  /** The files of the project, to which the files of a prompt are added. */
  readonly files: Record<string, string>;
  readonly ledger: Ledger;
}

/** Translates an eval. What should come out is a description, which no answer has to repeat: it is the first of the statements. */
function caseOf(each: Fields, id: string, context: CaseContext): JsonObject {
  const { ledger } = context;
  const { prompt, expected_output: outcome, expectations, assertions } = each;
  const statements = [...asArray(expectations), ...asArray(assertions)].map(statementOf);
  const behavior = [...(asText(outcome) === undefined ? [] : [outcome]), ...statements];
  ledger.take('prompt', 'question', id);
  for (const _ of behavior) ledger.take('statement about what should come out', 'expected.behavior');
  const rest = restOf(each, [
    'id',
    'name',
    'prompt',
    'expected_output',
    'expectations',
    'assertions',
    'files',
  ]);
  for (const [name, fact] of Object.entries(rest)) ledger.keep(name, fact, id);
  return jsonObject({
    id,
    input: prompt,
    ...(behavior.length > 0 && { expected: { behavior } }),
    metadata: { ...rest, ...inputsOf(each, id, context) },
  });
}

/** Returns the text of a statement, which some write as an object with more about it. */
function statementOf(given: unknown): string {
  const { text, description, assertion, name } = asObject(given) ?? {};
  return [text, description, assertion, name].map(asText).find(Boolean) ?? textOf(given);
}

/** Copies the input files of an eval into the project, and returns their names there. */
function inputsOf(
  { files: given }: Fields,
  id: string,
  { found, files, ledger }: CaseContext,
): { files?: string[] } {
  const names = asArray(given).flatMap((file) => asText(file) ?? []);
  for (const name of names) {
    const text = readInput(name, found);
    if (text === undefined) {
      const note =
        'It is not below the imported folder, or is no text. Copy it by hand to the same place in the project.';
      ledger.leaveOut('input file', { note, place: `${id}: ${name.slice(0, 120)}` });
    } else {
      files[path.posix.normalize(name)] = text;
      ledger.take('input file', 'file of the project', name);
    }
  }
  return names.length === 0 ? {} : { files: names };
}

/** Returns the text of an input file. Its path begins at the folder of the skill, which is above the one of the evals. */
function readInput(name: string, { files, folder }: FoundEvals): string | undefined {
  const normal = path.posix.normalize(name);
  if (normal.startsWith('..') || path.posix.isAbsolute(normal)) return undefined;
  const places =
    folder === '' ? [normal.replace(/^evals\//, ''), normal] : [normal, path.posix.join(folder, normal)];
  for (const place of places) {
    try {
      return files.read(place);
    } catch (error) {
      if (!(error instanceof TouchstoneError)) throw error;
    }
  }
  return undefined;
}
