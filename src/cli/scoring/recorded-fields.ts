import { configSchema } from '../../config/config.ts';
import { type FieldOverrides, isRecorded } from '../../datasets/field-mapping.ts';
import { recordParts } from '../../targets/replay/record-aliases.ts';

type RecordPart = (typeof recordParts)[number];

/** What a config says of the columns of its files, by whom it is for. */
export interface RecordedFields {
  /** For the cases. */
  readonly cases: FieldOverrides;
  /** For the recorded answers: what their columns hold. */
  readonly answers: Readonly<Record<string, RecordPart>>;
  /** Columns that are kept beside the answers. */
  readonly kept: readonly string[];
}

/** The meanings that a config gives to columns; none where they are not what they should be: its check says so. */
export function fieldsOf(written: unknown): FieldOverrides {
  const { dataset } = configSchema.shape;
  const parsed = dataset.safeParse((written as { dataset?: unknown } | null)?.dataset);
  const settings = parsed.success ? parsed.data : undefined;
  return typeof settings === 'object' && !Array.isArray(settings) ? (settings.fields ?? {}) : {};
}

/** Tells the parts of cases from the parts of recorded answers; how a case is found is part of both. */
export function splitFields(fields: FieldOverrides = {}): RecordedFields {
  const answers: Record<string, RecordPart> = {};
  const kept: string[] = [];
  for (const [column, meaning] of Object.entries(fields)) {
    if (meaning === 'recorded') kept.push(column);
    else if (meaning === 'id') answers[column] = 'id';
    else if (meaning === 'question' || meaning === 'input') answers[column] = 'question';
    else if (isRecorded(meaning)) answers[column] = partOf(meaning);
  }
  return { cases: fields, answers, kept };
}

function partOf(meaning: string): RecordPart {
  const part = recordParts.find((known) => `recorded.${known}` === meaning);
  if (part === undefined) throw new TypeError(`${meaning} is no part of a recorded answer.`);
  return part;
}
