import { expect, test } from 'vitest';
import { browserCommand } from './open-browser.ts';

test('an address is opened whole on every system, and only that of a page', () => {
  const address = 'http://127.0.0.1:7357/compare?a=1&b=2&c=3';
  expect(browserCommand(address, 'linux')).toEqual(['xdg-open', address]);
  expect(browserCommand(address, 'darwin')).toEqual(['open', address]);
  expect(browserCommand(address, 'win32')).toEqual(['rundll32', 'url.dll,FileProtocolHandler', address]);
  for (const other of ['file:///C:/Windows/System32/calc.exe', 'calc.exe', 'javascript:alert(1)'])
    expect(browserCommand(other, 'win32')).toBeUndefined();
});
