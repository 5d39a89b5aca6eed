import { z } from 'zod';
import { toolModes } from './tool-modes.ts';
import { positiveInt, wholeNumber } from '../json.ts';

/** Calls that arrived too late, or that belong to no attempt. */
const strayCallSchema = z.object({ name: z.string(), calls: positiveInt() });
/** Calls of one name that arrived too late, or that belong to no attempt. */
export type StrayCall = z.infer<typeof strayCallSchema>;

/** The tools of a run, as its record keeps them. */
export const runToolsSchema = z.lazy(() =>
  z.object({
    mode: z.enum(toolModes),
    servers: z.array(z.string()),
    cassette: z.object({ path: z.string(), hash: z.string().optional() }).optional(),
    /** The hash of the recorded results of each question that has some; part of the keys of its attempts. */
    recordings: z.record(z.string(), z.string()).optional(),
    /** The address that bots outside of this machine reach the proxy at. */
    listen: z.string().optional(),
    /** A hash of all that changes what bots get from their tools, the cassette included. */
    fingerprint: z.string(),
    /** The tools that each MCP server listed when the run began. */
    lists: z
      .record(z.string(), z.array(z.object({ name: z.string(), isReadOnly: z.boolean().optional() })))
      .optional(),
    /** Calls after the end of their attempts, which were not carried out. */
    late: z.array(strayCallSchema).optional(),
    /** Calls that belonged to no attempt, which were not carried out. */
    unattributed: z.array(strayCallSchema).optional(),
  }),
);
/** The tools of a run, as its record keeps them. */
export type RunTools = z.infer<typeof runToolsSchema>;

/** The observed calls of a run by where their results came from. */
export const toolCountsSchema = z.lazy(() =>
  z.object({
    tool: wholeNumber(),
    cassette: wholeNumber(),
    mock: wholeNumber(),
    refused: wholeNumber(),
    /** Calls that an injected fault answered. */
    fault: wholeNumber(),
    /** Redirects and addresses in results that lead past the proxy. */
    past: wholeNumber(),
  }),
);
export type ToolCounts = z.infer<typeof toolCountsSchema>;
