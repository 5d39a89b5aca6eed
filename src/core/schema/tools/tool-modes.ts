/** The ways in which Touchstone stands between targets and their tools. */
export const toolModes = ['observe', 'record', 'record-missing', 'replay'] as const;
