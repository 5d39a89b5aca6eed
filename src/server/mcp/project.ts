import type { ProjectCalls } from './project-calls.ts';
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
