import { Outlet } from '@tanstack/react-router';
import { KeyHelp } from './key-help.tsx';
import { useKeyListener } from '../keys/use-keys.ts';

/** The frame of the pages of a report in one file. */
export function ReportFrame() {
  useKeyListener();
  return (
    <>
      <header className="border-b border-line print:hidden">
        <div className="mx-auto flex h-12 max-w-[1440px] items-center gap-6 px-4 sm:px-8">
          <a href="/" className="font-semibold tracking-tight">
            Touchstone
          </a>
          <span className="text-quiet">Report</span>
          <div className="ml-auto">
            <KeyHelp />
          </div>
        </div>
      </header>
      <main id="content" className="mx-auto max-w-[1440px] px-4 pt-5 pb-24 sm:px-8 print:p-0">
        <Outlet />
      </main>
    </>
  );
}
