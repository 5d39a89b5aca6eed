import { z } from 'zod';
import { configSchema } from '../src/library/config/config.ts';
import {
  type AnyDefinition,
  definitionsOf,
  type ExtensionKind,
  registries,
} from '../src/library/config/definitions.ts';
import { sqliteStore } from '../src/stores/registry.ts';

/** A JSON Schema, or a part of one. */
export type JsonSchema = Exclude<z.core.JSONSchema._JSONSchema, boolean>;

/** Returns the JSON Schema of a config file, in which each `use` brings the options of the extension that it names. */
export function configJsonSchema(): JsonSchema {
  const schema = z.toJSONSchema(configSchema, { io: 'input' });
  const properties = { ...schema.properties };
  return {
    ...schema,
    properties: {
      ...properties,
      targets: {
        ...asObject(properties.targets),
        items: { anyOf: [reference('target'), reference('model-target')] },
      },
      judge: { ...asObject(properties.judge), anyOf: judgeChoices() },
      user: { ...asObject(properties.user), anyOf: [reference('user'), reference('model')] },
      embedder: { ...asObject(properties.embedder), anyOf: nameOr('embedder').anyOf },
      metrics: { ...asObject(properties.metrics), items: nameOr('metric') },
      scorecard: {
        ...asObject(properties.scorecard),
        anyOf: [...nameOr('scorecard').anyOf, { type: 'null' }],
      },
      store: { ...asObject(properties.store), anyOf: storeChoices() },
    },
    $defs: {
      ...Object.fromEntries((Object.keys(registries) as ExtensionKind[]).sort().flatMap(toDefinitions)),
      'model-target': { anyOf: definitionsOf('model').map(asTarget) },
    },
  };
}

/**
 * Returns two definitions of a kind. `metric`: any of the registered ones with its options. `metric-name`: their names,
 * each with its summary.
 */
function toDefinitions(kind: ExtensionKind): [string, JsonSchema][] {
  const definitions = definitionsOf(kind);
  const names = definitions.map(({ name, summary }): JsonSchema => ({ const: name, description: summary }));
  return [
    [kind, { anyOf: kind === 'target' ? targetChoices(definitions) : definitions.map(useOf) }],
    [`${kind}-name`, { anyOf: names }],
  ];
}

/** The settings that every target has beside its options. */
const targetSettings: JsonSchema['properties'] = {
  deterministic: {
    type: 'boolean',
    description:
      'True for a bot that answers the same whenever it is asked; some questions are asked twice to see that.',
  },
};

/** Returns the targets with their options; and any of them with a grid of settings, whose options may be in the grid. */
function targetChoices(definitions: readonly AnyDefinition[]): JsonSchema[] {
  const grid: JsonSchema = {
    type: 'object',
    description: 'Settings that vary, each with its levels: all combinations are asked.',
  };
  const varied: JsonSchema = {
    type: 'object',
    description: 'A target with a grid of settings.',
    properties: { use: { enum: definitions.map(({ name }) => name) }, grid, ...targetSettings },
    required: ['use', 'grid'],
  };
  return [...definitions.map(asTarget), varied];
}

/** Returns a target, or a model in place of one, with its options and the settings of every target. */
function asTarget(definition: AnyDefinition): JsonSchema {
  const use = useOf(definition);
  return { ...use, properties: { ...use.properties, ...targetSettings } };
}

function useOf({ name, summary, options }: AnyDefinition): JsonSchema {
  const schema = z.toJSONSchema(options as z.ZodType, { io: 'input', override: foldIn });
  if (schema.$defs !== undefined) throw new Error(`The options of ${name} refer to themselves; inline them.`);
  return {
    type: 'object',
    description: summary,
    properties: {
      use: { const: name, description: summary },
      name: { type: 'string', minLength: 1, description: 'What reports call it.' },
      ...withoutProgramOnly(schema.properties),
    },
    required: ['use', ...(schema.required ?? [])],
    additionalProperties: schema.additionalProperties ?? true,
  };
}

/** Removes options that only a program can give, such as functions. */
function withoutProgramOnly(properties: JsonSchema['properties'] = {}): JsonSchema['properties'] {
  return Object.fromEntries(
    Object.entries(properties).filter(([, property]) => asObject(property)['programOnly'] !== true),
  );
}

/** Returns the choices of a store: a folder, one of the kinds, or the options of the SQLite store alone. */
function storeChoices(): JsonSchema[] {
  const definition: unknown = sqliteStore.definition;
  const { properties, ...sqlite } = useOf(definition as AnyDefinition);
  const { use: _use, name: _name, ...options } = properties ?? {};
  return [
    { type: 'string', minLength: 1 },
    reference('store'),
    { ...sqlite, properties: options, required: [] },
  ];
}

/** The values of an option that is named after a kind of extension: one with its options, or the name of one. */
const choicesOf: Readonly<Record<string, () => JsonSchema[]>> = {
  metric: () => nameOr('metric').anyOf,
  model: () => [reference('model')],
  judge: judgeChoices,
  judges: judgeChoices,
};

function foldIn({ jsonSchema, path }: { jsonSchema: JsonSchema; path: (string | number)[] }): void {
  const choices = choicesOf[String(path.at(path.at(-1) === 'items' ? -2 : -1))];
  if (choices === undefined || jsonSchema.anyOf === undefined) return;
  jsonSchema.anyOf = choices();
}

/** Returns the choices of a judge: one of the kinds, or a model itself. */
function judgeChoices(): JsonSchema[] {
  return [reference('judge'), reference('model')];
}

function nameOr(kind: string): JsonSchema & { anyOf: JsonSchema[] } {
  return { anyOf: [reference(`${kind}-name`), reference(kind)] };
}

function reference(name: string): JsonSchema {
  return { $ref: `#/$defs/${name}` };
}

function asObject(schema: JsonSchema | boolean | undefined): JsonSchema {
  return typeof schema === 'object' ? schema : {};
}
