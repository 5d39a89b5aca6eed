import type { Context, Hono, HonoRequest } from 'hono';
import type { z } from 'zod';
import { TouchstoneError } from '../core/errors.ts';
import { parseJson } from '../core/lib/json/parse-json.ts';
import { describeExpectation } from '../core/lib/schema-issues.ts';
import type { Permission } from '../core/schema/account/rights.ts';
import type { Run } from '../core/schema/run.ts';
import { findRun } from '../look/queries/runs.ts';
import type { Store } from '../stores/store.ts';
import type { Asking } from './asking.ts';
import type { ShownAnswers } from './shown-answers.ts';

/** The surroundings of every route. */
export interface RouteContext {
  /** Returns the open store. */
  readonly openStore: () => Promise<Store>;
  /** The folder of the store, as `--store` takes it; undefined when a command finds the store without it. */
  readonly storeFolder?: string;
  /** The folder from which the names of files in runs start; the current one by default. */
  readonly folder?: string;
  /** False on a server whose files are none of its users' business: no file that a record names is read. True by default. */
  readonly isReadingFiles?: boolean;
  /** True where old traces are removed by the times of a project, not by the times of a store that one person uses. */
  readonly isRetaining?: boolean;
  /** Returns the name of the person who is signed in, or who started the server; undefined when it is not known. */
  readonly person?: () => Promise<string | undefined>;
  /** Returns whether the sender has a permission; by default, each sender has them all. */
  readonly may?: (permission: Permission) => boolean;
  /** The means by which questions are asked again; undefined where no run can be begun. */
  readonly asking?: Asking;
  /** True on a server without a config, whose runs are begun by workers that wait. */
  readonly isBegunByWorkers?: boolean;
  /** True when people are signed in, and act under their own names only; false by default. */
  readonly isSignedIn?: boolean;
  /** True when people may approve proposals that they have made themselves; false by default. */
  readonly isOwnAllowed?: boolean;
  readonly shown: ShownAnswers;
}

declare module 'hono' {
  interface ContextVariableMap {
    /** The part of the entry in the audit log of a server that the request has for itself. */
    use?: Readonly<Record<string, string>>;
  }
}

/** Says what the audit log of a server records of a request, besides who sent it and its address: counts, and no texts of users. */
export function describeUse(context: Context, details: Readonly<Record<string, string>>): void {
  context.set('use', details);
}

/** Returns the run that the address of a request names as on the command line, and its store. Throws the errors of `findRun`. */
export async function openRun(
  openStore: RouteContext['openStore'],
  req: HonoRequest,
): Promise<{ readonly store: Store; readonly run: Run }> {
  const store = await openStore();
  return { store, run: await findRun(store, req.param('run') ?? '') };
}

/** Adds one route to the server. */
export type AddRoute = (app: Hono, context: RouteContext) => void;

/** Checks what a request contains. Throws `request-invalid` with the faults that the schema finds. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const { success, data, error } = schema.safeParse(input);
  if (success) return data;
  const faults = error.issues.map((issue) => {
    const expectation = describeExpectation(issue);
    return `${issue.path.join('.')}: ${expectation === undefined ? issue.message : `expected ${expectation}`}`;
  });
  throw new TouchstoneError('request-invalid', `The request is not valid: ${faults.join('; ')}.`);
}

/** The longest body that is read, in bytes; changes are small. */
const longestBody = 100_000;

/**
 * Returns the JSON that a request sends. Throws `request-invalid` for anything else: a form of another site could send a
 * text, but no JSON.
 */
export async function readBody(req: HonoRequest): Promise<unknown> {
  const type = req.header('content-type') ?? '';
  const length = Number(req.header('content-length') ?? Number.POSITIVE_INFINITY);
  if (!/^application\/json\b/i.test(type) || !(length <= longestBody)) {
    throw new TouchstoneError('request-invalid', 'The request does not send a short JSON document.');
  }
  try {
    return parseJson(await req.text());
  } catch {
    throw new TouchstoneError('request-invalid', 'The request sends broken JSON.');
  }
}
