import { toJson } from '../../../../evaluate/targets/reply/to-json.ts';
import type { ImportNeeds, JsonObject, RecordedAnswers, Translation } from '../../importer.ts';
import { modelsFor } from '../../asked-models.ts';
import type { Ledger } from '../../ledger.ts';
import { asNumber, asObject, asText, type Fields, objectsIn, filled } from '../../values.ts';
import { nameTests, translateTest } from '../translate-test.ts';
import { render, variablesIn } from '../../render.ts';
import type { ConfigFiles } from './config-files.ts';
import { type ExpandedTest, expandTests } from './expand-tests.ts';
import { embedderOf, type FoundProvider, modelOf } from './models.ts';
import { stepsOf } from '../assertions/known-transform.ts';
import { type FoundPrompt, questionOf, readPrompts } from './prompts.ts';
import { gradersOf, readProviders, toolsOf } from './providers.ts';
import { type MadeTarget, makeTargets } from './targets.ts';
import { joinTurns } from './join-turns.ts';
import { countRest } from './rest-of-config.ts';
import { valueAtPath } from '../../../../core/lib/objects.ts';

/** A config as it was read, with the files next to it. */
export interface FoundConfig {
  readonly config: Fields;
  readonly files: ConfigFiles;
}

/** Translates a config of promptfoo: a target for each provider and prompt, a case for each combination of variables. */
export function translateConfig(
  { config: written, files }: FoundConfig,
  ledger: Ledger,
  { findFault, codeFolder }: ImportNeeds,
): Translation {
  const config = replaceReferences(written);
  const sources = { files, ledger };
  const prompts = readPrompts(config.prompts ?? '{{prompt}}', sources);
  const providers = readProviders(config.providers ?? config.targets, sources);
  const question = questionOf(prompts);
  const readFile = (reference: string) => files.readData(reference);
  const transform = sharedTransform(providers);
  const targets = makeTargets(providers, prompts, { question, ledger, readFile, transform });
  const tests = expandTests(config, sources);
  const names = nameTests(tests.map(({ test }) => test));
  const asked = new Set<string>();
  const tools = toolsOf(
    providers.map((provider) => provider.config),
    readFile,
  );
  const cases = tests.map(({ test, cluster }, index) => {
    const translated = translateTest(test, {
      id: names[index] ?? `test-${index + 1}`,
      prompts: prompts.map(({ user }) => user),
      question,
      rendered: rendered(prompts[0], test),
      ledger,
      findFault,
      isJudged: false,
      hasStubs: codeFolder !== undefined,
      asked,
      tools,
      readFile,
      ...(transform !== undefined && { transforms: [transform] }),
    });
    return cluster === undefined ? translated : { ...translated, cluster };
  });
  countRest(
    config,
    tests.map(({ test }, index) => ({ test, name: names[index] ?? '' })),
    ledger,
  );
  const settings = settingsOf(asObject(config.evaluateOptions) ?? {});
  const attempts = asNumber(settings['attempts']) ?? 1;
  const answers = recordedAnswers({ targets, tests, names, attempts, ledger });
  const joined = joinTurns(cases, obstacleToTurns(prompts, targets, answers), ledger);
  const metric = joined === undefined ? 'case-checks' : 'turn-checks';
  const asking = graders(config, asked, ledger);
  const own = targets.flatMap(({ use }) => use ?? []);
  return {
    found: `promptfoo configuration, ${count(prompts.length, 'prompt')} × ${count(providers.length, 'provider')}, ${count((joined ?? cases).length, 'question')}`,
    description: asText(config.description) ?? 'Configuration of promptfoo',
    cases: joined ?? cases,
    answers,
    callsNothing: own.length === 0 && asked.size === 0,
    files: Object.fromEntries(targets.flatMap(({ file }) => (file === undefined ? [] : [file]))),
    config: {
      targets: filled(own),
      ...(answers === undefined || own.length > 0 ? settings : omitAttempts(settings)),
      ...asking,
      scorecard: { use: 'recorded', metric },
      metrics: [metric],
    },
  };
}

/** Returns why the tests of a conversation stay apart; undefined when all targets send the turns before. */
function obstacleToTurns(
  prompts: readonly FoundPrompt[],
  targets: readonly MadeTarget[],
  answers: RecordedAnswers | undefined,
): string | undefined {
  if (answers !== undefined) return 'Its answer is recorded by itself.';
  if (!prompts.every(({ isConversation }) => isConversation))
    return 'Its prompt does not repeat the turns before.';
  const isChat = targets.every(({ use }) => use?.['use'] === 'chat');
  return isChat ? undefined : 'Not every target is a chat model, which is sent the turns before.';
}

