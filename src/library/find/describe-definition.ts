import { stringify } from 'yaml';
import { z } from 'zod';
import type { Need } from '../../core/lib/define.ts';
import type { Expectation } from '../../core/schema/expectation.ts';
import type { MetricFamily } from '../../core/schema/metric.ts';
import type { MetricDefinition } from '../../evaluate/metrics/metric.ts';
import type { AnyDefinition, ExtensionKind } from '../config/definitions.ts';

/** A JSON Schema, as zod writes it. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Everything that is declared of an extension that a config can name. */
export interface Described {
  readonly kind: ExtensionKind;
  /** The name after `use:`. */
  readonly name: string;
  readonly version: number;
  /** Its summary, in one line. */
  readonly says: string;
  /** Words by which people look for it. */
  readonly words: string;
  readonly needs: readonly Need[];
  /** For a metric: its family, absent for one whose meaning its options decide. */
  readonly family?: MetricFamily;
  /** For a metric: the expectations of a case that it reads with the options of `example`. */
  readonly reads?: readonly Expectation[];
  /** For a measured quantity: its unit. */
  readonly unit?: string;
  /** A part of a config to paste, on a line or several. */
  readonly example: string;
  /** The JSON Schema of its options. */
  readonly options: JsonSchema;
}

/** Describes a definition by what it declares. */
export function describeDefinition(definition: AnyDefinition): Described {
  const kind = definition.kind as ExtensionKind;
  const { name, version, summary, words = '', needs = [], example } = definition;
  const { family, quantity } = definition as Partial<MetricDefinition>;
  return {
    kind,
    name,
    version,
    says: summary,
    words,
    needs,
    family,
    reads: kind === 'metric' ? readsOf(definition) : undefined,
    unit: quantity?.unit,
    example: typeof example === 'string' ? example : writeExample(kind, { use: name, ...example }),
    options: z.toJSONSchema(definition.options as z.ZodType, { io: 'input', unrepresentable: 'any' }),
  };
}

function readsOf({ options, example, ...definition }: AnyDefinition): readonly Expectation[] {
  const { reads = [] } = definition as Partial<MetricDefinition>;
  if (typeof reads !== 'function') return reads;
  const parsed = options.safeParse(example ?? {});
  return parsed.success ? [...new Set(reads(parsed.data, () => []))] : [];
}

/** The setting that names an extension of a kind, and whether it is a list. */
const settings: Readonly<Record<ExtensionKind, { readonly setting: string; readonly isList?: true }>> = {
  target: { setting: 'targets', isList: true },
  metric: { setting: 'metrics', isList: true },
  scorecard: { setting: 'scorecard' },
  judge: { setting: 'judge' },
  user: { setting: 'user' },
  model: { setting: 'targets', isList: true },
  embedder: { setting: 'embedder' },
  store: { setting: 'store' },
};

/** The longest example that fits on one line: a terminal of 80 columns shows it whole. */
const longestLine = 76;

/** Writes a use as a part of a config in YAML: `metrics: [{ use: groundedness, threshold: 0.9 }]`, or on several lines. */
function writeExample(kind: ExtensionKind, use: { readonly use: string }): string {
  const { setting, isList = false } = settings[kind];
  const written = kind === 'metric' && Object.keys(use).length === 1 ? use.use : use;
  const value = isList ? [written] : written;
  const flow = stringify(value, { collectionStyle: 'flow', flowCollectionPadding: true, lineWidth: 0 });
  const line = `${setting}: ${flow.trim().replaceAll(/(?<=\[) | (?=\])/g, '')}`;
  return line.length <= longestLine ? line : stringify({ [setting]: value }, { lineWidth: 0 }).trim();
}
