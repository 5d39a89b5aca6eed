/** Says that a report lists a part of a run, and that its numbers are those of the whole. */
export function narrowingNote(narrowing: string): string {
  return `Only a part of the run is listed: ${narrowing}. The scores are those of the whole run.`;
}
