/** The begin of a tag up to its `>`, and within it blanks, or an attribute with its value, as a browser reads them. */
const attribute = String.raw`[\s/]+|(=?[^\s/>=]+)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>"'][^\s>]*)?)?`
const tags = new RegExp(String.raw`(<[a-z][^\s/>]*)((?:${attribute})*)`, 'gi')
const attributes = new RegExp(attribute, 'g')

/**
 * HTML whose tags name no handlers. Parsed apart from the page none would run, but the browser complains of each, and
 * such complaints are to be of what runs.
 */
export const withoutHandlers = (html: string): string =>
  html.replaceAll(
    tags,
    (_, head: string, rest: string) =>
      head + rest.replaceAll(attributes, (whole, name = '') => (/^on/i.test(name) ? `data-${whole}` : whole)),
  )
