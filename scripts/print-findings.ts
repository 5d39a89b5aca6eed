/** Ends a check: prints its findings and fails the process, or prints one line of success. */
export function printFindings(findings: readonly string[], allIsWell: string): void {
  if (findings.length === 0) {
    console.log(`✓ ${allIsWell}`);
    return;
  }
  for (const finding of findings) console.error(finding);
  console.error(`✗ ${findings.length} found`);
  process.exitCode = 1;
}
