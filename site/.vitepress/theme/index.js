// The theme of the generator without its fonts: a page uses those of the reader's system.
import DefaultTheme from 'vitepress/theme-without-fonts';
import './style.css';

export default DefaultTheme;
