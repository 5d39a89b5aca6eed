import type { ImportRecord } from '../../core/schema/api/imported-project.ts';
import type { Json } from '../../core/schema/json.ts';
import type { ImportContent } from './content/content.ts';
import type { Ledger } from './ledger.ts';

/** A value that an importer writes as JSON, where a member that is undefined is absent. */
type Part = Json | undefined | Part[] | JsonObject;

/** A JSON object. */
export type JsonObject = { [name: string]: Part };

/** Reads the files of one tool. */
export interface Importer {
  /** The name after `--from`. */
  readonly name: string;
  /** The name of the tool as it writes itself. */
  readonly title: string;
  /** True for a tool whose files name others of their folder, which are nothing by themselves. */
  readonly readsNearby?: true;
  /**
   * The ends of the paths of members that are written in another form, without the marks of lists: `result.success`, which becomes
   * `passed`. One that begins with a dot is the whole path, and `*` is any text. Other values of a file are looked for as they are, and named when nothing that was written contains them.
   */
  readonly reads: readonly string[];
  /**
   * Looks at a file or a folder. Returns what it is, in words that follow "This is": `an Inspect log, version 2`;
   * undefined when it is not of this tool.
   */
  detect(content: ImportContent): string | undefined;
  /**
   * Returns whether a file of this tool contains answers, verdicts or traces besides its questions: it is no golden set then, and
   * asking its questions would lose them. Absent for a tool of which no file is a golden set.
   */
  isRecorded?(content: ImportContent): boolean;
  /** Translates it. Throws `import-invalid` for a file of this tool that cannot be read. */
  read(content: ImportContent, ledger: Ledger, needs: ImportNeeds): Promise<Translation>;
}

/** The parts of Touchstone that importers may ask. */
export interface ImportNeeds {
  /** Returns what is wrong with a check that a case brings along; undefined when it can be made. */
  findFault(check: JsonObject): string | undefined;
  /** The folder in the project for stubs of the checks that are code; without one, none are made. */
  readonly codeFolder?: string;
}

/** The parts of a project, not yet written. */
export interface Translation {
  /** The description of the file with its numbers: `Inspect log, version 2, 10 samples of 5 cases × 2 epochs`. */
  readonly found: string;
  /** The version of the tool that wrote the file, where the file says so. */
  readonly version?: string;
  readonly description?: string;
  /** The lines of the dataset, in our own form. */
  readonly cases: readonly JsonObject[];
  /** The recorded answers; absent when the file contains none. */
  readonly answers?: RecordedAnswers;
  /** Facts of the file as a whole that have no other place, such as tags and arguments, in the words of the tool. */
  readonly metadata?: Record<string, Json>;
  /** Further files of the project by their names: stubs of code to finish by hand. */
  readonly files?: Readonly<Record<string, string>>;
  /** False when a run of the project would ask a target, a judge or an embedding model. */
  readonly callsNothing?: boolean;
  /** Settings of the config besides `description`, `dataset` and what follows from the answers. */
  readonly config?: JsonObject;
}

/** Answers that another tool collected, with its verdicts. */
export interface RecordedAnswers {
  /** One for each answer, in the form that the target `replay` reads, with `verdicts` by name. */
  readonly rows: readonly JsonObject[];
  /** The targets that gave them, in the order of the file; each is the `recordedTarget` of its rows. */
  readonly targets: readonly string[];
  /** The names of the recorded verdicts, in the order of the file. */
  readonly verdicts: readonly string[];
  /** The names of the verdicts of a red team, which say whether an attack was resisted. */
  readonly attacks?: readonly string[];
  /** The verdict that says whether an answer passed as a whole, if the tool gives one; it is among the names. */
  readonly total?: string;
  readonly attempts: number;
  /** The time of the whole, as the file has it, for rows without a time of their own. */
  readonly recordedAt?: unknown;
  /** True when rows have `labels`: words by name that another tool gave in place of a number. */
  readonly hasLabels?: boolean;
}

/** A project made from a file of another tool, ready to be written. */
export interface ImportedProject {
  readonly record: ImportRecord;
  /** False for cases alone, which no target answers yet. */
  readonly hasTargets: boolean;
  /** True when a run of the project asks nothing but the recorded answers. */
  readonly callsNothing: boolean;
  /** The text of each file to write, by its name in the folder of the project. */
  readonly files: Readonly<Record<string, string>>;
}
