// The names under which frameworks write the parts of a call, as `plainKey` gives them, best first.

/** The names of what kind of thing an object is. */
export const typeNames = [
  'type',
  'kind',
  'partkind',
  'runtype',
  'event',
  'steptype',
  'spantype',
  '$type',
  'typename',
];

/** The names of the tool of a call. `name` alone may be the name of anything. */
export const strongNames = ['toolname', 'tool', 'functionname', 'function', 'fn', 'func'];

/** The names of the arguments of a call. */
export const argumentNames = [
  'arguments',
  'args',
  'input',
  'parameters',
  'params',
  'toolinput',
  'toolargs',
  'toolarguments',
  'actioninput',
  'functionargs',
  'functionarguments',
  'kwargs',
  'toolkwargs',
  'rawinput',
  'inputs',
];

/** The names of what a tool returned. */
export const resultNames = [
  'result',
  'output',
  'tooloutput',
  'toolresult',
  'observation',
  'response',
  'rawoutput',
  'returnvalue',
  'outputs',
  'out',
];

/** The usual names of flags. */
export const flagNames: Readonly<Record<string, string>> = {
  iserror: 'is_error',
  toolcallerror: 'tool_call_error',
};
