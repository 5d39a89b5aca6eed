/** Ends a check: prints its findings, with a hint if given, and fails the process; or prints one line of success. */
export function printFindings(findings: readonly string[], allIsWell: string, hint?: string): void {
  if (findings.length === 0) {
    console.log(`✓ ${allIsWell}`);
    return;
  }
  for (const finding of findings) console.error(finding);
  console.error(`✗ ${findings.length} found`);
  if (hint !== undefined) console.error(hint);
  process.exitCode = 1;
}
