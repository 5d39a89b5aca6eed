import type { Json } from '../../../../core/schema/json.ts';
import { toJson } from '../../../../evaluate/targets/reply/to-json.ts';
import type { Ledger } from '../../ledger.ts';
import { asArray, asObject, asText, type Fields } from '../../values.ts';
import { functionMark } from '../../content/content.ts';
import type { ConfigFiles } from './config-files.ts';
import { findSecretArgument } from '../../../../core/lib/literal-secrets.ts';
import type { FoundProvider } from './models.ts';

/** Reads the providers of a config: names, objects, maps of a name to settings, and files of these. */
export function readProviders(
  raw: unknown,
  sources: { readonly files: ConfigFiles; readonly ledger: Ledger },
): FoundProvider[] {
  const items = Array.isArray(raw) ? raw : raw === undefined ? [] : [raw];
  const found = items.flatMap((item: unknown) => readItem(item, sources));
  const labels = new Map<string, number>();
  return found.map((provider) => {
    const count = (labels.get(provider.label) ?? 0) + 1;
    labels.set(provider.label, count);
    return count === 1 ? provider : { ...provider, label: `${provider.label} ${count}` };
  });
}

function readItem(
  item: unknown,
  sources: { readonly files: ConfigFiles; readonly ledger: Ledger },
): FoundProvider[] {
  const name = asText(item);
  if (name !== undefined && /^file:\/\/.*\.(?:json|ya?ml)$/i.test(name)) {
    const read = sources.files.readData(name);
    if (typeof read !== 'string') return readProviders(read.content, sources);
    sources.ledger.leaveOut('provider in a file', { note: read, place: name });
    return [];
  }
  if (name !== undefined) return [toProvider({ id: name.startsWith(functionMark) ? 'function' : name })];
  const object = asObject(item);
  if (object === undefined) return [];
  if (asText(object.id) !== undefined) return [toProvider(object)];
  return Object.entries(object).map(([id, settings]) => toProvider({ id, ...asObject(settings) }));
}

/** Returns the id of a provider; of a command that contains a key, the program alone. */
function withoutKey(id: string): string {
  const [program = '', ...words] = id.startsWith('exec:') ? id.split(/\s+/) : [];
  return findSecretArgument(words) === undefined ? id : `${program} …`;
}

/** Returns a provider with its parts. */
function toProvider(provider: Fields): FoundProvider {
  const id = withoutKey(asText(provider.id) ?? 'provider');
  const prompts =
    provider.prompts === undefined
      ? undefined
      : [provider.prompts].flat().filter((each) => typeof each === 'string');
  const config = asObject(provider.config) ?? {};
  return {
    id,
    label: asText(provider.label) ?? id,
    config,
    prompts,
    transform: asText(provider.transform) ?? asText(config.transformResponse),
  };
}

/**
 * Returns the tools that providers describe in their settings; a text is the reason why they are not known.
 * @param readFile - Reads the file to read in place of the tools, where there are files.
 */
export function toolsOf(
  providers: readonly Fields[],
  readFile: (reference: string) => { readonly content: unknown } | string,
): readonly Json[] | string {
  const described: Json[][] = [];
  for (const config of providers) {
    const tools = config.tools ?? config.functions;
    if (tools === undefined) continue;
    const read =
      typeof tools === 'string' && tools.startsWith('file://') ? readFile(tools) : { content: tools };
    if (typeof read === 'string') return `The tools of a provider are in a file: ${read}`;
    if (!Array.isArray(read.content)) return 'The tools of a provider are no list';
    described.push(read.content.map(toJson));
  }
  const [first, ...others] = new Map(described.map((tools) => [JSON.stringify(tools), tools])).values();
  if (first === undefined) return 'No provider describes tools';
  if (others.length > 0) return 'The providers describe different tools';
  return JSON.stringify(first).includes('"[REDACTED]"')
    ? 'promptfoo took words out of the tools in its results; import the configuration'
    : first;
}

/** Returns the ids of graders: of texts, and of embeddings. */
export function gradersOf(raw: unknown): {
  readonly text?: FoundProvider;
  readonly embedding?: FoundProvider;
} {
  const name = asText(raw);
  if (name !== undefined) return { text: toProvider({ id: name }) };
  const object = asObject(raw);
  if (object === undefined) return {};
  if (asText(object.id) !== undefined) return { text: toProvider(object) };
  const part = (key: string) =>
    asArray([object[key]])
      .map((each) => asObject(each) ?? { id: each })
      .map(toProvider)[0];
  return {
    ...(object.text !== undefined && { text: part('text') }),
    ...(object.embedding !== undefined && { embedding: part('embedding') }),
  };
}
