/**
 * The only inline script of the console: it runs before the first paint, so a dark desk does not flash white at night.
 * Both pages carry exactly this text, which lets one hash in the content security policy serve both.
 */
export const themeScript =
  "(function(){var t=null;try{t=localStorage.getItem('theme')}catch(e){}" +
  "var d=t==='dark'||(t!=='light'&&matchMedia('(prefers-color-scheme: dark)').matches);" +
  "document.documentElement.classList.toggle('dark',d)})()"
