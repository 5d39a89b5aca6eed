import type { ProjectCalls } from './project-calls.ts';
import type { PlannedRun, PlanRequest } from '../../library/api/project/plan-run.ts';
import type { StoreChoice } from '../../library/api/open-store.ts';
import type { SecretRedactor } from '../../core/lib/redact-secrets.ts';

/** The project that the tools of a server work on. */
export interface McpProject {
  /** Returns the store that runs are read from. Throws what loading the config throws when only that says where it is. */
  readonly store: () => Promise<StoreChoice>;
  /** Removes the secrets of this process from whatever a reply quotes. */
  readonly secrets: SecretRedactor;
  /** The files of the project and the processes that may be started in it; absent on a server whose files are not for its users. */
  readonly local?: LocalProject;
  /** The means by which runs are planned and begun; absent where none can be. */
  readonly beginning?: Beginning;
  /** True where what agents may spend cannot be exceeded by the word of a person at the client. */
  readonly isUnattended?: boolean;
  /** Receives what an agent has begun or stopped, for the audit log of a server. */
  readonly onChange?: (action: 'run-start' | 'run-stop', run: string) => Promise<void>;
  /** True when nothing may be started or stopped. */
  readonly isReadOnly: boolean;
  /** The limit of a run that an agent starts without asking, in US dollars, in place of the config's. */
  readonly maxCost?: number;
  /** Receives faults that are bugs of Touchstone, for standard error. */
  readonly onFault?: (fault: unknown) => void;
  /** The key that binds the answer of a person to what was asked. */
  readonly stateKey: Uint8Array;
  /** The questions that a person has answered. */
  readonly answered: Set<string>;
}

/** The files of a project, and the processes that may be started in it. */
export interface LocalProject {
  /** The folder of the config: nothing outside of it is read. */
  readonly folder: string;
  /** True when the config has a referee. */
  readonly hasReferee: boolean;
  /** The config as it was named; undefined for the config of the folder. */
  readonly config: string | undefined;
  /** Calls a function of the library that loads the config, in a process of its own. Throws what it throws. */
  call<Name extends keyof ProjectCalls>(
    name: Name,
    ...input: Parameters<ProjectCalls[Name]>
  ): Promise<Awaited<ReturnType<ProjectCalls[Name]>>>;
  /**
   * Begins a run by a command line of `touchstone run`, in a process that outlives this one, and returns its id once its questions are planned.
   * Throws `asking-refused` with what the command says.
   */
  start(args: readonly string[]): Promise<string>;
}

/** A run that an agent has begun or continued, and what it might cost then. */
export interface Start {
  /** ISO 8601. */
  readonly at: string;
  /** Its id; of what is no run of the workspace, a name that no run has. */
  readonly run: string;
  /** The most that it may cost, in US dollars, on top of what it had cost before. */
  readonly maxCost: number;
  readonly before: number;
}

/** The limits of a run that an agent begins. */
export interface StartLimits {
  /** The most that it may cost, in US dollars. */
  readonly maxCost: number;
  /** The cost until now of a run that is continued, in US dollars. */
  readonly before: number;
  readonly note?: string;
}

/** A run that was planned. */
export interface PlannedStart {
  readonly plan: PlannedRun;
  /** Begins it. Returns its id once its questions are planned. Throws `asking-refused`. */
  start(limits: StartLimits): Promise<string>;
  /** Says that it is not going to begin. */
  drop(): Promise<void>;
}

/** The means by which coding agents begin runs. */
export interface Beginning {
  /** Plans a run. Ends early when it is aborted. Throws what planning throws. */
  plan(request: PlanRequest, signal: AbortSignal): Promise<PlannedStart>;
  /** Returns what agents have begun in the last 24 hours. */
  starts(): Promise<readonly Start[]>;
  /** True where the runs of others are under way, too, and do not hinder a run of an agent. */
  readonly isShared: boolean;
}
