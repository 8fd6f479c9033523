/**
 * The only inline script of the console: it runs before the first paint, so a dark desk does not flash white at night,
 * and what the page shows before its scripts have come is in the language that was chosen.
 * Both pages carry exactly this text, which lets one hash in the content security policy serve both.
 */
export const themeScript =
  "(function(){var t=null,l=null;try{t=localStorage.getItem('theme');l=localStorage.getItem('language')}catch(e){}" +
  "var h=document.documentElement,d=t==='dark'||(t!=='light'&&matchMedia('(prefers-color-scheme: dark)').matches);" +
  "h.classList.toggle('dark',d);h.lang=l==='en'?'en':'zh-CN'})()"
