import { PageHead } from '../../layout/page-head.tsx';
import { PreferenceSection } from './preference-section.tsx';

/** The page of a comparison of answers in pairs, in a file of its own. */
export function PreferencesPage() {
  return (
    <>
      <PageHead crumbs={[]} title="Preferences" />
      <PreferenceSection />
    </>
  );
}
