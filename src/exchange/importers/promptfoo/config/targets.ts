import type { JsonObject } from '../../importer.ts';
import type { Ledger } from '../../ledger.ts';
import { asObject, asText, type Fields, withoutTerminalCodes } from '../../values.ts';
import { type FoundProvider, modelOf, refuseSecret } from './models.ts';
import { type FoundPrompt, toOurTemplate } from './prompts.ts';
import { toolsOf } from './providers.ts';
import { isSecretName } from '../../../../core/lib/redact-secrets.ts';
import { toJson } from '../../../../evaluate/targets/reply/to-json.ts';

/** A target of a project: one provider with one prompt. */
export interface MadeTarget {
  readonly name: string;
  readonly prompt: FoundPrompt;
  /** Absent for a target whose answers are known: it repeats the prompt. */
  readonly use?: JsonObject;
  /** The stub of a target that is to be finished by hand, with its name. */
  readonly file?: readonly [name: string, text: string];
}

interface Context {
  readonly question: string | undefined;
  readonly ledger: Ledger;
  /** The transform of all providers, where the checks apply it. */
  readonly transform: string | undefined;
  /** Returns the content of a file that is named by a value; a text with the reason when it cannot be read. */
  readonly readFile: (reference: string) => { readonly content: unknown } | string;
}

/** Makes the targets of all providers with the prompts that each is asked with. */
export function makeTargets(
  providers: readonly FoundProvider[],
  prompts: readonly FoundPrompt[],
  context: Context,
): MadeTarget[] {
  const made = providers.flatMap((provider) => {
    const asked = prompts.filter((prompt) => isAsked(provider, prompt));
    if (asked.length === 0) {
      const note = 'No prompt that it is asked with could be read.';
      context.ledger.leaveOut(`provider ${kindOf(provider.id)}`, { note, place: provider.id });
    }
    return asked.map((prompt) => ({
      provider,
      prompt,
      name: asked.length > 1 ? `${provider.label} · ${prompt.label}` : provider.label,
    }));
  });
  return made.map((each, index) => {
    // Two prompts of a provider have the same tools.
    const toolsIndex = made.findIndex(({ provider }) => provider === each.provider);
    return makeTarget(each, { ...context, index, toolsIndex });
  });
}

function isAsked({ prompts }: FoundProvider, { id, label, raw }: FoundPrompt): boolean {
  return prompts === undefined || prompts.some((name) => [id, label, raw].includes(name));
}

interface Pair {
  readonly provider: FoundProvider;
  readonly prompt: FoundPrompt;
  readonly name: string;
}

interface PairContext extends Context {
  readonly index: number;
  readonly toolsIndex: number;
}

function makeTarget({ provider, prompt, name }: Pair, context: PairContext): MadeTarget {
  const { ledger } = context;
  const part = `provider ${kindOf(provider.id)}`;
  if (provider.id === 'echo') {
    ledger.approximate(part, {
      became: 'recorded answers',
      note: 'It repeats the prompt, which is known without asking.',
    });
    return { name, prompt };
  }
  const use = useOf(provider, prompt, context);
  if (typeof use !== 'string') {
    ledger.take(part, `target ${String(use['use'])}`);
    const tools = use['use'] === 'chat' ? toolsFor(provider, context) : undefined;
    return {
      name,
      prompt,
      use: { ...use, name, ...(tools !== undefined && { tools: tools[0] }) },
      file: tools,
    };
  }
  ledger.leaveOut(part, { note: `To finish by hand in targets/: ${use}.`, place: name });
  const file = `targets/target-${context.index + 1}.mjs`;
  const unfinished = `${name} (unfinished: todo.md)`;
  return {
    name: unfinished,
    prompt,
    use: { use: 'module', name: unfinished, path: file },
    file: [file, stubOf(provider, prompt)],
  };
}