/** Returns the transform that all providers have, where it is known by heart: the checks of cases can apply it. */
function sharedTransform(providers: readonly FoundProvider[]): string | undefined {
  const [transform, ...others] = new Set(providers.map((provider) => provider.transform));
  return transform !== undefined && others.length === 0 && stepsOf(transform) !== undefined
    ? transform
    : undefined;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function omitAttempts({ attempts: _, ...rest }: JsonObject): JsonObject {
  return rest;
}

/** Returns a prompt with the variables of a test; undefined where it needs more than plain variables. */
function rendered(prompt: FoundPrompt | undefined, test: Fields): string | undefined {
  return prompt === undefined ? undefined : render(prompt.raw, asObject(test.vars) ?? {});
}

function settingsOf({ repeat, maxConcurrency, timeoutMs }: Fields): JsonObject {
  const [attempts, concurrency, limit] = [repeat, maxConcurrency, timeoutMs].map(asNumber);
  return {
    ...(attempts !== undefined && attempts > 1 && { attempts }),
    ...(concurrency !== undefined && concurrency > 0 && { concurrency }),
    ...(limit !== undefined && limit > 0 && { timeLimitMs: limit }),
  };
}

/** Returns the judge and the embedding model that checks need: the ones in the config, else the ones that promptfoo takes. */
function graders(config: Fields, asked: ReadonlySet<string>, ledger: Ledger): JsonObject {
  const options = asObject(asObject(config.defaultTest)?.options) ?? {};
  const { text, embedding } = gradersOf(options.provider);
  const judge = asked.has('judge') && text !== undefined ? modelOf(text, ledger) : undefined;
  const embedder =
    asked.has('embedder') && embedding !== undefined ? embedderOf(embedding, ledger) : undefined;
  const missing =
    text === undefined ? 'None is named' : 'That of the config is code or a service without an equivalent';
  return modelsFor(asked, { judge, embedder, missing }, ledger);
}

interface Recorded {
  readonly targets: readonly MadeTarget[];
  readonly tests: readonly ExpandedTest[];
  readonly names: readonly string[];
  readonly attempts: number;
  readonly ledger: Ledger;
}

/** Returns the answers that are known without asking: the answers in the tests, and the answers of targets that repeat the prompt. */
function recordedAnswers({ targets, tests, names, attempts, ledger }: Recorded): RecordedAnswers | undefined {
  const rows: JsonObject[] = [];
  const add = (target: string, index: number, output: unknown) => {
    if (output === undefined) {
      ledger.leaveOut('answer of a provider that repeats the prompt', {
        note: 'The prompt needs more than plain variables of the test, which is code and is not run: the answer is not known.',
        place: names[index] ?? '',
      });
      return;
    }
    const answer = typeof output === 'string' ? output : JSON.stringify(toJson(output));
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      rows.push({ caseId: names[index] ?? '', attempt, recordedTarget: target, answer });
    }
  };
  for (const { name, prompt, use } of targets) {
    if (use !== undefined) continue;
    for (const [index, { test }] of tests.entries())
      add(name, index, test.providerOutput ?? echo(prompt, test));
  }
  const echoes = rows.length > 0;
  for (const [index, { test }] of tests.entries()) {
    if (test.providerOutput === undefined) continue;
    ledger.take('recorded output of a test', 'recorded answer', names[index]);
    if (!echoes) add('recorded', index, test.providerOutput);
  }
  if (rows.length === 0) return undefined;
  return {
    rows,
    targets: [...new Set(rows.map((row) => String(row['recordedTarget'])))],
    verdicts: [],
    attempts,
  };
}

/** Returns the prompt as it is sent, with the text around it that a test asks for; undefined where code would fill it in. */
function echo({ raw }: FoundPrompt, test: Fields): string | undefined {
  const { prefix, suffix } = asObject(test.options) ?? {};
  const vars = asObject(test.vars) ?? {};
  const whole = `${asText(prefix) ?? ''}${raw}${asText(suffix) ?? ''}`;
  // A variable that a test lacks is empty in promptfoo.
  const missing = Object.fromEntries(variablesIn(whole).map((name) => [name, null]));
  return render(whole, { ...missing, ...vars });
}

/** Returns whether an object is a config of promptfoo: prompts or providers with tests, or tests with assertions. */
export function isConfig(value: unknown): boolean {
  const config = asObject(value);
  if (config === undefined) return false;
  const hasTests = ['tests', 'scenarios', 'defaultTest'].some((key) => config[key] !== undefined);
  const hasTargets = config.prompts !== undefined || config.providers !== undefined;
  const asserts = objectsIn(config.tests).some(
    (test) => test.assert !== undefined || test.vars !== undefined,
  );
  return (
    (hasTargets && (hasTests || isPromptsAlone(config)) && config.dataset === undefined) ||
    (asserts && config.targets === undefined)
  );
}

/** Returns whether a config has prompts and providers and nothing else to ask: promptfoo asks each prompt once. */
function isPromptsAlone({ prompts, providers, targets, redteam }: Fields): boolean {
  return prompts !== undefined && (providers ?? targets) !== undefined && redteam === undefined;
}

/** References inside references are followed this far. */
const deepest = 10;

/** Replaces every `{$ref: '#/assertionTemplates/NAME'}` by what it refers to in the same file, together with its neighbours. */
function replaceReferences(config: Fields): Fields {
  return replace(config, config, 0) as Fields;
}

function replace(value: unknown, root: Fields, depth: number): unknown {
  if (depth > 50) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => replace(item, root, depth + 1));
  const object = asObject(value);
  if (object === undefined) return value;
  const { $ref, ...rest } = object;
  const found = lookUp(asText($ref), root, 0);
  const merged = found === undefined ? object : { ...found, ...rest };
  return Object.fromEntries(
    Object.entries(merged).map(([key, item]) => [key, replace(item, root, depth + 1)]),
  );
}

function lookUp(reference: string | undefined, root: Fields, depth: number): Fields | undefined {
  if (reference === undefined || !reference.startsWith('#/') || depth > deepest) return undefined;
  const object = asObject(valueAtPath(root, reference.slice(2).replaceAll('/', '.')));
  if (object === undefined) return undefined;
  const { $ref, ...rest } = object;
  const further = lookUp(asText($ref), root, depth + 1);
  return { ...further, ...rest };
}
