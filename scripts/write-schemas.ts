// Writes schemas/*.json, or into another folder that is named, with which editors and other programs check our files. It is part of the build.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { archiveLineSchema } from '../src/evaluate/run/record/archive-line.ts';
import { labelsFileVersion, labelsLineSchema } from '../src/people/reviews/files/labels-file.ts';
import { caseSchema } from '../src/core/schema/case.ts';
import { reportSchema, reportVersion } from '../src/core/schema/api/report.ts';
import { certificateSchema, certificateVersion } from '../src/core/schema/review/certificate.ts';
import { feedbackLineSchema, feedbackLineVersion } from '../src/core/schema/feedback/feedback.ts';
import { runComparisonSchema, runComparisonVersion } from '../src/core/schema/run-comparison.ts';
import { trendsSchema, trendsVersion } from '../src/core/schema/trends.ts';
import { configJsonSchema, type JsonSchema } from './config-json-schema.ts';

interface Described {
  readonly title: string;
  readonly description: string;
  readonly version: number;
  readonly schema: JsonSchema;
}

/** Returns the schemas by file name, as the text of their files. */
export function createSchemas(): Map<string, string> {
  const schemas: Record<string, Described> = {
    'case.schema.json': {
      title: 'Touchstone case',
      description: 'One row of a dataset, spelt the way Touchstone spells it. Without an id it gets one.',
      version: 1,
      schema: z.toJSONSchema(caseSchema.partial({ id: true }), { io: 'input', reused: 'ref' }),
    },
    'config.schema.json': {
      title: 'Touchstone configuration',
      description: 'What touchstone.config.yaml or touchstone.config.json holds.',
      version: 1,
      schema: configJsonSchema(),
    },
    'report.schema.json': {
      title: 'Touchstone report',
      description: 'What `touchstone run --output report.json` writes.',
      version: reportVersion,
      schema: z.toJSONSchema(reportSchema, { override: allowMore, reused: 'ref' }),
    },
    'comparison.schema.json': {
      title: 'Touchstone comparison',
      description: 'What `touchstone compare --json` prints.',
      version: runComparisonVersion,
      schema: z.toJSONSchema(runComparisonSchema, { override: allowMore, reused: 'ref' }),
    },
    'trends.schema.json': {
      title: 'Touchstone trends',
      description: 'What `touchstone trends --json` prints.',
      version: trendsVersion,
      schema: z.toJSONSchema(trendsSchema, { override: allowMore, reused: 'ref' }),
    },
    'labels.schema.json': {
      title: 'Touchstone labels, one line',
      description:
        'A line of what `touchstone labels export` writes: rubrics, review tasks with their items, and labels.',
      version: labelsFileVersion,
      schema: z.toJSONSchema(labelsLineSchema, { override: allowMore, reused: 'ref' }),
    },
    'feedback.schema.json': {
      title: 'Touchstone feedback, one line',
      description:
        'A line that `touchstone feedback import` reads: a reaction of a user as a program writes it, or as `touchstone feedback export` does.',
      version: feedbackLineVersion,
      schema: z.toJSONSchema(feedbackLineSchema, { io: 'input', reused: 'ref' }),
    },
    'certificate.schema.json': {
      title: 'Touchstone certificate of a judge',
      description: 'What `touchstone calibrate` writes for a judge that meets all conditions.',
      version: certificateVersion,
      schema: z.toJSONSchema(certificateSchema, { override: allowMore, reused: 'ref' }),
    },
    'run-export.schema.json': {
      title: 'Touchstone run export, one line',
      description:
        'A line of what `touchstone export` writes: the run, then its cases, then its results, then the end.',
      version: 1,
      schema: z.toJSONSchema(archiveLineSchema, { override: allowMore, reused: 'ref' }),
    },
  };
  return new Map(Object.entries(schemas).map(([file, described]) => [file, toText(file, described)]));
}

/** Allows unknown fields: a reader of version 1 must not refuse a field that a later writer of version 1 added. */
function allowMore({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }): void {
  const { def } = zodSchema._zod;
  if (def.type === 'object' && def.catchall === undefined) delete jsonSchema.additionalProperties;
}

function toText(file: string, { title, description, version, schema }: Described): string {
  const { $schema, ...rest } = schema;
  const head = { $schema, $id: file, $comment: `version ${version}`, title, description };
  return `${JSON.stringify({ ...head, ...rest })}\n`;
}

/** Writes the schemas into a folder. */
export function writeSchemas(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of createSchemas()) writeFileSync(path.join(folder, name), text);
}

if (import.meta.main)
  writeSchemas(path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '..', 'schemas')));
