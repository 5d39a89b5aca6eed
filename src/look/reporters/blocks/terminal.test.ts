import { expect, onTestFinished, test } from 'vitest';
import { renderBlock } from './terminal.ts';

/** Makes this process say that it runs on another system, until the test ends. */
function pretendSystem(platform: NodeJS.Platform): void {
  const own = Object.getOwnPropertyDescriptor(process, 'platform');
  Object.defineProperty(process, 'platform', { value: platform, configurable: true });
  onTestFinished(() => {
    if (own !== undefined) Object.defineProperty(process, 'platform', own);
  });
}

test.each([
  ['linux', ['touchstone cases latest \\', "--where 'score<50 and category=refunds'"]],
  ['darwin', ['touchstone cases latest \\', "--where 'score<50 and category=refunds'"]],
  ['win32', ["touchstone cases latest --where 'score<50 and category=refunds'"]],
] as const)('a command that is too long for a line can be pasted on %s', (platform, lines) => {
  pretendSystem(platform);
  const command = {
    kind: 'command',
    lead: 'Next: ',
    command: 'touchstone cases latest',
    end: "--where 'score<50 and category=refunds'",
  } as const;
  const text = renderBlock(command, { width: 60, color: false });
  expect(text.split('\n').flatMap((line) => line.trim().replace('Next: ', '') || [])).toEqual(lines);
});
