import { z } from 'zod';
import { configSchema } from '../src/config/config.ts';
import type { Definition } from '../src/lib/define.ts';
import * as metrics from '../src/metrics/registry.ts';
import * as scorecards from '../src/scorecards/registry.ts';
import * as targets from '../src/targets/registry.ts';

/** A JSON Schema, or a part of one. */
export type JsonSchema = Exclude<z.core.JSONSchema._JSONSchema, boolean>;

type AnyDefinition = Definition<string, never, unknown, never>;
type Registry = Readonly<Record<string, { readonly definition: unknown }>>;

const registries: Readonly<Record<string, Registry>> = {
  metric: metrics,
  scorecard: scorecards,
  target: targets,
};

/** The JSON Schema of a config file, in which each `use` brings the options of what it names. */
export function configJsonSchema(): JsonSchema {
  const schema = z.toJSONSchema(configSchema, { io: 'input' });
  const properties = { ...schema.properties };
  return {
    ...schema,
    properties: {
      ...properties,
      targets: { ...asObject(properties.targets), items: reference('target') },
      metrics: { ...asObject(properties.metrics), items: nameOr('metric') },
      scorecard: {
        ...asObject(properties.scorecard),
        anyOf: [...nameOr('scorecard').anyOf, { type: 'null' }],
      },
    },
    $defs: Object.fromEntries(Object.entries(registries).flatMap(toDefinitions)),
  };
}

/** `metric`: any of the registered ones with its options. `metric-name`: their names, each with its summary. */
function toDefinitions([kind, registry]: [string, Registry]): [string, JsonSchema][] {
  const definitions = Object.values(registry)
    .map(({ definition }) => definition as AnyDefinition)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const names = definitions.map(({ name, summary }): JsonSchema => ({ const: name, description: summary }));
  return [
    [kind, { anyOf: definitions.map(useOf) }],
    [`${kind}-name`, { anyOf: names }],
  ];
}

function useOf({ name, summary, options }: AnyDefinition): JsonSchema {
  const schema = z.toJSONSchema(options as z.ZodType, { io: 'input', override: foldInMetrics });
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

/** Options that only a program can give, such as functions, are not for files. */
function withoutProgramOnly(properties: JsonSchema['properties'] = {}): JsonSchema['properties'] {
  return Object.fromEntries(
    Object.entries(properties).filter(([, property]) => asObject(property)['programOnly'] !== true),
  );
}

/** An option called `metric` holds a metric with its options, or the name of one. */
function foldInMetrics({ jsonSchema, path }: { jsonSchema: JsonSchema; path: (string | number)[] }): void {
  if (path.at(-1) !== 'metric' || jsonSchema.anyOf === undefined) return;
  jsonSchema.anyOf = nameOr('metric').anyOf;
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
