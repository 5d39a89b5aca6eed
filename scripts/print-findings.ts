/** Ends a check: prints what it found and fails the process, or says in one line that all is well. */
export function printFindings(findings: readonly string[], allIsWell: string): void {
  if (findings.length === 0) {
    console.log(`✓ ${allIsWell}`);
    return;
  }
  for (const finding of findings) console.error(finding);
  console.error(`✗ ${findings.length} found`);
  process.exitCode = 1;
}