function kindOf(id: string): string {
  if (/^https?:/.test(id)) return 'http';
  if (id.startsWith('file://')) return `in ${id.replace(/^.*\./, '.').slice(0, 5)}`;
  return id
    .split(':')
    .slice(0, id.startsWith('exec:') || id.startsWith('python:') ? 1 : 3)
    .join(':')
    .slice(0, 60);
}

/** Returns the settings of a target, or the reason why it has to be finished by hand. */
function useOf(
  provider: FoundProvider,
  prompt: FoundPrompt,
  { question, ledger, transform: known }: Context,
): JsonObject | string {
  const { id } = provider;
  const [user, system] = [prompt.user, prompt.system].map((text) =>
    text === undefined ? '' : toOurTemplate(text, question),
  );
  if (user === undefined || system === undefined) return 'its prompt needs Nunjucks';
  if (question !== undefined && !user.includes('{{question}}'))
    return `its prompt does not contain the variable ${question}`;
  if (/^https?(?::|$)/.test(id)) return httpTarget(provider, user, ledger);
  if (id.startsWith('exec:'))
    return 'it starts a program, which an import does not. The target `command` does the same (docs/connect-your-bot.md)';
  const { tools: _, functions: __, ...config } = provider.config;
  const model = modelOf({ ...provider, config }, ledger);
  if (model === undefined) return `its code or service ${JSON.stringify(id.slice(0, 80))} has no equivalent`;
  noteTransform(provider, known, ledger);
  if (prompt.hasMore) {
    ledger.approximate('messages in a prompt', {
      became: 'system prompt and question',
      note: 'Messages in between are not imported.',
      place: prompt.label,
    });
  }
  const wraps = question !== undefined && user.trim() !== '{{question}}';
  return { use: 'chat', model, ...(system !== '' && { system }), ...(wraps && { prompt: user }) };
}

function noteTransform({ label, transform }: FoundProvider, known: string | undefined, ledger: Ledger): void {
  const part = 'transform of a provider';
  if (transform === undefined) return;
  if (transform === known) ledger.take(part, 'part of the answer that all checks look at');
  else {
    const note = 'Code is never run: checks see the answer as the model gave it.';
    ledger.leaveOut(part, { note, place: label, code: transform });
  }
}

/** Returns the module of the tools that a model is given, with what each returns left to do; undefined without tools. */
function toolsFor(
  { config, label }: FoundProvider,
  { readFile, ledger, index, toolsIndex }: PairContext,
): readonly [name: string, text: string] | undefined {
  if (config.tools === undefined && config.functions === undefined) return undefined;
  const described = toolsOf([config], readFile);
  if (typeof described === 'string') {
    ledger.leaveOut('tools of a provider', { note: `${described}.`, place: label });
    return undefined;
  }
  const file = `targets/tools-${toolsIndex + 1}.mjs`;
  ledger.approximate('tools of a provider', {
    became: 'tools of the target',
    note: 'promptfoo ends with the calls of the model. Here the model gets a result of each call: return it in `run`.',
    ...(index === toolsIndex && { place: file }),
  });
  return [file, toolModule(described)];
}

function toolModule(described: readonly unknown[]): string {
  const tools = described.map((description) => {
    const tool = asObject(asObject(description)?.function ?? description) ?? {};
    const parameters = tool.parameters ?? tool.input_schema ?? { type: 'object' };
    const members = { name: tool.name, description: tool.description ?? '', parameters };
    const written = JSON.stringify(members, null, 2).replace(/\n}$/, '');
    return `${written},\n  run: () => unfinished(),\n}`;
  });
  return [
    '// Tools to finish by hand: `run` gets the arguments of a call, and returns its result.',
    'const unfinished = () => {',
    "  throw new Error('This tool is not finished: return a result in its run.');",
    '};',
    '',
    ...tools.map((tool, index) => `export const tool${index + 1} = ${tool};\n`),
  ].join('\n');
}

