// The theme of the generator without its fonts: a page uses those of the reader's system.
import DefaultTheme from 'vitepress/theme-without-fonts';
import './style.css';

export default {
  extends: DefaultTheme,
  /** Leads from a heading that was moved from a page to where it is now. */
  enhanceApp({ siteData }) {
    if (import.meta.env.SSR) return;
    const { base, themeConfig } = siteData.value;
    const address = location.pathname.slice(base.length).replace(/\.html$/, '') + location.hash;
    const to = themeConfig.moved[address];
    if (to !== undefined) location.replace(base + to);
  },
};
