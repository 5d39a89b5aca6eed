import type { Calendar } from '../calendar/calendar.ts';
import { type ToolArguments, type ToolName, type ToolResults, tools } from '../calendar/tools.ts';
import { isUsable } from './is-usable.ts';

/** Runs a tool under the eyes of whoever evaluates the agent: `request.useTool` of Touchstone has this form. */
export type UseTool = (name: string, given: object, run: () => unknown) => Promise<unknown>;

/** The calendar's tools as the agent uses them. */
export interface Toolbox {
  /** Uses a tool, up to three times. Throws `ToolTrouble` when that was in vain. */
  use<Name extends ToolName>(name: Name, given: ToolArguments[Name]): Promise<ToolResults[Name]>;
  /** Uses a tool once. */
  tryOnce<Name extends ToolName>(
    name: Name,
    given: ToolArguments[Name],
  ): Promise<ToolResults[Name] | ToolTrouble>;
}

/** A tool that could not be used, after all attempts. `isRefusal` when the calendar itself said no. */
export class ToolTrouble extends Error {
  override readonly name = 'ToolTrouble';
  readonly tool: ToolName;
  readonly isRefusal: boolean;

  constructor(tool: ToolName, message: string) {
    super(message);
    this.tool = tool;
    this.isRefusal = /^4(?!29)\d\d\b/.test(message);
  }
}

const attempts = 3;

/** Opens the tools over a calendar. What fails, or comes back unusable, is tried again; what is refused is not. */
export function openToolbox(calendar: Calendar, useTool: UseTool): Toolbox {
  const toolbox: Toolbox = {
    async tryOnce(name, given) {
      try {
        const result = await useTool(name, given, () => structuredClone(tools[name](calendar, given)));
        if (isUsable(name, result, given)) return result;
        return new ToolTrouble(name, `${name} gave back something unusable`);
      } catch (error) {
        return new ToolTrouble(name, error instanceof Error ? error.message : String(error));
      }
    },
    async use(name, given) {
      for (let attempt = 1; ; attempt++) {
        const outcome = await toolbox.tryOnce(name, given);
        if (!(outcome instanceof ToolTrouble)) return outcome;
        if (outcome.isRefusal || attempt === attempts) throw outcome;
      }
    },
  };
  return toolbox;
}
