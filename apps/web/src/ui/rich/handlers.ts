/** The start of a tag up to its `>`, and within it blanks, or an attribute with its value, as a browser parses them. */
const attribute = String.raw`[\s/]+|(=?[^\s/>=]+)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>"'][^\s>]*)?)?`
const tags = new RegExp(String.raw`(<[a-z][^\s/>]*)((?:${attribute})*)`, 'gi')
const attributes = new RegExp(attribute, 'g')

/**
 * HTML without event handlers. In a detached document none would run, but the browser reports each as a CSP violation,
 * which would hide real ones.
 */
export const withoutHandlers = (html: string): string =>
  html.replaceAll(
    tags,
    (_, head: string, rest: string) =>
      head + rest.replaceAll(attributes, (whole, name = '') => (/^on/i.test(name) ? `data-${whole}` : whole)),
  )
