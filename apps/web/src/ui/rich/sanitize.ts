import createPurifier from 'dompurify'
import { withoutHandlers } from './handlers.ts'

const blocks = ['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code', 'img']
const marks = ['strong', 'b', 'em', 'i', 'u', 's', 'sub', 'sup', 'span', 'a']
const tables = ['table', 'thead', 'tbody', 'tr', 'th', 'td']

/** The source of pictures: files of this console, by their id, as the server links them. */
export const ownPicture = /^\/admin-api\/infra\/file\/\d+(?:\?[\w=&%.-]*)?$/
/** The targets of links: other sites and mail, never a script and never a page of this console by mistake. */
export const outsideLink = /^(?:https?:\/\/|mailto:)\S/i

const purifier = createPurifier(window)

purifier.addHook('afterSanitizeAttributes', (element) => {
  if (element.tagName === 'IMG' && !ownPicture.test(element.getAttribute('src') ?? '')) element.remove()
  if (element.tagName !== 'A') return
  if (!outsideLink.test(element.getAttribute('href') ?? '')) element.removeAttribute('href')
  element.setAttribute('rel', 'noopener noreferrer nofollow')
  element.setAttribute('target', '_blank')
})

/** HTML as nodes without scripts, external resources or positioning, whatever was stored. */
export const sanitizeToNodes = (html: string): DocumentFragment =>
  purifier.sanitize(withoutHandlers(html), {
    ALLOWED_TAGS: [...blocks, ...marks, ...tables],
    ALLOWED_ATTR: ['href', 'rel', 'target', 'src', 'alt', 'colspan', 'rowspan'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  })
