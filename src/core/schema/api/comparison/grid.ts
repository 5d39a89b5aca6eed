import { z } from 'zod';
import { positiveInt, wholeNumber } from '../../json.ts';

const limitsSchema = { lower: z.number().nullable(), upper: z.number().nullable() };

/** One effect of a setting: the mean difference of the scores, question by question, with its interval. */
const gridEffectSchema = z.lazy(() =>
  z.object({
    kind: z.enum(['main', 'interaction']),
    /** The settings that it is about: one, or two for an interaction. */
    settings: z.array(z.string()).min(1).max(2),
    /** The level compared, and the level that it is compared with, of each of the settings. */
    levels: z.array(z.object({ level: z.string(), than: z.string() })),
    /** In [−1, 1]; of an interaction, the change of the first difference by the second one. */
    value: z.number().nullable(),
    standardError: z.number().nullable(),
    ...limitsSchema,
    pValue: z.number().nullable(),
    /** Corrected by Holm's method for all effects of its kind. */
    adjustedPValue: z.number().nullable(),
    /** Shown only where the corrected p-value is below 5 %, or 2.5 % where interactions are tested too, and a bound without a normal distribution excludes 0, too. */
    finding: z.enum(['higher', 'lower', 'not-shown']),
    /** About how many questions would show it, if it is as large as here; null when shown, or unknown. */
    needed: positiveInt().nullable(),
  }),
);
export type GridEffect = z.infer<typeof gridEffectSchema>;

/** One combination of levels: a target of the run. */
const gridCellSchema = z.lazy(() =>
  z.object({
    target: z.string(),
    /** The level of each setting. */
    levels: z.record(z.string(), z.string()),
    /** The mean score with its interval; null when nothing was measured. */
    score: z.object({ value: z.number().nullable(), ...limitsSchema, n: wholeNumber() }),
    /** Mean cost of an attempt in US dollars; null when some cost is not known. */
    cost: z.number().nullable(),
    /** The limits of its 95 % interval (Student's t over questions, or clusters of them); null where there are none. */
    costLimits: z.object(limitsSchema).optional(),
    /** `on`: no other cell is better and cheaper, even by its point; `in-doubt`: some may be; `dominated`: some is shown to be. */
    front: z.enum(['on', 'in-doubt', 'dominated', 'unknown']),
    /** The target that is shown to be better and cheaper. */
    dominatedBy: z.string().nullable(),
    /** The cheaper targets that are shown not to be worse by more than the margin asked for, the cheapest first. */
    cheaper: z.array(z.string()).optional(),
  }),
);
export type GridCell = z.infer<typeof gridCellSchema>;

/** The grid of settings of a target: its cells, the effects of its settings, and its cost–quality front. */
export const gridSchema = z.lazy(() =>
  z.object({
    /** The name of the target whose settings vary. */
    of: z.string(),
    /** The settings with their levels, in the order of the configuration. */
    settings: z.array(z.object({ name: z.string(), levels: z.array(z.string()) })),
    cells: z.array(gridCellSchema),
    /** True when every combination of levels was asked. */
    isFull: z.boolean(),
    effects: z.array(gridEffectSchema),
    /** Questions behind the effects: every cell has a score of them. */
    questions: wholeNumber(),
    /** Questions without a score in some cell. */
    incomplete: wholeNumber(),
    /** The mean score over all cells. */
    grand: z.number().nullable(),
    /** The margin of `cheaper`, as a share. */
    within: z.number().optional(),
  }),
);
export type Grid = z.infer<typeof gridSchema>;

/** The grids of a run. */
export const runGridsSchema = z.lazy(() => z.object({ run: z.string(), grids: z.array(gridSchema) }));
export type RunGrids = z.infer<typeof runGridsSchema>;