/** Returns the stub of a target to finish by hand: it fails and says what to do. */
function stubOf({ id }: FoundProvider, { raw }: FoundPrompt): string {
  const shown = JSON.stringify(withoutTerminalCodes(id).slice(0, 200));
  return [
    '// A target to finish by hand. It fails until it calls what promptfoo called.',
    `const provider = ${shown};`,
    `const prompt = ${JSON.stringify(raw)};`,
    '',
    'export default async function answer(input) {',
    '  throw new Error(`This target is not finished: send ${prompt.length} characters of prompt with the question to ${provider}.`);',
    '}',
    '',
  ].join('\n');
}

/**
 * Returns the target of an HTTP provider. Its `{{prompt}}` becomes the prompt in our notation. A secret that is written out
 * is not copied. A text is the reason why there is no equivalent.
 */
function httpTarget(
  { id, config, transform }: FoundProvider,
  prompt: string,
  ledger: Ledger,
): JsonObject | string {
  const url = asText(config.url) ?? id;
  if (!/^https?:\/\//.test(url)) return 'its address is not written out';
  if (config.request !== undefined) return 'its request is written as raw HTTP';
  const answer = transform === undefined ? undefined : answerPath(transform);
  if (transform !== undefined && answer === undefined) return 'its answer is computed by code';
  const place = url.replace(/[?#].*$/, '').replace(/\/\/[^/@]*@/, '//');
  const body = fillDeep(config.body, prompt);
  return {
    use: 'http',
    url: fill(withoutSecrets(url, { place, ledger }), prompt),
    ...(asText(config.method) !== undefined && { method: String(config.method).toUpperCase() }),
    ...headersOf(asObject(config.headers) ?? {}, { place, ledger }),
    ...(body !== undefined && { body: toJson(body) }),
    ...(answer !== undefined && { answer }),
  };
}

interface Found {
  readonly place: string;
  readonly ledger: Ledger;
}

const isVariable = (value: string) => /\{\{\s*env\./.test(value);

function withoutSecrets(url: string, found: Found): string {
  const plain = url.replace(/\/\/[^/@?#]*@/, () => {
    refuseSecret('user and password of the address', found);
    return '//';
  });
  return plain.replaceAll(/([?&])([^=&#]+)=([^&#]*)/g, (part, mark: string, name: string, value: string) => {
    if (!isSecretName(name) || isVariable(value)) return part;
    refuseSecret(name, found);
    return `${mark}${name}={{env.${variableName(name)}}}`;
  });
}

function headersOf(headers: Fields, found: Found): JsonObject {
  const kept = Object.entries(headers).map(([name, value]): [string, string] => {
    const text = String(value);
    if (!isSecretName(name) || isVariable(text)) return [name, text];
    refuseSecret(name, found);
    return [name, `{{env.${variableName(name)}}}`];
  });
  return kept.length === 0 ? {} : { headers: Object.fromEntries(kept) };
}

function variableName(name: string): string {
  return name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
}

function fillDeep(value: unknown, prompt: string): unknown {
  if (typeof value === 'string') return fill(value, prompt);
  if (Array.isArray(value)) return value.map((item: unknown) => fillDeep(item, prompt));
  const object = asObject(value);
  return object === undefined
    ? value
    : Object.fromEntries(Object.entries(object).map(([key, item]) => [key, fillDeep(item, prompt)]));
}

/** Puts the prompt in its place; other variables are metadata of the case. */
function fill(text: string, prompt: string): string {
  return text.replaceAll(/\{\{\s*([\w.]+)\s*\}\}/g, (_, name: string) => {
    if (name === 'prompt') return prompt.replaceAll('{{question}}', '{{input}}');
    return name.startsWith('env.') ? `{{${name}}}` : `{{metadata.${name.replace(/^vars\./, '')}}}`;
  });
}

/** Returns the path in a transformation such as `json.choices[0].text`; undefined for code. */
function answerPath(transform: string): string | undefined {
  return /^json\.([\w$]+(?:\.[\w$]+|\[\d+\])*)$/.exec(transform.trim())?.[1];
}
